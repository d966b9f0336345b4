#include "sources/glimpse.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "temp_tree.h"

namespace assay {
namespace {

std::string Find(const Glimpse& glimpse, char first) {
  return glimpse.Find([=](std::string_view name) { return name[0] == first; });
}

TEST(Glimpse, FindsTheFirstOfTheFirstFolder) {
  const TempTree tree;
  for (const char* name : {"b/x1", "a/c/x2", "a/c/x0", "a/d/x0", "y"}) {
    tree.Write(name, "");
  }
  const Glimpse glimpse(tree.path());
  EXPECT_TRUE(glimpse.is_folder());
  for (int again = 0; again < 2; ++again) {  // whoever asked before
    EXPECT_EQ(Find(glimpse, 'x'), "a/c/x0");
    EXPECT_EQ(Find(glimpse, 'y'), "y");
    EXPECT_EQ(Find(glimpse, 'z'), "");
  }
}

TEST(Glimpse, DoesNotLookThroughEverything) {
  const TempTree tree;
  tree.Write("b/x", "");
  tree.Write("y", "");
  for (int i = 0; i < 300; ++i) tree.Folder(fmt::format("0{}", i));
  const Glimpse glimpse(tree.path());
  EXPECT_EQ(Find(glimpse, 'x'), "");
  EXPECT_EQ(Find(glimpse, 'y'), "y");
}

TEST(Glimpse, OfWhatIsNoFolder) {
  const TempTree tree;
  tree.Write("file", "");
  EXPECT_FALSE(Glimpse(tree / "file").is_folder());
  EXPECT_EQ(Find(Glimpse(tree / "file"), 'f'), "");
  EXPECT_EQ(Find(Glimpse(tree / "nowhere"), 'f'), "");
}

}  // namespace
}  // namespace assay
