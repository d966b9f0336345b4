#include "sources/mapping_csv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "temp_tree.h"

namespace assay {
namespace {

TEST(MappingCsv, Lines) {
  const struct {
    std::string text, told;  // "stored=original ...; problems"
  } kRows[] = {
      {"", ""},
      {"123,Add.a.1.2.17\n", "123=Add.a.1.2.17"},
      {"123,a\r\n\r\n456.npy,b.npy", "123=a 456.npy=b.npy"},
      {"\xef\xbb\xbf"
       "123,a\n",
       "123=a"},
      {"123,\"a,b\"\"c\"\n", "123=a,b\"c"},
      {"123,a\n123,b\n", "123=b"},
      // The other way round: only the second is a file.
      {"long_name,here\n", "here=long_name"},
      {"here,long_name\n", "here=long_name"},
      {"here,here2\n", "here=here2"},
      {"1,2,3\nalone\n123,a\n",
       "123=a; line 1: not two columns; line 2: not two columns"},
      {"../x,a\n1,a/b\n1,..\n..,1\n,a\n1,\\a\n",
       "; line 1: not the name of a file in this folder; line 2: not the name "
       "of a file in this folder; line 3: not the name of a file in this "
       "folder; line 4: not the name of a file in this folder; line 5: not "
       "the name of a file in this folder; line 6: not the name of a file in "
       "this folder"},
  };
  for (const auto& row : kRows) {
    const NameMapping mapping = ParseMapping(
        row.text,
        [](std::string_view name) { return name.starts_with("here"); });
    std::string told;
    const std::map<std::string, std::string> sorted(mapping.originals.begin(),
                                                    mapping.originals.end());
    for (const auto& [stored, original] : sorted) {
      told += fmt::format("{}{}={}", told.empty() ? "" : " ", stored, original);
    }
    for (const std::string& problem : mapping.problems) told += "; " + problem;
    EXPECT_EQ(told, row.told) << row.text;
  }
}

TEST(MappingCsv, ManyBadLinesAreCounted) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "no comma\n";
  const auto problems =
      ParseMapping(text, [](std::string_view) { return false; }).problems;
  EXPECT_EQ(problems.size(), 11u);
  EXPECT_EQ(problems.back(), "4990 more lines like that");
}

TEST(MappingCsv, ShortenedNames) {
  for (const char* yes : {"17293822569102704640", "1741000123000001.npy", "0",
                          "1.bin", "0123456789abcdef0123456789ABCDEF",
                          "0123456789abcdef0123456789abcdef.npy"}) {
    EXPECT_TRUE(IsShortened(yes)) << yes;
  }
  for (const char* no : {"", "conv1.npy", "0.0.1741000123.npy", "x1", ".npy",
                         "0123456789abcdef0123456789abcde",
                         "0123456789abcdef0123456789abcdeg"}) {
    EXPECT_FALSE(IsShortened(no)) << no;
  }
}

// What `assay watch` leaves of a file is called as the file was.
TEST(MappingCsv, RecordsOfFiles) {
  const TempTree tree;
  tree.Write("mapping.csv",
             "1,Add.add_1.1.1.17\nRelu.r.2.1.18,2\n3.npy,x.0.19.npy\n");
  const std::vector<std::string> files = {"1_min_max.npz", "2_stats.json",
                                          "3_min_max.npy", "mapping.csv"};
  const Mappings mappings(tree.path(), files);
  EXPECT_EQ(mappings.OriginalName("1_min_max.npz"),
            "Add.add_1.1.1.17_min_max.npz");
  EXPECT_EQ(mappings.OriginalName("2_stats.json"), "Relu.r.2.1.18_stats.json");
  EXPECT_EQ(mappings.OriginalName("3_min_max.npy"), "x.0.19_min_max.npy");
}

TEST(MappingCsv, EachFolderHasItsOwn) {
  const TempTree tree;
  tree.Write("mapping.csv", "1,top\n");
  tree.Write("a/mapping.csv", "1,inner\nbad\n");
  const std::string files[] = {
      "1", "2", "a/1", "a/2", "a/mapping.csv", "b/1", "mapping.csv"};
  Mappings mappings(tree.path(), files);
  EXPECT_EQ(mappings.OriginalName("1"), "top");
  EXPECT_EQ(mappings.OriginalName("a/1"), "inner");
  EXPECT_EQ(mappings.OriginalName("b/1"), "1");
  EXPECT_FALSE(mappings.Misses("a/1"));
  EXPECT_TRUE(mappings.Misses("a/2"));
  EXPECT_FALSE(mappings.Misses("b/1"));
  EXPECT_FALSE(mappings.Misses("a/conv1"));
  ASSERT_EQ(mappings.notes().size(), 1u);
  EXPECT_EQ(mappings.notes()[0].file, "a/mapping.csv");
  EXPECT_EQ(mappings.notes()[0].text, "line 2: not two columns");
}

}  // namespace
}  // namespace assay
