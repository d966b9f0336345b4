#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/graph.h"
#include "core/quant_grid.h"
#include "core/shape.h"

namespace assay {

// The framework's tensor behind one output of a device operator.
struct RuleTensor {
  std::string origin;  // operator; empty: none
  int32_t index = -1;  // -1: the index that was asked for
  std::string layout;  // of the framework; empty: not known
  std::optional<Shape> shape;
  std::string dtype;  // on the device
};

struct RuleOp {
  std::string name, type;
  int64_t id = 0;
  std::vector<std::pair<std::string, int32_t>> inputs;  // connected data only
  std::vector<RuleTensor> outputs;
  std::vector<std::string> originals;     // {""}: inserted by the compiler
  std::string l1;                         // group of an L1 fusion
  std::shared_ptr<const QuantGrid> grid;  // of a quantisation's outputs
  bool multi_op = false;
  bool handed_in = false;   // into a subgraph by its caller
  bool in_between = false;  // between a quantisation and its end
  bool dropped = false;     // another operator stands for its original
  uint32_t group = 0;

  bool IsInserted() const {
    return originals.size() == 1 && originals[0].empty();
  }
};

// Operators that replace the same originals together.
struct RuleGroup {
  std::string key;
  std::vector<uint32_t> ops;
};

// How one graph came from the framework's: which tensor of the framework each
// tensor of the device holds.
class FusionRule {
 public:
  explicit FusionRule(const Graph& graph);
  FusionRule(FusionRule&&) = default;

  // The operator of a dump, whose names lost their '/' and '.'.
  const RuleOp* FindDumped(std::string_view normalised) const;
  const RuleOp* Find(std::string_view name) const;
  const RuleGroup& GroupOf(const RuleOp& op) const { return groups_[op.group]; }
  const std::vector<RuleOp>& ops() const { return ops_; }

  // The framework's tensor that input or output `index` of `op` holds.
  struct Answer {
    const RuleTensor* tensor = nullptr;
    std::string name;     // operator
    std::string type;     // of the device's operator; not of a subgraph's Data
    int32_t index = 0;    // of its outputs
    std::string through;  // inserted operators that were walked through
    std::string why_not;  // set: there is none
  };
  Answer Output(const RuleOp& op, int32_t index) const;
  Answer Input(const RuleOp& op, int32_t index) const;

  // The device operator that an original became part of; empty if none did.
  std::string_view FusedInto(std::string_view original) const;

  // The framework's model was quantised: originals mean those of `quant`.
  void ThroughQuantisation(const FusionRule& quant);
  // Golden is the same model built without fusion: originals mean operators of
  // `off`.
  void AgainstUnfused(const FusionRule& off);

 private:
  struct Place {
    const RuleOp* op;
    int32_t index;
  };
  // In this order; an operator may stand in it twice.
  void Group(const std::vector<uint32_t>& order, bool by_l1);
  void RepairRenamed(const Graph& graph);
  void MarkInBetween();
  void DropRepeated(const FusionRule& off);
  void IndexNames();
  Answer Walk(Place at) const;
  std::optional<Place> Producer(const RuleOp& op, int32_t input,
                                std::string& why_not) const;
  const std::string* OpMadeOf(const std::string& original) const;

  std::vector<RuleOp> ops_;
  std::vector<RuleGroup> groups_;
  std::unordered_map<std::string_view, uint32_t> by_name_;
  std::unordered_map<std::string, uint32_t> by_dump_name_;
  std::unordered_map<std::string_view, uint32_t> by_original_;
};

}  // namespace assay
