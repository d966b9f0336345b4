#include "pipeline/golden_names.h"

#include <gtest/gtest.h>

#include "../arrays.h"
#include "sources/source.h"
#include "temp_tree.h"

namespace assay {
namespace {

TEST(GoldenNames, AsThePrecisionToolHasThem) {
  GoldenNames names("/nowhere");
  const struct {
    std::string tensor, name;
  } kRows[] = {
      {"scope/node:0", "scope_node.0.1700000000000000.npy"},
      {"a:12", "a.12.1700000000000000.npy"},
      {"a", "a.0.1700000000000000.npy"},
      {"a:12", "a.12.1700000000000001.npy"},  // the same moment
      {"a:12", "a.12.1700000000000002.npy"},
      {"scope_node:0", "scope_node.0.1700000000000001.npy"},  // '/' became '_'
      {"a:b:1", "a_b.1.1700000000000000.npy"},
      {"a:x", "a_x.0.1700000000000000.npy"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(names.For(row.tensor, 1700000000000000), row.name);
  }
}

TEST(GoldenNames, WhatIsThereKeepsItsName) {
  const TempTree tree;
  tree.Write("a.0.1700000000000000.npy", "x");
  GoldenNames names(tree.path());
  EXPECT_EQ(names.For("a:0", 1700000000000000), "a.0.1700000000000001.npy");
}

TEST(GoldenNames, LongOnesAreFoundAgain) {
  const TempTree tree;
  const std::string node = "scope/" + std::string(300, 'x');
  for (const int64_t time : {1700000000000000, 1700000000000005}) {
    GoldenNames names(tree.path());  // a second run goes on
    for (const int slot : {0, 1}) {
      tree.Write(names.For(fmt::format("{}:{}", node, slot), time),
                 Npy<float>({1, 2}));
    }
    ASSERT_TRUE(names.WriteMapping());
  }
  EXPECT_TRUE(std::filesystem::exists(tree / "0.0.1700000000000000.npy"));
  EXPECT_TRUE(std::filesystem::exists(tree / "1.1.1700000000000000.npy"));
  const auto dump = OpenSource(tree.path(), {});
  ASSERT_TRUE(dump);
  ASSERT_EQ(dump->tensors.size(), 4u);
  EXPECT_TRUE(dump->notes.empty());
  for (const TensorInfo& tensor : dump->tensors) {
    EXPECT_EQ(dump->names[tensor.id.op], "scope_" + std::string(300, 'x'));
  }
}

}  // namespace
}  // namespace assay
