#include <gtest/gtest.h>
#include <sys/stat.h>

#include "arrays.h"
#include "sources/source.h"
#include "temp_tree.h"
#include "test_paths.h"

namespace assay {
namespace {

std::string NamesIn(const std::string& path) {
  const auto dump = OpenSource(path, {});
  if (!dump) return "error: " + dump.error().what;
  std::string text;
  for (const TensorInfo& tensor : dump->tensors) {
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", dump->NameOf(tensor),
                        tensor.error() ? "!" : "");
  }
  return text;
}

const std::string kArray = Npy(Random(4));

TEST(Plain, NamesAreThePathWithoutSuffix) {
  const struct {
    std::string file, name;
  } kRows[] = {{"conv1.npy", "conv1"},
               {"a/b/conv1.npy", "a/b/conv1"},
               {"conv1.0.npy", "conv1.0"},
               {"dots.in.name.npy", "dots.in.name"},
               {"UPPER.npy", "UPPER"},
               {"no_suffix", "no_suffix"},
               {"step.0/no_suffix", "step.0/no_suffix"},
               {"name with space.npy", "name with space"},
               {".npy", ".npy"}};
  for (const auto& row : kRows) {
    const TempTree tree;
    tree.Write(row.file, kArray);
    EXPECT_EQ(NamesIn(tree.path()), row.name);
  }
}

TEST(Plain, DamagedFilesKeepTheirName) {
  const struct {
    std::string file, name;
  } kRows[] = {{"conv1.npy", "conv1!"},
               {"a.b/conv1.npy", "a.b/conv1!"},
               {"step.0/no_suffix", "step.0/no_suffix!"},
               {".npy", ".npy!"}};
  for (const auto& row : kRows) {
    const TempTree tree;
    tree.Write(row.file, kArray.substr(0, 20));
    EXPECT_EQ(NamesIn(tree.path()), row.name);
  }
}

TEST(Plain, MembersAreNamedAfterTheirFile) {
  EXPECT_EQ(NamesIn(TestData("codecs/order.safetensors")),
            "order/a order/none order/b");
  EXPECT_EQ(NamesIn(TestData("codecs/raw.pb")), "raw");
}

TEST(Plain, ReadsIndexAndTimeFromTheName) {
  const struct {
    std::string file, op;
    int index;
    int64_t order;
  } kRows[] = {
      {"conv1.0.1700000000000.npy", "conv1", 0, 1700000000000000},
      {"net.conv.12.1700000000.npy", "net.conv", 12, 1700000000000000},
      {"a/conv1.0.1700000000000001.npy", "a/conv1", 0, 1700000000000001},
      {"conv1.0.170.npy", "conv1.0.170", -1, -1},
      {"conv1.x.1700000000000.npy", "conv1.x.1700000000000", -1, -1},
      {"0.1700000000000.npy", "0.1700000000000", -1, -1},
      {"a.0.99999999999999999999.npy", "a", 0, 999999999999999999}};
  for (const auto& row : kRows) {
    const TempTree tree;
    tree.Write(row.file, kArray);
    const auto dump = OpenSource(tree.path(), {});
    ASSERT_TRUE(dump);
    const TensorId& id = dump->tensors.front().id;
    EXPECT_EQ(dump->names[id.op], row.op);
    EXPECT_EQ(id.index, row.index) << row.file;
    EXPECT_EQ(id.order, row.order) << row.file;
  }
}

TEST(Plain, FoldersTellRankAndStepOfOperators) {
  const std::string array = ".a.1.0.1700000000000001.output.0.ND.float32.npy";
  const std::string table =
      "Op Name,Input/Output,Index,Dtype,Shape,Max\na,output,0,fp16,2,1\n";
  const struct {
    std::string file, content;
    int rank, step;
  } kRows[] = {
      {"rank_3/20240101000000/step_12/Add" + array, kArray, 3, 12},
      {"step_12/Add" + array, kArray, -1, 12},
      {"ranks_3/step_/Add" + array, kArray, -1, -1},
      {"rank_3/20240101000000/step_12/statistic.csv", table, 3, 12},
      {"4_4711/7/statistic.csv", table, -1, 7},
      {"4_4711/deep/7/statistic.csv", table, -1, -1},
      // Whose folders mean anything, who knows.
      {"rank_3/step_12/conv1.0.1700000000000.npy", kArray, -1, -1},
  };
  for (const auto& row : kRows) {
    const TempTree tree;
    tree.Write(row.file, row.content);
    const auto dump = OpenSource(tree.path(), {});
    ASSERT_TRUE(dump) << dump.error().Text();
    const TensorId& id = dump->tensors.front().id;
    EXPECT_EQ(id.rank, row.rank) << row.file;
    EXPECT_EQ(id.step, row.step) << row.file;
  }
}

TEST(Plain, RowsOfOneOperatorAreItsCalls) {
  const TempTree tree;
  tree.Write("statistic.csv",
             "Op Name,Op Id,Input/Output,Index,Dtype,Shape,Max\n"
             "a,0_1,input,0,fp16,2,1\na,0_1,output,0,fp16,2,1\n"
             "b,0_2,output,0,fp16,2,1\na,0_3,output,0,fp16,2,2\n");
  const auto dump = OpenSource(tree.path(), {});
  ASSERT_TRUE(dump);
  std::vector<int32_t> calls;
  for (const TensorInfo& t : dump->tensors) calls.push_back(t.id.call);
  EXPECT_EQ(calls, (std::vector<int32_t>{0, 0, 0, 1}));
}

TEST(Plain, OrderIsThatOfThePaths) {
  const TempTree tree;
  for (const char* name : {"z.npy", "a.npy", "m/b.npy", "m.npy", "B.npy"}) {
    tree.Write(name, kArray);
  }
  const std::string once = NamesIn(tree.path());
  EXPECT_EQ(once, "B a m m/b z");
  EXPECT_EQ(NamesIn(tree.path() + "//"), once);
}

TEST(Plain, WhatIsNoTensorIsNoted) {
  const TempTree tree;
  tree.Write("a.npy", kArray);
  tree.Write("readme.txt", "hello\n");
  tree.Write("empty", "");
  tree.Write("x.bin", "1234");
  const auto dump = OpenSource(tree.path(), {});
  ASSERT_TRUE(dump);
  EXPECT_EQ(dump->tensors.size(), 1u);
  EXPECT_EQ(dump->notes.size(), 3u);
  for (const DumpNote& note : dump->notes) EXPECT_NE(note.text, "");
}

TEST(Plain, PipesAndLoopsDoNotHang) {
  const TempTree tree;
  tree.Write("deep/a.npy", kArray);
  ASSERT_EQ(mkfifo((tree / "pipe").c_str(), 0600), 0);
  std::filesystem::create_directory_symlink(tree.path(), tree / "deep/loop");
  std::filesystem::create_symlink("nowhere", tree / "dangling");
  EXPECT_EQ(NamesIn(tree.path()), "deep/a");
  EXPECT_EQ(NamesIn(tree / "pipe"), "error: neither a file nor a folder");
}

TEST(Plain, SaysWhyThereIsNothing) {
  const TempTree tree;
  tree.Folder("empty");
  tree.Write("texts/a.txt", "hello\n");
  const struct {
    std::string path, what, hint;
  } kRows[] = {
      {tree / "nowhere", "no such file or folder", ""},
      {"onnxruntime:m.onnx", "no such file or folder",
       "'assay list executors'"},
      {tree / "empty", "no tensor in it", ""},
      {tree / "texts", "no tensor in it", "1 file was not understood; a.txt"},
  };
  for (const auto& row : kRows) {
    const auto dump = OpenSource(row.path, {});
    ASSERT_FALSE(dump) << row.path;
    EXPECT_EQ(dump.error().what, row.what);
    EXPECT_EQ(dump.error().file, row.path);
    EXPECT_NE(dump.error().hint.find(row.hint), std::string::npos)
        << dump.error().hint;
  }
}

TEST(Plain, ThreadsDoNotChangeTheTable) {
  const TempTree tree;
  for (int i = 0; i < 50; ++i) tree.Write(fmt::format("t{}.npy", i), kArray);
  const auto one = OpenSource(tree.path(), {.threads = 1});
  const auto many = OpenSource(tree.path(), {.threads = 7});
  ASSERT_TRUE(one && many);
  EXPECT_EQ(one->files, many->files);
  for (size_t i = 0; i < one->tensors.size(); ++i) {
    EXPECT_EQ(one->NameOf(one->tensors[i]), many->NameOf(many->tensors[i]));
  }
}

}  // namespace
}  // namespace assay
