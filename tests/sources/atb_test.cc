#include <gtest/gtest.h>

#include "sources/opened.h"
#include "test_paths.h"

namespace assay {
namespace {

const std::string kTensor = Content(TestData("codecs/atb_f16.bin"));
const std::string kPth = Content(TestData("codecs/half.pt"));

TEST(AtbTree, FromAnyLevelOn) {
  const TempTree tree;
  const std::string op = "tensors/0_123/7/0_Model/2_Linear/";
  tree.Write("msit_dump_20240101_000000/" + op + "before/intensor0.bin",
             kTensor);
  tree.Write("msit_dump_20240101_000000/" + op + "after/outtensor1.bin",
             kTensor);
  const std::string all =
      "s7 Linear 0_Model/2_Linear:output:1, s7 Linear "
      "0_Model/2_Linear:input:0";
  const std::string some =
      "Linear 0_Model/2_Linear:output:1, Linear 0_Model/2_Linear:input:0";
  const struct {
    std::string folder, told;
  } kRows[] = {
      {"", all},
      {"/msit_dump_20240101_000000/tensors", all},
      {"/msit_dump_20240101_000000/tensors/0_123", all},
      {"/msit_dump_20240101_000000/tensors/0_123/7", some},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Told(tree.path() + row.folder), "atb: " + row.told);
  }
}

TEST(AtbTree, RanksAndOrder) {
  const TempTree tree;
  for (const char* op : {"0_10/0/2_A", "0_10/0/10_B", "1_11/0/2_A"}) {
    tree.Write(fmt::format("atb_dump_data/data/{}/after/outtensor0.bin", op),
               kTensor);
  }
  EXPECT_EQ(Told(tree.path()),
            "atb: r0 s0 B 10_B:output:0, r0 s0 A 2_A:output:0, "
            "r1 s0 A 2_A:output:0");
  const auto dump = OpenSource(tree.path(), {});
  ASSERT_TRUE(dump);
  EXPECT_EQ(dump->tensors[0].id.order, 1);
  EXPECT_EQ(dump->tensors[1].id.order, 0);
  EXPECT_EQ(dump->NameOf(dump->tensors[0]), "10_B:output:0");
}

TEST(AtbTree, PyTorchAndOtherFiles) {
  const TempTree tree;
  const std::string token = "torch_tensors/0_10/3/";
  tree.Write(token + "root.fc/output.pth", kPth);
  tree.Write(token + "root.fc/input_1.pth", kPth);
  tree.Write(token + "root.fc/input_0_1.pth", kPth);
  tree.Write("torch_tensors/0_10/model_tree.json", "{}");
  EXPECT_EQ(Told(tree.path()).substr(0, 20), "atb: torch_tensors/0");
  EXPECT_NE(Told(tree.path()).find("s3 root.fc:input:1, s3 root.fc:output:0"),
            std::string::npos)
      << Told(tree.path());
}

TEST(AtbTree, OtherFoldersAreNone) {
  const TempTree tree;
  tree.Write("a/output.pth", kPth);
  tree.Write("b/x/outtensor0.bin", kTensor);
  tree.Write("c/after/outtensor0.bin", kTensor);
  for (const char* folder : {"a", "b", "c"}) {
    EXPECT_TRUE(Told(tree / folder).starts_with("plain: ")) << folder;
  }
}

TEST(AtbTree, DamagedFiles) {
  const TempTree tree;
  tree.Write("0_1/0/1_A/after/outtensor0.bin", kTensor.substr(0, 40));
  tree.Write("0_1/0/1_A/before/outtensor0.bin", kTensor);
  EXPECT_EQ(Told(tree.path()),
            "atb: s0 A 1_A:output:0!, 0_1/0/1_A/before/outtensor0");
}

}  // namespace
}  // namespace assay
