// The prompt of precision_tool: folders, arrays, tables, panels.
#include "legacy/precision_tool.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "arrays.h"
#include "legacy/array_values.h"
#include "legacy/find_array.h"
#include "legacy/panel.h"
#include "legacy/worst_operators.h"
#include "temp_tree.h"
#include "test_paths.h"

namespace assay {
namespace {

TEST(Panel, IsAsWideAsItsLines) {
  EXPECT_EQ(Panel("a", {"xy", "溢出"}),
            "╭─ a ──╮\n│ xy   │\n│ 溢出 │\n╰──────╯\n");
  EXPECT_EQ(Panel("a long title", {}),
            "╭─ a long title ─╮\n╰────────────────╯\n");
  EXPECT_EQ(Panel("", {"\x1b[31m"}),
            "╭──────────╮\n│ \\x1b[31m │\n╰──────────╯\n");
}

TEST(Panel, TablesSideBySide) {
  const TextLines left = TableLines({.title = "t", .columns = {"A", "Bb"}});
  const TextLines right =
      TableLines({.columns = {"C"}, .rows = {{"1"}, {"2"}}});
  EXPECT_EQ(Joined(Beside(left, right)),
            "    t      ┏━━━┓\n"
            "┏━━━┳━━━━┓ ┃ C ┃\n"
            "┃ A ┃ Bb ┃ ┡━━━┩\n"
            "┡━━━╇━━━━┩ │ 1 │\n"
            "└───┴────┘ │ 2 │\n"
            "           └───┘\n");
}

std::string SpecOf(const std::string& npy) {
  const TempTree tree;
  const std::string path = tree.Write("a.npy", npy);
  const auto listing = ListFile(path, {});
  if (!listing) return listing.error().what;
  const std::atomic<bool> stop = false;
  const auto spec = ReadSpec(PlainView(path, listing->tensors[0]), stop);
  return spec ? SpecText(*spec) : spec.error().what;
}

TEST(ArraySpec, AsNumPySaysIt) {
  const float nan = std::nanf("");
  const struct {
    std::string npy, spec;
  } kRows[] = {
      {Npy<float>({1, 2, 4}, "3,"),
       "[Shape: (3,)] [Dtype: float32] [Max: 4.0] [Min: 1.0] "
       "[Mean: 2.3333333]"},
      {Npy<double>({0.1}, ""),
       "[Shape: (1,)] [Dtype: float64] [Max: 0.1] [Min: 0.1] [Mean: 0.1]"},
      {Npy<float>({1, nan}),
       "[Shape: (2,)] [Dtype: float32] [Max: nan] [Min: nan] [Mean: nan]"},
      {NpyBytes("<f2", "2,", BytesOf<uint16_t>({0x3c00, 0x2e66})),
       "[Shape: (2,)] [Dtype: float16] [Max: 1.0] [Min: 0.1] [Mean: 0.55]"},
      {Npy<int64_t>({1LL << 62, (1LL << 62) + 1}),
       "[Shape: (2,)] [Dtype: int64] [Max: 4611686018427387905] "
       "[Min: 4611686018427387904] [Mean: 4.611686018427388e+18]"},
      {NpyBytes("<u8", "1,", BytesOf<uint64_t>({~uint64_t{0}})),
       "[Shape: (1,)] [Dtype: uint64] [Max: 18446744073709551615] "
       "[Min: 18446744073709551615] [Mean: 1.8446744073709552e+19]"},
      {NpyBytes("|b1", "2,", std::string("\0\1", 2)),
       "[Shape: (2,)] [Dtype: bool] [Max: True] [Min: False] [Mean: 0.5]"},
      {NpyBytes("<f4", "", BytesOf<float>({7})),
       "[Shape: ()] [Dtype: float32] [Max: 7.0] [Min: 7.0] [Mean: 7.0]"},
      {Npy<float>({}, "0,"), ""},
      {NpyBytes("<c8", "1,", BytesOf<float>({1, 2})),
       "this prompt does not print c64 values"},
  };
  for (const auto& row : kRows) EXPECT_EQ(SpecOf(row.npy), row.spec);
}

constexpr char kTable[] =
    "Index,OpType,NPUDump,GroundTruth,TensorIndex,CosineSimilarity\n"
    "1,Add,a,\"x,y\",a:input:0,0.1\n"
    "1,Add,a,\"x,y\",a:output:0,0.980000\n"
    "2,Mul,b:c,z,b:c:output:0,0.980001\n"
    "3,Sub,d,w,d:output:0,nan\n"
    "4,Sub,e,w,NaN,NaN\n"
    "5,Div,f,v,f:output:0,-1\n"
    "5\n";

TEST(WorstOperators, OutputsAtTheLimitAreBad) {
  const auto operators = ReadCosines(kTable, "t.csv");
  ASSERT_TRUE(operators) << operators.error().Text();
  ASSERT_EQ(operators->size(), 4u);
  EXPECT_EQ((*operators)[1].op, "b:c");
  std::string panels;
  EXPECT_EQ(PrintBadOperators(*operators, 0.98, 1, panels), 2u);
  EXPECT_EQ(panels,
            "╭────── [1] a ──────╮\n"
            "│ Type:  Add        │\n"
            "│ Left:  ['a']      │\n"
            "│ Right: ['x', 'y'] │\n"
            "│ Input:            │\n"
            "│  - [0]0.1         │\n"
            "│ Output:           │\n"
            "│  - [0]0.98        │\n"
            "╰───────────────────╯\n");
}

TEST(WorstOperators, OldHeadingsAndOtherFiles) {
  const auto old = ReadCosines(
      "LeftOp,RightOp,TensorIndex,CosineSimilarity\nl,r,o:output:0,0.5\n", "t");
  ASSERT_TRUE(old);
  EXPECT_EQ((*old)[0].left, std::vector<std::string>{"l"});
  EXPECT_EQ((*old)[0].right, std::vector<std::string>{"r"});
  EXPECT_FALSE(ReadCosines("a,b\n1,2\n", "t"));
  EXPECT_FALSE(ReadCosines("", "t"));
}

TEST(WorstOperators, FuzzersSamples) {
  size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(FuzzCorpus("worst_operators"))) {
    const auto read = ReadCosines(Content(entry.path()), entry.path());
    EXPECT_TRUE(read || !read.error().what.empty());
    ++files;
  }
  EXPECT_GT(files, 1u);
}

TEST(WorkFolder, NewLayout) {
  const TempTree tree;
  tree.Folder("npu/debug_0/dump");
  tree.Folder("npu/debug_0/graph");
  tree.Folder("npu/debug_1/dump");
  tree.Folder("tf/dump");
  tree.Folder("overflow/dump");
  tree.Write("fusion/fusion_result.json", "{}");
  const auto found = FindWorkFolder(tree.path() + "/");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->runs.size(), 2u);
  EXPECT_EQ(found->runs[0].id, "debug_0");
  EXPECT_EQ(found->runs[0].graphs, tree / "npu/debug_0/graph");
  EXPECT_EQ(found->runs[1].graphs, "");
  EXPECT_EQ(found->golden, tree / "tf/dump");
  EXPECT_EQ(found->overflow, tree / "overflow/dump");
  EXPECT_EQ(found->fusion, tree / "fusion/fusion_result.json");
  EXPECT_EQ(found->temp, tree / "temp");
}

