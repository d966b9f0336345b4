#include "pairing/names.h"

#include <gtest/gtest.h>

#include "pairing/dumps.h"

namespace assay {
namespace {

TEST(Names, RulesSayWhatIsWrong) {
  const struct {
    std::string only, rename, what;
  } kRows[] = {
      {"(", "", "--only '(' is not a regular expression"},
      {"", "s/(/x/", "--rename '(' is not a regular expression"},
      {"", "x/a/b/", "--rename 'x/a/b/' does not read s/RE/TEXT/"},
      {"", "s/a/b", "does not read s/RE/TEXT/"},
      {"", "s/a", "does not read s/RE/TEXT/"},
      {"", "s", "does not read s/RE/TEXT/"},
      {"", "s/a/b/g", "does not read s/RE/TEXT/"},
      {"", "s/a/\\9/", "--rename 's/a/\\9/': "},
  };
  for (const auto& row : kRows) {
    std::vector<std::string> renames;
    if (!row.rename.empty()) renames.push_back(row.rename);
    const auto rules = NameRules::Make(row.only, renames);
    ASSERT_FALSE(rules) << row.only << row.rename;
    EXPECT_EQ(rules.error().code, ErrorCode::kUsage);
    EXPECT_NE(rules.error().what.find(row.what), std::string::npos)
        << rules.error().what;
  }
}

TEST(Names, Renames) {
  const struct {
    std::vector<std::string> rules;
    std::string name, renamed;
  } kRows[] = {{{}, "a/b", "a/b"},
               {{"s/a/b/"}, "aXa", "bXb"},
               {{"s/^npu_//"}, "npu_x", "x"},
               {{"s|/|_|"}, "a/b/c", "a_b_c"},
               {{"s/(.)x(.)/\\2\\1/"}, "axb", "ba"},
               {{"s/a/b/", "s/b/c/"}, "a", "c"},
               {{"s/$/!/"}, "a", "a!"}};
  for (const auto& row : kRows) {
    const auto rules = NameRules::Make("", row.rules);
    ASSERT_TRUE(rules);
    EXPECT_EQ(rules->Renamed(row.name), row.renamed);
  }
}

TEST(Names, OnlyMatchesAnywhere) {
  const auto rules = NameRules::Make("conv[0-9]$", {});
  ASSERT_TRUE(rules);
  EXPECT_TRUE(rules->Wanted("net/conv1"));
  EXPECT_FALSE(rules->Wanted("net/conv1/bias"));
}

TEST(Names, WithoutTimestamp) {
  const struct {
    std::string name, bare;
  } kRows[] = {{"conv.0.1700000000", "conv"},
               {"a.b.3.1700000000000", "a.b"},
               {"conv.0.170000000", "conv.0.170000000"},
               {"conv.2.1700000000123456.0", "conv"},
               {"conv.2.3.4", "conv.2.3.4"},
               {"2.1700000000123456.0", "2.1700000000123456.0"},
               {"conv.1700000000", "conv.1700000000"},
               {"conv.x.1700000000", "conv.x.1700000000"},
               {".0.1700000000", ".0.1700000000"},
               {"0.1700000000", "0.1700000000"},
               {"1700000000", "1700000000"},
               {"", ""}};
  for (const auto& row : kRows) EXPECT_EQ(WithoutTimestamp(row.name), row.bare);
}

TEST(Names, NearestOnlyWhereItHelps) {
  const NearMiss near({"conv1", "relu"});
  EXPECT_EQ(near.Find("conv2"), "conv1");
  EXPECT_EQ(near.Find("Relu"), "relu");
  EXPECT_EQ(near.Find("softmax"), "");
  EXPECT_EQ(NearMiss({}).Find("a"), "");
}

TEST(Strategies, TwoTensorsWhateverTheirNames) {
  Dump a = MakeDump({{"a.npy"}}), b = MakeDump({{"b.npy"}});
  const Dump two = MakeDump({{"a.npy"}, {"b.npy"}});
  EXPECT_EQ(Told(a, b).size(), 2u);  // folders: nothing in common
  EXPECT_EQ(Told(a, two).front(), "a=a (same path)");
  a.one_file = b.one_file = true;
  EXPECT_EQ(Told(a, b), (Lines{"a=b (the only tensor of each side)"}));
  EXPECT_EQ(Told(a, two).front(), "a=a (same path)");
  EXPECT_EQ(Told(a, two, {.strategy = "two-tensors"}).front(),
            "error: pairing 'two-tensors' needs one tensor on each side, here "
            "are 1 and 2");
  EXPECT_EQ(Told(a, b, {.only = "zzz"}).size(), 2u);  // both left out
}

TEST(Strategies, UnknownNameGetsASuggestion) {
  const Dump a = MakeDump({{"a.npy"}});
  const auto near = PairDumps(a, a, {.strategy = "by-nam"});
  ASSERT_FALSE(near);
  EXPECT_EQ(near.error().what, "unknown pairing 'by-nam'");
  EXPECT_EQ(near.error().hint,
            "did you mean 'by-name'? 'assay list pairings' shows all");
  const auto far = PairDumps(a, a, {.strategy = "zzzzzzzzzzzz"});
  ASSERT_FALSE(far);
  EXPECT_EQ(far.error().hint, "'assay list pairings' shows all");
}

}  // namespace
}  // namespace assay
