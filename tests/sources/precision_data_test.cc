#include <gtest/gtest.h>

#include "arrays.h"
#include "sources/opened.h"

namespace assay {
namespace {

const std::string kArray = Npy(Random(4));
const std::string kOut = DumpBytes(0, 1);

const std::string kRun = "20240501120000/0/net/1/0/Add.a.1.2.1700000000000001";
const std::string kOlder =
    "20240401120000/0/net/1/0/Add.b.1.2.1700000000000001";

TEST(PrecisionData, TheDumpInside) {
  const struct {
    std::vector<std::string> files;
    std::string open, told, why;
  } kRows[] = {
      {{"npu/debug_0/dump/" + kRun, "npu/debug_0/dump/" + kOlder,
        "npu/debug_1/dump/" + kOlder, "tf/dump/x.0.1700000000000001.npy",
        "overflow/dump/" + kOlder},
       "precision_data",
       "ascend: s0 net Add a:output:0",
       "a folder of precision_tool; opened npu/debug_0/dump/20240501120000, "
       "the device's dump (2 more there: name its folder to open it)"},
      {{"npu/debug_0/dump/" + kRun, "npu/debug_1/dump/" + kOlder},
       "precision_data/npu",
       "ascend: s0 net Add a:output:0",
       "a folder of precision_tool; opened debug_0/dump/20240501120000, the "
       "device's first dump (1 more there: name its folder to open it)"},
      {{"npu/debug_1/dump/" + kOlder, "npu/debug_0/graph/ge_proto_1.txt"},
       "precision_data/npu/debug_1/",
       "ascend: s0 net Add b:output:0",
       "a folder of precision_tool; opened dump/20240401120000, the device's "
       "dump"},
      {{"tf/dump/x.0.1700000000000001.npy", "tf/tf_debug/y.npy"},
       "precision_data",
       "plain: x:output:0",
       "a folder of precision_tool; opened tf/dump, TensorFlow's dump"},
      {{"tf/dump/x.0.1700000000000001.npy", "tf/tf_debug/y.npy"},
       "precision_data/tf",
       "plain: x:output:0",
       "a folder of precision_tool; opened dump, TensorFlow's dump"},
      {{"dump/npu/" + kRun, "dump/cpu/x.0.1700000000000001.npy"},
       "precision_data",
       "ascend: s0 net Add a:output:0",
       "a folder of precision_tool; opened dump/npu/20240501120000, the "
       "device's dump (1 more there: name its folder to open it)"},
      {{"dump/cpu/x.0.1700000000000001.npy"},
       "precision_data",
       "plain: x:output:0",
       "a folder of precision_tool; opened dump/cpu, TensorFlow's dump"},
  };
  for (const auto& row : kRows) {
    const TempTree tree;
    for (const std::string& file : row.files) {
      tree.Write("precision_data/" + file,
                 file.ends_with(".npy") ? kArray : kOut);
    }
    EXPECT_EQ(Told(tree / row.open), row.told);
    const auto dump = OpenSource(tree / row.open, {});
    ASSERT_TRUE(dump);
    EXPECT_EQ(dump->why, row.why);
    EXPECT_EQ(dump->source, tree / row.open);
  }
}

TEST(PrecisionData, RunsMayBeLinks) {
  const TempTree tree;
  tree.Write("elsewhere/0/net/1/0/Add.a.1.2.1700000000000001", kOut);
  tree.Folder("precision_data/npu/debug_0/dump");
  std::filesystem::create_directory_symlink(
      tree / "elsewhere",
      tree / "precision_data/npu/debug_0/dump/20240501120000");
  EXPECT_EQ(Told(tree / "precision_data"), "ascend: s0 net Add a:output:0");
}

TEST(PrecisionData, OtherFoldersAreNone) {
  const TempTree tree;
  tree.Write("a/dump/x.npy", kArray);
  tree.Folder("b/npu/debug_0/dump");
  tree.Write("b/x.npy", kArray);
  EXPECT_EQ(Told(tree / "a"), "plain: dump/x");
  EXPECT_EQ(Told(tree / "b"), "plain: x");
}

}  // namespace
}  // namespace assay
