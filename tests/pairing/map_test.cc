// --map: names that the user says belong together.
#include <gtest/gtest.h>

#include "pairing/dumps.h"
#include "pairing/map_file.h"
#include "temp_tree.h"

namespace assay {
namespace {

Lines ToldWith(const std::string& map, PairOptions options = {}) {
  const TempTree tree;
  options.map_file = tree.Write("names.csv", map);
  return Told(MakeDump({{"a.npy"}, {"b.npy"}, {"c,d.npy"}, {"same.npy"}}),
              MakeDump({{"x.npy"}, {"y.npy"}, {"z.npy"}, {"same.npy"}}),
              options);
}

std::string ErrorWith(const std::string& map, PairOptions options = {}) {
  const Lines told = ToldWith(map, std::move(options));
  return told.front().starts_with("error: ") ? told.front().substr(7) : "";
}

TEST(Map, PairsBeforeNamesDo) {
  EXPECT_EQ(ToldWith("golden,target\na,x\nb,y\n\"c,d\",z\n"),
            (Lines{"a=x (line 2 of the map)", "b=y (line 3 of the map)",
                   "c,d=z (line 4 of the map)", "same=same (same path)"}));
}

TEST(Map, ForgivesHeadingCommentsAndSpace) {
  const std::string mark = "\xef\xbb\xbf";
  for (const std::string& text :
       {std::string("a,x"), std::string("a,x\n"), std::string("a,x\r\n"),
        std::string("# names\n\n a , x \n"), std::string("\"a\",\"x\"\n"),
        std::string("golden,target\r\na,x\r\n"),
        mark + "golden,target\r\na,x\r\n", mark + "a,x\n"}) {
    EXPECT_TRUE(ToldWith(text).front().starts_with("a=x (line ")) << text;
  }
}

TEST(Map, OutweighsEqualNames) {
  EXPECT_EQ(ToldWith("a,same\n").front(), "a=same (line 1 of the map)");
}

TEST(Map, KnowsNamesBeforeAndAfterRename) {
  const PairOptions options = {.renames = {"s/^/net_/"}};
  EXPECT_EQ(ToldWith("a,x\n", options).front(), "a=x (line 1 of the map)");
  EXPECT_EQ(ToldWith("net_a,net_x\n", options).front(),
            "a=x (line 1 of the map)");
}

TEST(Map, SaysWhatIsWrong) {
  const struct {
    std::string map, what;
  } kRows[] = {
      {"a\n", "1 field where two are wanted"},
      {"a,x,y\n", "3 fields where two are wanted"},
      {"nope,x\n", "no golden tensor is called 'nope'"},
      {"a,nope\n", "no target tensor is called 'nope'"},
      {"a,x\na,y\n", "no golden tensor is called 'a'"},
      {"a,x\nb,x\n", "no target tensor is called 'x'"},
  };
  for (const auto& row : kRows) {
    EXPECT_TRUE(ErrorWith(row.map).starts_with(row.what)) << ErrorWith(row.map);
  }
}

TEST(Map, ErrorsNameTheLine) {
  const TempTree tree;
  const std::string path = tree.Write("m.csv", "golden,target\n\na,b\nc\n");
  const auto lines = ReadMap(path);
  ASSERT_FALSE(lines);
  EXPECT_EQ(lines.error().file, path);
  EXPECT_EQ(lines.error().line, 4u);
  EXPECT_FALSE(ReadMap(tree / "nowhere.csv"));
}

TEST(Map, CountsForTwoSingleTensorsToo) {
  const TempTree tree;
  const Dump a = MakeDump({{"a.npy"}}), b = MakeDump({{"b.npy"}});
  const std::string good = tree.Write("good.csv", "a,b\n");
  const std::string bad = tree.Write("bad.csv", "a,c\n");
  EXPECT_EQ(Told(a, b, {.map_file = good}), (Lines{"a=b (line 1 of the map)"}));
  EXPECT_TRUE(Told(a, b, {.map_file = bad}).front().starts_with("error: "));
}

}  // namespace
}  // namespace assay