TEST(WorkFolder, OldLayoutAndAnyFolder) {
  const TempTree tree;
  tree.Folder("old/dump/npu");
  tree.Folder("old/dump/cpu");
  tree.Folder("old/dump/overflow");
  tree.Folder("old/dump/decode");
  tree.Folder("old/graph/all");
  tree.Folder("plain");
  const auto old = FindWorkFolder(tree / "old");
  ASSERT_TRUE(old);
  EXPECT_EQ(old->runs[0].dump, tree / "old/dump/npu");
  EXPECT_EQ(old->runs[0].graphs, tree / "old/graph/all");
  EXPECT_EQ(old->golden, tree / "old/dump/cpu");
  EXPECT_EQ(old->overflow, tree / "old/dump/overflow");
  EXPECT_EQ(old->arrays, std::vector<std::string>{tree / "old/dump/decode"});
  const auto plain = FindWorkFolder(tree / "plain");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->runs[0].dump, tree / "plain");
  EXPECT_EQ(plain->golden, tree / "plain");
  EXPECT_FALSE(FindWorkFolder(tree / "nowhere"));
}

TEST(FindArray, ByPathNameAndBeginning) {
  const TempTree tree;
  const std::string path =
      tree.Write("tf/dump/conv1.0.17.npy", Npy<float>({1}));
  tree.Write("tf/dump/conv1.1.17.npy", Npy<float>({2}));
  tree.Write("tf/dump/bad.0.17.npy", "nothing of NumPy");
  const auto folder = FindWorkFolder(tree.path());
  ASSERT_TRUE(folder);
  const auto find = [&](const std::string& name) {
    const auto found = FindArray(*folder, name, {});
    return found ? found->path : found.error().what;
  };
  EXPECT_EQ(find(path), path);
  EXPECT_EQ(find("conv1.0.17.npy"), path);
  EXPECT_EQ(find("conv1.0.17"), path);
  EXPECT_EQ(find("conv1.0"), path);
  EXPECT_EQ(find("conv1"), "'conv1' can be 2 arrays");
  EXPECT_EQ(find("conv2"), "no array is called 'conv2'");
  EXPECT_NE(find("bad"), "");
}

}  // namespace
}  // namespace assay
