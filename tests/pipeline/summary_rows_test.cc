// Values on one side, statistics on the other.
#include <gtest/gtest.h>

#include "pipeline/compare_with.h"

namespace assay {
namespace {

// An msprobe dump of one tensor, statistics only.
std::string DumpJson(std::string_view dtype, std::string_view shape,
                     std::string_view statistics) {
  return fmt::format(
      R"({{"task": "statistics", "level": "L1", "framework": "pytorch",
 "dump_data_dir": null, "data": {{"Torch.x.0.forward": {{"input_args": [
  {{"type": "torch.Tensor", "dtype": "{}", "shape": {}, {}}}],
  "input_kwargs": {{}}, "output": []}}}}}})",
      dtype, shape, statistics);
}

TEST(SummaryRows, ValuesAgainstStatistics) {
  const struct {
    std::string npy, json, verdict;
  } kRows[] = {
      {Npy(std::vector<float>{-1, 2, 2}),
       DumpJson("torch.float32", "[3]",
                R"("Max": 2.0, "Min": -1.0, "Mean": 1.0, "Norm": 3.0)"),
       "pass"},
      {Npy(std::vector<float>{-1, 2, 2}),
       DumpJson("torch.float32", "[3]",
                R"("Max": 2.5, "Min": -1.0, "Mean": 1.0, "Norm": 3.0)"),
       "unsure"},
      {Npy(std::vector<float>{-1, 2, 2}),
       DumpJson("torch.float32", "[3]",
                R"("Max": NaN, "Min": NaN, "Mean": NaN, "Norm": NaN)"),
       "fail"},
      {Npy(std::vector<float>{-1, 2, 2}),
       DumpJson("torch.float32", "[4]",
                R"("Max": 2.0, "Min": -1.0, "Mean": 1.0, "Norm": 3.0)"),
       "fail"},
      // These statistics are of the magnitudes.
      {NpyBytes("<c8", "1,", BytesOf(std::vector<float>{3, -4})),
       DumpJson("torch.complex64", "[1]",
                R"("Max": 5.0, "Min": 5.0, "Mean": 5.0, "Norm": null)"),
       "skipped"},
  };
  for (const auto& c : kRows) {
    const TempTree tree;
    tree.Write("golden/Torch.x.0.forward.input.0.npy", c.npy);
    tree.Write("target/dump.json", c.json);
    const Comparison run =
        MustCompare(Options(tree / "golden", tree / "target"));
    ASSERT_EQ(run.rows.size(), 1u) << c.json;
    EXPECT_EQ(Name(run.rows[0].verdict), c.verdict) << run.rows[0].why;
  }
}

// Statistics of an Ascend device; the last three cells count NaN, -Inf, Inf.
TEST(SummaryRows, TablesOfADevice) {
  const std::string head =
      "Input/Output,Index,Data Size,Data Type,Format,Shape,Max Value,Min "
      "Value,Avg Value,Count,Nan Count,Negative Inf Count,Positive Inf Count\n";
  const struct {
    std::string golden, target, verdict, why;
  } kRows[] = {
      {"DT_STRING,ND,5,,,,,,,", "DT_STRING,ND,5,,,,,,,", "skipped",
       "no statistic is known on both sides"},
      {"DT_FLOAT,ND,6,2,-1,0.5,6,0,0,0", "DT_FLOAT,ND,6,2,-1,0.5,6,0,0,0",
       "pass", "agree within rounding"},
      {"DT_FLOAT,ND,6,2,-1,0.5,6,0,1,0", "DT_FLOAT,ND,6,2,-1,0.5,6,0,0,1",
       "fail", "only target has Inf"},
      {"DT_FLOAT,ND,6,2,-1,0.5,6,0,2,1", "DT_FLOAT,ND,6,2,-1,0.5,6,0,0,3",
       "fail", "only golden has -Inf"},
  };
  const std::string file = "/Add.a.1.2.1700000000000001.csv";
  for (const auto& c : kRows) {
    const TempTree tree;
    tree.Write("golden" + file, head + "Output,0,24," + c.golden + "\n");
    tree.Write("target" + file, head + "Output,0,24," + c.target + "\n");
    const Comparison run =
        MustCompare(Options(tree / "golden", tree / "target"));
    ASSERT_EQ(run.rows.size(), 1u) << c.golden;
    EXPECT_EQ(Name(run.rows[0].verdict), c.verdict) << run.rows[0].why;
    EXPECT_NE(run.rows[0].why.find(c.why), std::string::npos)
        << run.rows[0].why;
    EXPECT_EQ(run.rows[0].evidence, "summary");
  }
}

}  // namespace
}  // namespace assay
