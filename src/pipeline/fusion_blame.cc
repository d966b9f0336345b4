#include "pipeline/fusion_blame.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace assay {
namespace {

bool IsBad(const Row& row) {
  return row.verdict == Verdict::kFail || row.verdict == Verdict::kUnsure;
}

// Values that cannot be compared are as wrong as can be.
double ErrorOf(const Row& row) {
  constexpr double kWorst = 1e30;
  if (row.metrics.Get("nan_target").value_or(0) !=
          row.metrics.Get("nan_golden").value_or(0) ||
      row.metrics.Get("inf_target").value_or(0) !=
          row.metrics.Get("inf_golden").value_or(0)) {
    return kWorst;
  }
  return row.metrics.Get("rel_l2").value_or(IsBad(row) ? kWorst : 0);
}

// The golden tensor that a row is about, which both comparisons share.
std::string GoldenOf(const Row& row) {
  std::string key;
  for (const Operand& operand : row.golden) {
    key += operand.file + '\n' + operand.tensor + '\n';
  }
  return key;
}

using Rows = std::unordered_map<std::string, const Row*>;

// The best row of each golden tensor: one operator may pass it on.
Rows ByGolden(const Comparison& run) {
  Rows rows;
  for (const Row& row : run.rows) {
    if (row.metrics.empty() && !IsBad(row)) continue;
    const auto [at, is_new] = rows.emplace(GoldenOf(row), &row);
    if (!is_new && ErrorOf(row) < ErrorOf(*at->second)) at->second = &row;
  }
  return rows;
}

std::vector<std::string> PassesOf(std::span<const GraphRef> graphs,
                                  const std::string& op) {
  std::vector<std::string> passes;
  for (const GraphRef& graph : graphs) {
    const Operator* found = graph->Find(op);
    if (found == nullptr) continue;
    for (const NameId pass : found->passes) {
      passes.emplace_back(graph->Text(pass));
    }
    break;
  }
  return passes;
}

class Judge {
 public:
  Judge(const Comparison& on, const Comparison& off,
        std::span<const GraphRef> graphs)
      : off_(ByGolden(off)), graphs_(graphs) {
    for (size_t i = 0; i < on.origins.size(); ++i) {
      ranks_.emplace(on.origins[i], i);
    }
  }

  void Add(const Row& row) {
    const auto found = off_.find(GoldenOf(row));
    FusionSuspect::Operator seen{.name = row.op,
                                 .row = row.name,
                                 .verdict = row.verdict,
                                 .on = ErrorOf(row)};
    if (found != off_.end()) {
      seen.off = ErrorOf(*found->second);
      // An error that stays without fusion was not made by it.
      if (IsBad(*found->second) && *seen.off >= seen.on / 2) {
        blame_.cleared.push_back(row.op);
        return;
      }
    }
    const auto passes = PassesOf(graphs_, row.op);
    if (passes.empty()) blame_.not_fused.push_back(row.op);
    for (const std::string& pass : passes) {
      FusionSuspect& suspect = suspects_[pass];
      suspect.pass = pass;
      suspect.operators.push_back(seen);
      suspect.rank = std::min(suspect.rank, RankOf(row.op));
    }
  }

  FusionBlame Take() && {
    CountMade();
    for (auto& [pass, suspect] : suspects_) {
      std::ranges::stable_sort(suspect.operators, std::greater(),
                               &FusionSuspect::Operator::on);
      blame_.suspects.push_back(std::move(suspect));
    }
    std::ranges::stable_sort(blame_.suspects, MoreSuspicious);
    return std::move(blame_);
  }

 private:
  size_t RankOf(const std::string& op) const {
    const auto found = ranks_.find(op);
    return found == ranks_.end() ? FusionSuspect::kNoRank : found->second;
  }

  void CountMade() {
    for (const GraphRef& graph : graphs_) {
      for (const Operator& op : graph->operators) {
        for (const NameId pass : op.passes) {
          const auto found = suspects_.find(std::string(graph->Text(pass)));
          if (found != suspects_.end()) ++found->second.made;
        }
      }
    }
  }

  // A certain failure first; then the operator that the run suspects most, and
  // of its passes the one with the fewest good results.
  static bool MoreSuspicious(const FusionSuspect& a, const FusionSuspect& b) {
    const auto fails = [](const FusionSuspect& s) {
      return std::ranges::any_of(s.operators, [](const auto& op) {
        return op.verdict == Verdict::kFail;
      });
    };
    const auto good = [](const FusionSuspect& s) {
      return s.made - std::min(s.made, s.operators.size());
    };
    if (fails(a) != fails(b)) return fails(a);
    if (a.rank != b.rank) return a.rank < b.rank;
    if (good(a) != good(b)) return good(a) < good(b);
    return a.operators.front().on > b.operators.front().on;
  }

  const Rows off_;
  std::span<const GraphRef> graphs_;
  std::unordered_map<std::string, size_t> ranks_;
  std::map<std::string, FusionSuspect> suspects_;
  FusionBlame blame_;
};

}  // namespace

FusionBlame BlameFusion(const Comparison& on, const Comparison& off,
                        std::span<const GraphRef> graphs) {
  const auto is_origin = [](const Row& row) {
    return IsBad(row) && row.cause == Cause::kOrigin;
  };
  const bool by_origin = std::ranges::any_of(on.rows, is_origin);
  Judge judge(on, off, graphs);
  for (const Row& row : on.rows) {
    if (by_origin ? is_origin(row) : IsBad(row)) judge.Add(row);
  }
  FusionBlame blame = std::move(judge).Take();
  blame.by_origin = by_origin;
  return blame;
}

FusionSwitch SwitchOff(const FusionBlame& blame) {
  FusionSwitch out;
  for (const FusionSuspect& suspect : blame.suspects) {
    const FusionSwitch::Pass off{.name = suspect.pass, .on = false};
    const bool ub = suspect.pass.starts_with("Tbe") ||
                    suspect.pass.find("UB") != std::string::npos;
    if (!ub) out.graph_passes.push_back(off);
    out.ub_passes.push_back(off);
  }
  return out;
}

}  // namespace assay
