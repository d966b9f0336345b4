// The files in data/ascend were made and read by the original tools.
#include <gtest/gtest.h>

#include <set>

#include "arrays.h"
#include "sources/opened.h"
#include "test_paths.h"

namespace assay {
namespace {

const std::string kOut = DumpBytes(0, 1);
const std::string kSamples = TestData("ascend/bin/");
constexpr std::string_view kAdd = "Add.a.1.2.1700000000000001";

std::string Add(std::string_view folder) {
  return fmt::format("{}{}{}", folder, folder.empty() ? "" : "/", kAdd);
}

TEST(Ascend, FromAnyLevelOfTheTreeOn) {
  const TempTree tree;
  tree.Write(Add("d/20240501120000/0/net/1/0"), DumpBytes(1, 1));
  tree.Write(Add("d/20240501120000/0/net/1/10"), kOut);
  const struct {
    std::string path, told;
  } kRows[] = {
      {"d",
       "ascend: s0 net Add a:input:0, s0 net Add a:output:0, "
       "s10 net Add a:output:0"},
      {"d/20240501120000/0/",
       "ascend: s0 net Add a:input:0, s0 net Add a:output:0, "
       "s10 net Add a:output:0"},
      {"d/20240501120000/0/net/1",
       "ascend: s0 net Add a:input:0, s0 net Add a:output:0, "
       "s10 net Add a:output:0"},
      {"d/20240501120000/0/net/1/10", "ascend: net Add a:output:0"},
      {Add("d/20240501120000/0/net/1/10"), "plain: Add a:output:0"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Told(tree / row.path), row.told);
}

TEST(Ascend, TensorsAreCalledByTheirOperator) {
  const TempTree tree;
  tree.Write(Add("20240501120000/0/net/1/0"), DumpBytes(1, 2));
  const auto dump = OpenSource(tree.path(), {});
  ASSERT_TRUE(dump);
  EXPECT_EQ(dump->why,
            "it has files named like Ascend dumps: Add.a.1.2.1700000000000001");
  std::string names;
  for (const TensorInfo& tensor : dump->tensors) {
    names += fmt::format("{} ", dump->NameOf(tensor));
    EXPECT_EQ(tensor.id.order, 1700000000000001);
    EXPECT_EQ(tensor.id.order_from, OrderFrom::kTimestamp);
  }
  EXPECT_EQ(names, "a:input:0 a:output:0 a:output:1 ");
}

TEST(Ascend, SeveralDevicesAreRanks) {
  const TempTree tree;
  tree.Write(Add("20240501120000/0/net/1/0"), kOut);
  tree.Write(Add("20240501120000/10/net/1/0"), kOut);
  EXPECT_EQ(Told(tree.path()),
            "ascend: r0 s0 net Add a:output:0, r10 s0 net Add a:output:0");
}

TEST(Ascend, AModelThatWasLoadedTwice) {
  const TempTree tree;
  tree.Write(Add("20240501120000/0/net/3/0"), kOut);
  tree.Write(Add("20240501120000/0/net/12/0"), kOut);
  tree.Write(Add("20240501120000/0/other/4/0"), kOut);
  EXPECT_EQ(Told(tree.path()),
            "ascend: s0 net #1 Add a:output:0, s0 net Add a:output:0, "
            "s0 other Add a:output:0");
  const TempTree ranks;  // each process counts for itself
  ranks.Write(Add("20240501120000/0/net/1/0"), kOut);
  ranks.Write(Add("20240501120000/1/net/2/0"), kOut);
  EXPECT_EQ(Told(ranks.path()),
            "ascend: r0 s0 net Add a:output:0, r1 s0 net Add a:output:0");
}

TEST(Ascend, TheNewestRunIsRead) {
  const TempTree tree;
  tree.Write(Add("x/20240501120000/0/old/1/0"), kOut);
  tree.Write(Add("x/20240501120000/0/old/1/1"), kOut);
  tree.Write(Add("x/20240501120001/0/new/1/0"), kOut);
  tree.Write(Add("y/20240401120000/0/other/1/0"), kOut);
  EXPECT_EQ(Told(tree.path()),
            "ascend: s0 new Add a:output:0, s0 other Add a:output:0");
  EXPECT_EQ(NotesOf(tree.path()),
            "x/20240501120000: an older run, 2 files; 20240501120001 is read");
}

TEST(Ascend, SeveralDumpsOfOneOperator) {
  const TempTree tree;
  tree.Write("Add.a.1.2.1700000000000001", DumpBytes(1, 1));
  tree.Write("Add.a.9.9.1700000000000002", kOut);
  EXPECT_EQ(Told(tree.path()), "ascend: Add a:output:0");
  EXPECT_EQ(NotesOf(tree.path()),
            "Add.a.1.2.1700000000000001: an older dump of the same operator; "
            "Add.a.9.9.1700000000000002 is read");
}

TEST(Ascend, WhatIsNoTensorOfTheModel) {
  const TempTree tree;
  tree.Write(std::string(kAdd),
             Dump2(Output(1, {2}, 8) + ProtoBytes(5, ProtoNumber(3, 4)) +
                       ProtoBytes(8, ProtoNumber(3, 4)),
                   16));
  tree.Write("Opdebug.Node_OpDebug.1.2.1700000000000002", kOut);
  tree.Write("Opdebug.Node_OpDebug.1.2.1700000000000003", kOut);
  tree.Write("readme.txt", "hello");
  tree.Write("17293822569102704640", kOut);
  EXPECT_EQ(Told(tree.path()),
            "ascend: Add a:output:0, 17293822569102704640/output:0");
  EXPECT_EQ(
      NotesOf(tree.path()),
      "17293822569102704640: no mapping.csv says what it is; "
      "readme.txt: text; "
      "Opdebug.Node_OpDebug.1.2.1700000000000002: 2 overflow records; see "
      "'assay overflow'; "
      "Add.a.1.2.1700000000000001: 2 blocks of buffers and workspaces left "
      "out");
}

TEST(Ascend, DamagedFilesAreErrors) {
  const TempTree tree;
  tree.Write(std::string(kAdd), kOut.substr(0, kOut.size() - 1));
  tree.Write("Mul.b.1.2.1700000000000001", kOut);
  EXPECT_EQ(Told(tree.path()), "ascend: Add a!, Mul b:output:0");
  const auto dump = OpenSource(tree.path(), {});
  EXPECT_EQ(dump->NameOf(dump->tensors[0]), "a");
}

TEST(Ascend, AnArrayForAllItsName) {
  const TempTree tree;
  tree.Write("net.conv.12.1700000000", Npy(Random(4)));
  EXPECT_EQ(Told(tree.path()), "ascend: net conv");
  const auto dump = OpenSource(tree.path(), {});
  EXPECT_EQ(dump->NameOf(dump->tensors[0]), "net.conv.12.1700000000");
}

TEST(Ascend, LongNames) {
  const auto dump = OpenSource(kSamples + "hashed_name", {});
  ASSERT_TRUE(dump);
  ASSERT_EQ(dump->tensors.size(), 1u);
  const TensorId& id = dump->tensors[0].id;
  EXPECT_EQ(dump->names[id.type], "AutomaticBufferFusionOp");
  EXPECT_TRUE(dump->names[id.op].starts_with("very_long_scope_name_00_"));
  EXPECT_EQ(dump->files[0], "17293822569102704640");
  EXPECT_TRUE(dump->notes.empty());

  // As precision_tool leaves it: renamed, and a link where it was.
  const TempTree tree;
  tree.Write("mapping.csv", "7,Add.a.1.2.1700000000000001\n");
  tree.Write("Add.7.1.2.1700000000000001", kOut);
  EXPECT_EQ(Told(tree.path()), "ascend: Add a:output:0");
  std::filesystem::create_symlink("Add.7.1.2.1700000000000001", tree / "7");
  EXPECT_EQ(Told(tree.path()), "ascend: Add a:output:0");
}

TEST(Ascend, StatisticsAndExtremes) {
  const TempTree tree;
  tree.Write("Add.a.1.2.1700000000000001.csv",
             Content(TestData("codecs/statistics_ascend.csv")));
  tree.Write("Mul.b.1.2.1700000000000001_min_max.npz",
             Content(TestData("codecs/ge_min_max.npz")));
  const auto dump = OpenSource(tree.path(), {});
  ASSERT_TRUE(dump);
  EXPECT_EQ(dump->kind, "ascend");
  std::set<std::string_view> ops;
  for (const TensorInfo& tensor : dump->tensors) {
    EXPECT_TRUE(tensor.stored.summary);
    EXPECT_NE(tensor.id.port, Port::kNone);
    ops.insert(dump->names[tensor.id.op]);
  }
  EXPECT_EQ(ops.size(), 2u);
}

TEST(Ascend, SlicesBecomeOneTensor) {
  const std::string slices[] = {
      "Add.part0_sgt_graph_0_ffts_add.50.9.1700000000000034.4.487.0.0",
      "Add.part0_sgt_graph_0_ffts_add.50.9.1700000000000035.4.487.1.0"};
  const TempTree tree;
  tree.Write(slices[0], Content(kSamples + "ffts_auto_thread0/" + slices[0]));
  EXPECT_EQ(NotesOf(tree.path()), slices[0] + ": 1 of 2 slices are here");
  tree.Write(slices[1], Content(kSamples + "ffts_auto_thread1/" + slices[1]));
  EXPECT_EQ(Told(tree.path()),
            "ascend: Add ffts_add:input:0, Add ffts_add:output:0");
  EXPECT_EQ(NotesOf(tree.path()), "");
  const auto dump = OpenSource(tree.path(), {});
  const TensorInfo& whole = dump->tensors[1];
  ASSERT_TRUE(whole.join);
  EXPECT_EQ(whole.stored.shape, (Shape{5, 4}));
  EXPECT_EQ(whole.stored.original, (Shape{5, 4}));
  ASSERT_EQ(whole.join->parts.size(), 2u);
  EXPECT_EQ(whole.join->parts[0].stored.shape, (Shape{3, 4}));
  EXPECT_EQ(whole.join->parts[1].stored.shape, (Shape{2, 4}));

  // The thread is in the real name.
  std::filesystem::rename(tree / slices[1], tree / "123");
  tree.Write("mapping.csv", "123," + slices[1] + "\n");
  const auto renamed = OpenSource(tree.path(), {});
  ASSERT_TRUE(renamed);
  EXPECT_EQ(renamed->tensors[1].stored.shape, (Shape{5, 4}));
  EXPECT_FALSE(renamed->tensors[1].error());
}

TEST(Ascend, SlicesThatCutNothing) {
  const TempTree tree;
  const auto slice = [](std::string_view cuts) {
    const std::string json = fmt::format(
        R"({{"threadMode": 0, "slice_instance_num": 2, "outputCutList": {}}})",
        cuts);
    return Dump2(Output(1, {2}, 8) +
                     ProtoBytes(7, ProtoBytes(1, "ffts") + ProtoBytes(2, json)),
                 8);
  };
  tree.Write("Add.a_lxslice0.1.2.1700000000000009.4.7.0.0", slice("[[1]]"));
  tree.Write("Add.a_lxslice1.1.2.1700000000000001.4.7.0.0", slice("[[1]]"));
  EXPECT_EQ(Told(tree.path()), "ascend: Add a:output:0");
  EXPECT_EQ(NotesOf(tree.path()),
            "Add.a_lxslice1.1.2.1700000000000001.4.7.0.0: no part of a tensor, "
            "but another dump of the same operator; "
            "Add.a_lxslice0.1.2.1700000000000009.4.7.0.0 is read");
  tree.Write("Add.a_lxslice0.1.2.1700000000000009.4.7.0.0", slice("[[2]]"));
  const auto dump = OpenSource(tree.path(), {});
  ASSERT_TRUE(dump);
  EXPECT_EQ(dump->tensors[0].stored.shape, Shape{4});
}

TEST(Ascend, ThreadsDoNotChangeTheTable) {
  const TempTree tree;
  for (int i = 0; i < 40; ++i) {
    tree.Write(fmt::format("20240501120000/{}/net/1/{}/Add.op{}.1.2."
                           "17000000000000{:02}",
                           i % 2, i % 3, i % 7, i),
               DumpBytes(1, 1));
  }
  const auto one = OpenSource(tree.path(), {.threads = 1});
  const auto many = OpenSource(tree.path(), {.threads = 5});
  ASSERT_TRUE(one && many);
  EXPECT_EQ(one->files, many->files);
  ASSERT_EQ(one->tensors.size(), many->tensors.size());
  for (size_t i = 0; i < one->tensors.size(); ++i) {
    EXPECT_EQ(Told(*one, one->tensors[i]), Told(*many, many->tensors[i]));
  }
}

}  // namespace
}  // namespace assay
