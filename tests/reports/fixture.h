#pragma once

#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "core/comparison.h"
#include "reports/report.h"

namespace assay {

inline Number Signed(int64_t value) {
  return {{.sint = value}, NumberKind::kSigned};
}
inline Number Unsigned(uint64_t value) {
  return {{.uint = value}, NumberKind::kUnsigned};
}

inline std::string TextOf(std::string_view report, const Comparison& c,
                          const ReportOptions& options = {}) {
  return ReportText(*FindReport(report), c, options);
}

inline std::string ContentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct TemporaryFolder {
  const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                     fmt::format("assay_reports_{}", getpid());

  TemporaryFolder() { std::filesystem::create_directories(path); }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
};

// A file that goes away with the test program.
inline std::string TemporaryPath(std::string_view name) {
  static const TemporaryFolder folder;
  return (folder.path / name).string();
}

// One row of a convolution, as the example of the contract has it.
inline Row ConvRow() {
  Row row{.name = "conv1:output:0", .op = "conv1", .type = "Conv2D"};
  row.port = "output";
  row.index = 0;
  row.order = 12;
  row.order_from = "graph";
  row.golden = {{"conv1.0.170.npy", "", "f32", {1, 8, 4, 4}, "NCHW"}};
  row.target = {
      {"Conv2D.conv1.2", "output:0", "f16", {1, 1, 4, 4, 16}, "NC1HWC0"}};
  row.strategy = "ge-fusion";
  row.why_paired = "origin name conv1";
  row.steps = {"target: unpack NC1HWC0 to NCHW", "target: cut C 16 to 8"};
  row.verdict = Verdict::kFail;
  row.cause = Cause::kOrigin;
  row.why = "rel_l2 0.31 is 38x its floor";
  row.floor = Floor{"amplification", "rel_l2", 0.0081, 38.2};
  row.metrics.Set(*FindMetric("count"), Unsigned(128));
  row.metrics.Set(*FindMetric("rel_l2"), Number(0.31));
  row.metrics.Set(*FindMetric("cosine"), Number(0.95));
  row.metrics.Set(*FindMetric("max_abs"), Number(1.2));
  row.worst = {{{0, 3, 1, 2}, Number(1.0), Number(-0.2)}};
  return row;
}

inline Row UnsureRow(const std::string& name, std::optional<double> margin) {
  Row row{.name = name, .op = name, .verdict = Verdict::kUnsure};
  row.why = "above the type floor";
  row.floor = Floor{"type", "rel_l2", 0.001, margin};
  row.metrics.Set(*FindMetric("rel_l2"), Number(0.5));
  row.metrics.Set(*FindMetric("cosine"), Number(-0.0));
  return row;
}

inline Row PlainRow(const std::string& name, Verdict verdict,
                    const std::string& why) {
  return {.name = name, .op = name, .verdict = verdict, .why = why};
}

inline Row ExtremesRow() {
  Row row = PlainRow("i64, \"extremes\"", Verdict::kUnsure, "integers differ");
  row.rank = 0;
  row.step = std::numeric_limits<int64_t>::min();
  row.call = 3;
  row.phase = "backward";
  row.metrics.Set(*FindMetric("count"),
                  Unsigned(std::numeric_limits<uint64_t>::max()));
  row.metrics.Set(*FindMetric("rel_l2"), std::nullopt);
  row.metrics.Set(*FindMetric("max_abs"),
                  Unsigned(9007199254740993));  // 2^53 + 1
  row.metrics.Set(*FindMetric("max_rel"), Number(HUGE_VAL));
  row.metrics.Set(*FindMetric("min_golden"),
                  Signed(std::numeric_limits<int64_t>::min()));
  row.metrics.Set(*FindMetric("mean_golden"), Number(std::nan("")));
  row.metrics.Set(*FindMetric("mean_target"), Number(3.0));
  row.weight = std::make_shared<const LargeWeight>(
      LargeWeight{"w", std::numeric_limits<double>::infinity(), "f16", 65504});
  row.likeness =
      std::make_shared<const Likeness>(Likeness{"transposed", "[1,0]", 0.125});
  row.worst = {{{}, Signed(-9007199254740993), Number(-HUGE_VAL)},
               {{7}, Number(5e-324), Number(1.7976931348623157e308)}};
  return row;
}

inline Row ErrorRow() {
  Row row = PlainRow("bad\xff\xc3(utf8", Verdict::kError, "");
  row.error =
      std::make_shared<const Error>(Corrupt("shape needs 24 bytes, {} left", 0)
                                        .At("target/conv1.npy", 80)
                                        .Of("w")
                                        .Hint("the file looks truncated"));
  return row;
}

// All verdicts, all kinds of numbers, names of all sorts.
inline Comparison Fixture() {
  Comparison c{.verdict = Verdict::kError, .exit = 2, .origins = {"conv1"}};
  c.rows = {PlainRow("in|put`x`\nline", Verdict::kPass, "equal"),
            ConvRow(),
            UnsureRow("=small,\"quoted\"", 2.5),
            UnsureRow("名前/<script>alert(1)</script>", 17.25),
            UnsureRow("none", std::nullopt),
            UnsureRow("not a number", std::nan("")),
            ExtremesRow(),
            PlainRow("zeros", Verdict::kTrivial, "all zero on both sides"),
            PlainRow("left\x1b[31m", Verdict::kSkipped, "strings"),
            ErrorRow()};
  for (size_t i = 0; i < c.rows.size(); ++i) {
    c.rows[i].number = i;
    ++c.counts[static_cast<size_t>(c.rows[i].verdict)];
  }
  c.golden_coverage = {.total = 12, .compared = 9, .unpaired = 2, .error = 1};
  c.target_coverage = {.total = 11, .compared = 9, .skipped = 1, .error = 1};
  c.golden = {"golden/", "plain", ""};
  c.target = {"npu/", "ascend", "g.json"};
  c.noise = SourceLabel{"other/", "plain", ""};
  c.strategy = "ge-fusion";
  c.why_strategy = "g.json names the operators";
  c.unpaired = {{Side::kGolden, "x|y", "x.0.1.npy", "unpaired", "fused away"},
                {Side::kGolden, "@z\xff", "z.npy", "unpaired", ""},
                {Side::kTarget, "new", "", "skipped", "no such\nname"}};
  c.findings = {{"fp16-overflow",
                 1,
                 "conv1:output:0",
                 "3 values overflow",
                 "assay show run.assay conv1",
                 {{"z", "1"}, {"a", "2"}}}};
  c.run = {"assay 0.1.0",
           "2026-01-02T03:04:05Z",
           "avx2",
           1.25,
           2,
           {"assay", "compare", "a b"}};
  return c;
}

}  // namespace assay
