#include <gtest/gtest.h>

#include "pairing/torchair.h"

namespace assay {
namespace {

Dump Calls(const std::vector<std::string>& paths) {
  Dump dump{.files = {"dump.h5"}};
  for (const std::string& path : paths) {
    TensorInfo& tensor = dump.tensors.emplace_back();
    tensor.name = dump.names.Intern(path);
    tensor.stored.name = path;
  }
  return dump;
}

TEST(Hdf5Pairing, TheKthExecutionOfEachOperator) {
  const Dump golden = Calls({"Addmm/2/input/mat1", "Addmm/2/output/result",
                             "Addmm/10/output/result", "Only/3/output/x"});
  const Dump target = Calls({"Addmm/4/input/mat1", "Addmm/4/output/result",
                             "Addmm/9/output/result", "Addmm/11/output/result",
                             "Addmm/4/input/mat2"});
  EXPECT_EQ(Short(golden, target),
            "Addmm/2/input/mat1=Addmm/4/input/mat1; "
            "Addmm/2/output/result=Addmm/4/output/result; "
            "Addmm/10/output/result=Addmm/9/output/result; "
            "-Only/3/output/x: no target tensor belongs to execution 0 of "
            "Only; "
            "+Addmm/11/output/result: the golden has no execution 2 of Addmm; "
            "+Addmm/4/input/mat2: Addmm/2 of the golden has no input 'mat2'");
}

TEST(Hdf5Pairing, DevicesHaveOtherNames) {
  const struct {
    std::string golden, target;
  } kRows[] = {
      {"NativeBatchNormBackward/7/input/grads/epsilon",
       "CudnnBatchNormBackward/1/input/grads/eps"},
      {"CudnnConvolutionBackward/7/input/self",
       "NpuConvolutionBackward/1/input/input"},
      {"ThnnConvDepthwise2DBackward/7/output/a",
       "NpuConvolutionBackward/1/output/a"},
      {"CudnnRnn/7/output/a", "NpuRnn/1/output/a"},
      {"ThnnRelu/7/output/a", "NpuRelu/1/output/a"},
      {"Same/7/input/self", "Same/1/input/input"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(
        Short(Calls({row.golden, "Z/1/input/z"}),
              Calls({row.target, "Z/1/input/z"})),
        fmt::format("{}={}; Z/1/input/z=Z/1/input/z", row.golden, row.target));
  }
  // Two that are one on the other device count together.
  EXPECT_EQ(Short(Calls({"CudnnConvolutionBackward/5/input/a",
                         "ThnnConvDepthwise2DBackward/3/input/a"}),
                  Calls({"NpuConvolutionBackward/1/input/a",
                         "NpuConvolutionBackward/2/input/a"})),
            "ThnnConvDepthwise2DBackward/3/input/a="
            "NpuConvolutionBackward/1/input/a; "
            "CudnnConvolutionBackward/5/input/a="
            "NpuConvolutionBackward/2/input/a");
}

TEST(Hdf5Pairing, LoadedDataKeepsGoldensOrder) {
  EXPECT_EQ(Short(Calls({"A/2/input/x", "A/2/output/y", "A/3/output/y"}),
                  Calls({"A/3/output/y"})),
            "A/3/output/y=A/3/output/y; "
            "-A/2/input/x: the target was run on loaded inputs and has none of "
            "its own; "
            "-A/2/output/y: no target tensor belongs to execution 0 of A");
}

TEST(Hdf5Pairing, OtherHdf5FilesGoByName) {
  const auto pairing =
      PairDumps(Calls({"weights/a", "b"}), Calls({"weights/a", "c"}), {});
  ASSERT_TRUE(pairing);
  EXPECT_EQ(pairing->strategy, "by-name");
}

}  // namespace
}  // namespace assay
