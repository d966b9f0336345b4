#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "legacy/msaccucmp_log.h"
#include "legacy/old_operators.h"
#include "pairing/fusion_rule.h"

namespace assay {

// A line of msaccucmp's table before any value is read. Texts that are empty
// are printed as NaN.
struct OldRow {
  uint32_t index = 0;    // of the group of operators
  int64_t sequence = 0;  // when the operator ran
  std::string type, my_ops, golden_ops;
  std::string op, tensor;  // "conv1", "conv1:output:0"
  const TensorInfo* my = nullptr;
  const TensorInfo* golden = nullptr;
  // The framework's layout, as the graph words it, and its shape.
  std::string layout;
  std::optional<Shape> logical;
  std::string reason;           // why there is nothing to compare
  OldCode code = OldCode::kOk;  // what that is called
  std::string copy_of;  // the tensor whose cells it shows, if that has a row
};

struct OldRows {
  std::vector<OldRow> rows;
  OldCode code = OldCode::kOk;  // the first thing that is wrong
  bool matched = false;         // some operator has data on both sides

  void Say(OldCode what) {
    if (code == OldCode::kOk) code = what;
  }
  // What the command ends with.
  OldCode Outcome() const { return matched ? code : OldCode::kNoDump; }
};

struct RulePlan {
  const FusionRule& rule;
  const OldOperators &my, &golden;
  bool unfused = false;       // golden is the build without fusion
  bool quantised = false;     // my side is a framework's, without a graph
  bool every_member = false;  // of groups, whatever it is (-map)
  // The groups that -r or -s ask for; nothing: all.
  std::optional<std::set<uint32_t>> wanted;
};

// The rows of a graph, group after group.
OldRows RowsByRule(const RulePlan& plan);

// The row of one tensor, also if the table has none.
OldRow RowOfTensor(const RulePlan& plan, const RuleOp& op, const TensorInfo& t);

// Inside a fusion of several operators: nothing of the framework's is in it.
bool IsInner(const RuleOp& op);

// The rows of two device dumps, by the names of the operators.
OldRows RowsByName(const OldOperators& my, const OldOperators& golden);

// A dump that the original gives up: its header or its values are damaged.
bool IsBroken(std::span<const TensorInfo* const> tensors);
// What is said of a damaged file; nothing, unless it is empty.
std::string WhyBroken(const std::string& path);

// "There is no the ground truth dump file for conv1:input:0." with the
// operator before it.
std::string NoGolden(const OldRow& row);
std::string NoDump(const std::string& op, const std::string& type);

}  // namespace assay
