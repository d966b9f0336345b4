#include "graphs/onnx_types.h"

#include <gtest/gtest.h>

#include "test_paths.h"

namespace assay::onnx {
namespace {

// The types of the tensors of a sample model, where they are not told.
TEST(OnnxTypes, FollowFromOperators) {
  const auto file = OnnxFile::Open(TestData("graphs/untyped.onnx"));
  ASSERT_TRUE(file) << file.error().Text();
  const auto types = ElementTypes(*file);
  const struct {
    std::string_view tensor;
    uint32_t type;
  } kRows[] = {{"x", 1},       {"relu", 1},  {"shape", 7},  {"more", 9},
               {"half", 10},   {"sum", 10},  {"filled", 6}, {"chosen", 10},
               {"best", 1},    {"place", 7}, {"steps", 2},  {"scale", 1},
               {"product", 6}, {"one", 1},   {"foreign", 0}};
  for (const auto& row : kRows) {
    const auto found = types.find(file->model().names.Find(row.tensor));
    EXPECT_EQ(found == types.end() ? 0 : found->second, row.type) << row.tensor;
  }
}

}  // namespace
}  // namespace assay::onnx
