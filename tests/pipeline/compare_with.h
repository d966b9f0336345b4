#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "arrays.h"
#include "pipeline/compare.h"
#include "temp_tree.h"

namespace assay {

inline CompareOptions Options(std::string golden, std::string target) {
  CompareOptions options{.golden = std::move(golden),
                         .target = std::move(target)};
  options.measure.kernels = AvailableKernels().front();
  return options;
}

inline Result<Comparison> TryCompare(const CompareOptions& options) {
  const std::atomic<bool> stop = false;
  return Compare(
      options, [](const std::string&) {}, stop);
}

inline Comparison MustCompare(const CompareOptions& options) {
  auto comparison = TryCompare(options);
  EXPECT_TRUE(comparison) << comparison.error().Text();
  return comparison ? *std::move(comparison) : Comparison();
}

// Two folders of arrays.
class Pair2 {
 public:
  Pair2& Golden(const std::string& name, const std::string& bytes) {
    tree_.Write("golden/" + name, bytes);
    return *this;
  }
  Pair2& Target(const std::string& name, const std::string& bytes) {
    tree_.Write("target/" + name, bytes);
    return *this;
  }
  Pair2& Both(const std::string& name, const std::string& bytes) {
    return Golden(name, bytes).Target(name, bytes);
  }
  CompareOptions options() const {
    return Options(tree_ / "golden", tree_ / "target");
  }
  CompareOptions swapped() const {
    return Options(tree_ / "target", tree_ / "golden");
  }
  Comparison Compared() const { return MustCompare(options()); }
  const TempTree& tree() const { return tree_; }

 private:
  TempTree tree_;
};

inline const Row* FindRow(const Comparison& c, std::string_view name) {
  for (const Row& row : c.rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

inline std::string VerdictOf(const Comparison& c, std::string_view name) {
  const Row* row = FindRow(c, name);
  return row == nullptr ? "no such row" : std::string(Name(row->verdict));
}

// Coverage adds up, counts fit the rows, every row says why.
inline void ExpectConsistent(const Comparison& c) {
  uint64_t counted = 0;
  for (const uint64_t n : c.counts) counted += n;
  ASSERT_EQ(counted, c.rows.size());
  for (const SideCoverage& side : {c.golden_coverage, c.target_coverage}) {
    ASSERT_EQ(side.total,
              side.compared + side.unpaired + side.skipped + side.error);
  }
  for (size_t i = 0; i < c.rows.size(); ++i) {
    const Row& row = c.rows[i];
    ASSERT_EQ(row.number, i);
    ASSERT_NE(row.why, "") << row.name;
    ASSERT_EQ(row.error != nullptr, row.verdict == Verdict::kError);
  }
  for (const UnpairedTensor& u : c.unpaired) ASSERT_NE(u.why, "") << u.name;
}

}  // namespace assay
