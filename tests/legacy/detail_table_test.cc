#include "legacy/detail_table.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "legacy/argpartition.h"
#include "legacy/numpy_errors.h"
#include "sources/source.h"
#include "temp_tree.h"
#include "test_paths.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

const std::string kDetail = TestData("metrics/detail");

std::string TextOf(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

// The original's files of one case, byte for byte.
void ExpectSame(const fs::path& expected, const fs::path& folder) {
  size_t files = 0;
  for (const auto& entry : fs::directory_iterator(expected)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with("conv1_")) continue;
    EXPECT_EQ(TextOf(folder / name), TextOf(entry.path())) << entry.path();
    ++files;
  }
  const auto written = std::distance(fs::directory_iterator(folder), {});
  EXPECT_EQ(static_cast<size_t>(written), files) << expected;
}

TEST(DetailTable, EqualsTheOriginals) {
  size_t cases = 0;
  for (const auto& entry : fs::directory_iterator(kDetail)) {
    const auto words =
        nlohmann::json::parse(TextOf(entry.path() / "case.json"));
    const auto my = OpenSource(entry.path() / "in_my.npy", {});
    const auto golden = OpenSource(entry.path() / "in_golden.npy", {});
    ASSERT_TRUE(my && golden) << entry.path();
    const TempTree out;
    DetailRequest request{
        .job = {golden->ViewOf(golden->tensors[0]), my->ViewOf(my->tensors[0])},
        .shape = words["shape"].get<Shape>(),
        .title = words["format"],
        .my_ops = words["op_name"],
        .golden_ops = words["ground_truth_ops"],
        .folder = out.path(),
        .prefix = "conv1_Relu_output_0",
        .top = words["topn"],
        .lines = words["max_line"],
        .full_table = !words["ignore_single_op_result"]};
    const auto console = WriteDetail(request);
    ASSERT_TRUE(console) << console.error().what;
    EXPECT_EQ(*console, TextOf(entry.path() / "stdout.txt")) << entry.path();
    ExpectSame(entry.path(), out.path());
    ++cases;
  }
  EXPECT_EQ(cases, 7u);
}

TEST(DetailTable, BeginsANewFileAfterSoManyLines) {
  const auto my = OpenSource(kDetail + "/basic_24_top5/in_my.npy", {});
  ASSERT_TRUE(my);
  const TempTree out;
  const StoredView view = my->ViewOf(my->tensors[0]);
  ASSERT_TRUE(WriteDetail({.job = {view, view},
                           .shape = view.shape,
                           .folder = out.path(),
                           .prefix = "x",
                           .lines = 10}));
  for (const char* name : {"x_0.csv", "x_10.csv", "x_20.csv"}) {
    const std::string text = TextOf(fs::path(out.path()) / name);
    EXPECT_TRUE(text.starts_with("Index,N C H W,")) << name;
  }
}

TEST(Argpartition, ChoosesAsNumpyDoes) {
  // numpy.argpartition(values, kth) of version 1.24.
  const struct {
    std::vector<double> values;
    uint64_t kth;
    std::vector<uint64_t> order;
  } kRows[] = {
      {{3, 1, 2}, 0, {1, 0, 2}},
      {{5, 5, 5, 5, 5, 5, 5, 5}, 5, {5, 3, 6, 0, 4, 2, 1, 7}},
      {{0, 4, 4, 1, 4, 0, 4, 4, 2, 4}, 7, {5, 0, 8, 3, 7, 4, 6, 2, 1, 9}},
      {{1, 3, 2, 3, 3, 0, 3, 1, 3, 2, 3, 3},
       6,
       {7, 5, 0, 2, 9, 10, 8, 3, 4, 6, 1, 11}},
      {{2, 2, 1, 2}, 3, {0, 1, 2, 3}},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Argpartition(row.values, row.kth), row.order) << row.kth;
  }
}

TEST(NumpyErrors, AreOfTheTypeThatHoldsBoth) {
  using enum DType;
  // 104 / 5 in half precision.
  EXPECT_EQ(NumpyErrors(kF16, kF16).Relative(104, -5), 20.796875);
  EXPECT_EQ(NumpyErrors(kF16, kF32).Relative(104, -5), 20.799999237060547);
  EXPECT_EQ(NumpyErrors(kI8, kF16).Relative(104, -5), 20.796875);
  EXPECT_EQ(NumpyErrors(kI32, kF16).Relative(104, -5), 20.8);
  EXPECT_EQ(NumpyErrors(kU8, kU8).Absolute(int64_t{3}, int64_t{5}), 254);
  EXPECT_EQ(NumpyErrors(kI8, kI8).Absolute(int64_t{127}, int64_t{-1}), -128);
  EXPECT_EQ(NumpyErrors(kU8, kI8).Absolute(int64_t{3}, int64_t{-5}), 8);
  EXPECT_EQ(NumpyErrors(kI8, kI8).Relative(1, 4), 0.25);
}

}  // namespace
}  // namespace assay
