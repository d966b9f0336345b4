#include <gtest/gtest.h>

#include <map>

#include "pairing/dumps.h"
#include "temp_tree.h"

namespace assay {
namespace {

TEST(ByName, RoundsFromStrictToForgiving) {
  const struct {
    std::vector<Made> golden, target;
    std::string pair;
  } kRows[] = {
      {{{"a.npy"}}, {{"a.npy"}}, "a=a (same path)"},
      {{{"d/a.npy"}}, {{"d/a.npy"}}, "d/a=d/a (same path)"},
      {{{"a.npy"}}, {{"a.pb"}}, "a=a (same name)"},
      {{{"w.npz", "x"}}, {{"w/x.npy"}}, "w/x=w/x (same name)"},
      {{{"net/a:0.npy"}},
       {{"net_a_0.npy"}},
       "net/a:0=net_a_0 (same name but for / . :)"},
      {{{"a.0.1700000000000.npy"}},
       {{"a.0.1800000000000.npy"}},
       "a.0.1700000000000=a.0.1800000000000 (same name without "
       ".index.timestamp)"},
      {{{"a.0.1700000000000.npy"}},
       {{"a.npy"}},
       "a.0.1700000000000=a (same name without .index.timestamp)"},
  };
  for (const auto& row : kRows) {
    auto golden = row.golden, target = row.target;
    golden.push_back(
        {"other1.npy"});  // two files would be a round of their own
    target.push_back({"something_else.npy"});
    const Lines told = Told(MakeDump(golden), MakeDump(target));
    EXPECT_EQ(told.front(), row.pair);
  }
}

TEST(ByName, TwoFilesMeanEachOther) {
  EXPECT_EQ(Told(MakeDump({{"a.npz", "x"}, {"a.npz", "y"}}),
                 MakeDump({{"b.npz", "y"}, {"b.npz", "x"}})),
            (Lines{"a/x=b/x (same tensor in both files)",
                   "a/y=b/y (same tensor in both files)"}));
}

TEST(ByName, AmbiguousNamesAreNotGuessed) {
  const Lines told = Told(MakeDump({{"a/x.npy"}, {"a.x.npy"}, {"b.npy"}}),
                          MakeDump({{"a_x.npy"}, {"b.npy"}}));
  const std::string why =
      "ambiguous: 2 golden and 1 target tensors share this name";
  EXPECT_EQ(told, (Lines{"b=b (same path)", "-a/x: " + why, "-a.x: " + why,
                         "+a_x: " + why}));
}

TEST(ByName, StrictRoundSettlesWhatALaterOneCouldNot) {
  EXPECT_EQ(Told(MakeDump({{"a/x.npy"}, {"a_x.npy"}}),
                 MakeDump({{"a/x.npy"}, {"a_x.npy"}})),
            (Lines{"a/x=a/x (same path)", "a_x=a_x (same path)"}));
}

TEST(ByName, UnpairedNamesTheNearest) {
  const Lines told = Told(MakeDump({{"conv1.npy"}, {"relu.npy"}, {"z.npy"}}),
                          MakeDump({{"conv2.npy"}, {"relu.npy"}}));
  EXPECT_EQ(told, (Lines{"relu=relu (same path)",
                         "-conv1: no target tensor has this name; nearest: "
                         "conv2",
                         "-z: no target tensor has this name",
                         "+conv2: no golden tensor has this name; nearest: "
                         "conv1"}));
}

TEST(ByName, OnlyLeavesOutOnPurpose) {
  const Dump dump = MakeDump({{"conv1.npy"}, {"conv2.npy"}, {"relu.npy"}});
  const auto pairing = PairDumps(dump, dump, {.only = "^conv"});
  ASSERT_TRUE(pairing);
  EXPECT_EQ(pairing->pairs.size(), 2u);
  ASSERT_EQ(pairing->golden.size(), 1u);
  EXPECT_TRUE(pairing->golden[0].skipped);
  EXPECT_EQ(pairing->golden[0].why, "does not match --only");
  EXPECT_EQ(pairing->target.size(), 1u);
}

TEST(ByName, RenamesBothSidesBeforePairing) {
  const Dump golden = MakeDump({{"conv1.npy"}, {"relu.npy"}});
  const Dump target = MakeDump({{"npu_conv1.npy"}, {"npu_relu_x.npy"}});
  EXPECT_EQ(
      Told(golden, target, {.renames = {"s/^npu_//", "s/_x$//"}}),
      (Lines{"conv1=npu_conv1 (same name)", "relu=npu_relu_x (same name)"}));
  EXPECT_EQ(Told(golden, target, {.renames = {"s/.*/same/"}}).size(), 4u);
}

TEST(ByName, AFileThatCannotBeReadStandsForItsTensors) {
  const Dump whole = MakeDump({{"a.npy"}, {"w.npz", "x"}, {"w.npz", "y"}});
  const Dump cut = MakeDump({{"a.npy"}, {"w.npz", "", true}});
  EXPECT_EQ(Told(whole, cut),
            (Lines{"a=a (same path)", "w/x=w (the file that should hold it)",
                   "w/y=w (the file that should hold it)"}));
  EXPECT_EQ(Told(cut, whole),
            (Lines{"a=a (same path)", "w=w/x (the file that should hold it)",
                   "w=w/y (the file that should hold it)"}));
  EXPECT_EQ(Told(MakeDump({{"w.npz", "x"}, {"w.npz", "y"}}),
                 MakeDump({{"v.npz", "", true}}))
                .size(),
            2u);
  EXPECT_EQ(Told(whole, MakeDump({{"a.npy"}, {"zzzzzz.npz", "", true}})).back(),
            "+zzzzzz: no golden tensor has this name");
}

// Every tensor of both sides: in at least one pair, or listed once.
void ExpectAccounted(const Dump& golden, const Dump& target,
                     const PairOptions& options = {}) {
  const auto pairing = PairDumps(golden, target, options);
  ASSERT_TRUE(pairing);
  std::map<uint32_t, int> paired[2], listed[2];
  for (const Pair& pair : pairing->pairs) {
    ++paired[0][pair.golden.tensor];
    ++paired[1][pair.target.tensor];
    EXPECT_NE(*pair.why, "");
  }
  for (const Unpaired& u : pairing->golden) ++listed[0][u.tensor];
  for (const Unpaired& u : pairing->target) ++listed[1][u.tensor];
  const size_t totals[] = {golden.tensors.size(), target.tensors.size()};
  for (const int side : {0, 1}) {
    for (uint32_t i = 0; i < totals[side]; ++i) {
      const bool in_pair = paired[side].contains(i);
      EXPECT_EQ(listed[side][i], in_pair ? 0 : 1) << side << " " << i;
    }
  }
}

TEST(ByName, EveryTensorIsAccountedFor) {
  const Dump kDumps[] = {
      MakeDump({{"a.npy"}, {"b.npy"}, {"c/d.npy"}}),
      MakeDump({{"a.npy"}, {"B.npy"}, {"c_d.npy"}, {"c.d.npy"}}),
      MakeDump({{"a.npz", "x"}, {"a.npz", "y"}, {"a.npz", "x"}}),
      MakeDump({{"a.npz", "", true}, {"b.npy", "", true}}),
      MakeDump({{"a.0.1700000000000.npy"}, {"a.1.1700000000000.npy"}}),
      MakeDump({{"a.npy"}})};
  for (const Dump& golden : kDumps) {
    for (const Dump& target : kDumps) {
      ExpectAccounted(golden, target);
      ExpectAccounted(golden, target, {.only = "a"});
      ExpectAccounted(golden, target, {.renames = {"s/[0-9]+/N/"}});
    }
  }
}

TEST(ByName, SwappingSidesMirrorsTheLists) {
  const Dump a = MakeDump({{"a.npy"}, {"b.npy"}, {"c/d.npy"}, {"c.d.npy"}});
  const Dump b = MakeDump({{"a.npy"}, {"e.npy"}, {"c_d.npy"}});
  const auto forward = PairDumps(a, b, {}), backward = PairDumps(b, a, {});
  ASSERT_TRUE(forward && backward);
  EXPECT_EQ(forward->pairs.size(), backward->pairs.size());
  ASSERT_EQ(forward->golden.size(), backward->target.size());
  ASSERT_EQ(forward->target.size(), backward->golden.size());
  for (size_t i = 0; i < forward->golden.size(); ++i) {
    EXPECT_EQ(forward->golden[i].tensor, backward->target[i].tensor);
  }
}

}  // namespace
}  // namespace assay
