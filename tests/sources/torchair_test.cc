#include <gtest/gtest.h>

#include "arrays.h"
#include "sources/opened.h"
#include "test_paths.h"

namespace assay {
namespace {

const std::string kArray = Npy(Random(4));
const std::string kOut = DumpBytes(0, 1);
constexpr std::string_view kTime = "20251010071211190258";

TEST(TorchairGe, RanksAndTokens) {
  const TempTree tree;
  for (const int rank : {0, 1}) {
    for (const int token : {0, 10}) {
      tree.Write(fmt::format("worldsize2_global_rank{0}/20251010083830/{0}/"
                             "graph_1/1/{1}/Add.Add.1.0.1760000000000001",
                             rank, token),
                 kOut);
    }
  }
  tree.Write("dynamo_original_graph_1_rank_0_pid_1_ts_20251010083825327878.txt",
             "op {}");
  EXPECT_EQ(Told(tree.path()),
            "torchair-ge: r0 s0 graph_1 Add Add:output:0, "
            "r0 s10 graph_1 Add Add:output:0, r1 s0 graph_1 Add Add:output:0, "
            "r1 s10 graph_1 Add Add:output:0");
  EXPECT_EQ(NotesOf(tree.path()), "");  // graphs are no strangers
  EXPECT_EQ(Told(tree / "worldsize2_global_rank1"),
            "torchair-ge: s0 graph_1 Add Add:output:0, "
            "s10 graph_1 Add Add:output:0");
}

TEST(TorchairGe, OlderTreesHaveNoRanks) {
  const TempTree tree;
  tree.Write("20251010083830/0/graph_1/1/0/Add.Add.1.0.1760000000000001", kOut);
  EXPECT_TRUE(Told(tree.path()).starts_with("ascend: "));
  tree.Write("dynamo_original_graph_1.txt", "op {}");
  EXPECT_EQ(Told(tree.path()), "torchair-ge: s0 graph_1 Add Add:output:0");
}

TEST(TorchairGe, TheLargerOfTwoIsRead) {
  const TempTree tree;
  tree.Write("dynamo_original_graph_1.txt", "op {}");
  tree.Write("Add.a.b.1.0.1760000000000001", DumpBytes(1, 1));
  tree.Write("Add.a.b.9.0.1760000000000009", kOut);
  EXPECT_EQ(Told(tree.path()),
            "torchair-ge: Add a.b:input:0, Add a.b:output:0");
  EXPECT_EQ(NotesOf(tree.path()),
            "Add.a.b.9.0.1760000000000009: a dump, no larger, of the same "
            "operator; Add.a.b.1.0.1760000000000001 is read");
}

TEST(TorchairGe, OfEqualOnesTheFirstByNameIsRead) {
  const TempTree tree;
  tree.Write("dynamo_original_graph_1.txt", "op {}");
  tree.Write("Add.a.1.0.1760000000000001", kOut);
  tree.Write("Add.a.9.0.1760000000000009", kOut);
  EXPECT_EQ(NotesOf(tree.path()),
            "Add.a.9.0.1760000000000009: a dump, no larger, of the same "
            "operator; Add.a.1.0.1760000000000001 is read");
}

std::string Fx(std::string_view folder, std::string_view tensor,
               std::string_view time = kTime) {
  return fmt::format("{}/{}.{}.npy", folder, tensor, time);
}

TEST(TorchairFx, ThreeLayouts) {
  const struct {
    std::string folder, open, told;
  } kRows[] = {
      {"worldsize2_global_rank1/graph_1/0", ".", "r1 s0 graph_1 "},
      {"worldsize2_global_rank1/graph_1/7", "worldsize2_global_rank1",
       "s7 graph_1 "},
      {"worldsize2_global_rank1/graph_1/7", "worldsize2_global_rank1/graph_1",
       "s7 "},
      {"worldsize2_global_rank1/graph_1/7", "worldsize2_global_rank1/graph_1/7",
       ""},
      {"worldsize2_global_rank1/graph_1", ".", "r1 graph_1 "},
      {"data_dump/1/gm_20240101000000_dump", ".", "s0 gm_0 "},
      {"data_dump/12/gm_20240101000000_dump", "data_dump", "s11 gm_0 "},
      {"data_dump/1/gm_20240101000000_dump", "data_dump/1", "gm_0 "},
      {"data_dump/1/gm_20240101000000_dump",
       "data_dump/1/gm_20240101000000_dump", ""},
  };
  for (const auto& row : kRows) {
    const TempTree tree;
    tree.Write(Fx(row.folder, "add_1-aten.add.Tensor.OUTPUT.0"), kArray);
    EXPECT_EQ(
        Told(tree / row.open),
        fmt::format("torchair-fx: {}aten.add.Tensor add_1:output:0", row.told))
        << row.folder << " " << row.open;
  }
}

TEST(TorchairFx, GraphsOfOldDumpsCountInEachToken) {
  const TempTree tree;
  for (const char* folder : {"data_dump/1/gm_20240101000001_dump",
                             "data_dump/1/gm_20240101000000_dump",
                             "data_dump/2/gm_20240101000005_dump"}) {
    tree.Write(Fx(folder, "a-b.OUTPUT.0"), kArray);
  }
  EXPECT_EQ(Told(tree.path()),
            "torchair-fx: s0 gm_0 b a:output:0, s0 gm_1 b a:output:0, "
            "s1 gm_0 b a:output:0");
}

TEST(TorchairFx, NamesAndNumbers) {
  const TempTree tree;
  for (const char* tensor :
       {"cat-aten.cat.default.INPUT.0", "cat-aten.cat.default.INPUT.1.0",
        "cat-aten.cat.default.INPUT.1.1", "cat-aten.cat.default.INPUT.2",
        "cat-aten.cat.default.INPUT.10", "cat-aten.cat.default.OUTPUT.0",
        "add-aten.add.Tensor.INPUT.2"}) {
    tree.Write(Fx("0", tensor), kArray);
  }
  const auto dump = OpenSource(tree.path(), {});
  ASSERT_TRUE(dump);
  std::string told;
  for (const TensorInfo& tensor : dump->tensors) {
    told += fmt::format("{}={}\n", dump->NameOf(tensor), tensor.id.index);
    EXPECT_EQ(dump->names[tensor.id.op], dump->NameOf(tensor).substr(0, 3));
  }
  EXPECT_EQ(told,
            "add-aten.add.Tensor.INPUT.2=2\n"
            "cat-aten.cat.default.INPUT.0=0\n"
            "cat-aten.cat.default.INPUT.1.0=1\n"
            "cat-aten.cat.default.INPUT.1.1=2\n"
            "cat-aten.cat.default.INPUT.2=3\n"
            "cat-aten.cat.default.INPUT.10=11\n"
            "cat-aten.cat.default.OUTPUT.0=0\n");
}

TEST(TorchairFx, OneFilePerTensor) {
  const TempTree tree;
  tree.Write(Fx("0", "a-b.OUTPUT.0", "20251010071211190258"), kArray);
  tree.Write(Fx("0", "a-b.OUTPUT.0", "20251010071211190259"), Npy(Random(9)));
  tree.Write("0/a-b.OUTPUT.0.20251010071211190259_min_max.npy",
             Content(TestData("codecs/fx_min_max.npy")));
  tree.Write("0/a-b.OUTPUT.1.20251010071211190259_min_max.npy",
             Content(TestData("codecs/fx_min_max.npy")));
  tree.Write("0/broken-b.OUTPUT.0.20251010071211190259.npy", "x");
  tree.Write("notes.txt", "hello");
  const auto dump = OpenSource(tree.path(), {});
  ASSERT_TRUE(dump);
  EXPECT_EQ(Told(tree.path()),
            "torchair-fx: s0 b a:output:0, s0 b a:output:1, "
            "s0 b broken:output:0!");
  EXPECT_EQ(dump->tensors[0].stored.shape, Shape{9});
  EXPECT_TRUE(dump->tensors[1].stored.summary);
  EXPECT_EQ(NotesOf(tree.path()),
            "0/a-b.OUTPUT.0.20251010071211190258.npy: an older dump of the "
            "same tensor; a-b.OUTPUT.0.20251010071211190259.npy is read; "
            "0/a-b.OUTPUT.0.20251010071211190259_min_max.npy: only its "
            "extremes; a-b.OUTPUT.0.20251010071211190259.npy is read; "
            "notes.txt: text");
}

}  // namespace
}  // namespace assay
