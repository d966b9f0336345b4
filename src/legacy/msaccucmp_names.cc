// Two device dumps without a graph. The inputs of an operator are compared all
// or not at all, and so are its outputs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "legacy/msaccucmp_rows.h"
#include "legacy/old_conversion.h"

namespace assay {
namespace {

using Tensors = std::vector<const TensorInfo*>;

Tensors At(Port port, std::span<const TensorInfo* const> all) {
  Tensors out;
  std::ranges::copy_if(all, std::back_inserter(out),
                       [&](const TensorInfo* t) { return t->id.port == port; });
  return out;
}

// Why the inputs or outputs of an operator cannot be compared; empty: they can.
std::string WhyNot(const std::string& op, Port port, const Tensors& my,
                   const Tensors& golden) {
  const std::string_view set = Name(port);
  if (my.empty() && golden.empty()) {
    return fmt::format("[{}] There is no {}. Skip the {}:{}.", op, set, op,
                       set);
  }
  if (my.size() != golden.size()) {
    return fmt::format("[{}] The number of {} does not match ({} vs {}).", op,
                       set, my.size(), golden.size());
  }
  for (size_t i = 0; i < my.size(); ++i) {
    const Shape &m = my[i]->stored.shape, &g = golden[i]->stored.shape;
    if (m == g) continue;
    return fmt::format("[{}] The shape does not match ({} vs {}) for {}:{}:{}.",
                       op, ListText(m), ListText(g), op, set, i);
  }
  return "";
}

class Planner {
 public:
  Planner(const OldOperators& my, const OldOperators& golden)
      : my_(my), golden_(golden) {}

  OldRows Run() {
    for (const std::string& op : my_.names()) {
      golden_.Has(op) ? AddBoth(op) : AddOneSided(op, true);
    }
    for (const std::string& op : golden_.names()) {
      if (!my_.Has(op)) AddOneSided(op, false);
    }
    return std::move(out_);
  }

 private:
  OldRow NewRow(const std::string& op) const {
    return {.index = next_, .my_ops = op, .golden_ops = op, .op = op};
  }

  void AddOneSided(const std::string& op, bool is_my) {
    OldRow row = NewRow(op);
    (is_my ? row.golden_ops : row.my_ops) = "*";
    row.reason =
        fmt::format("[{}] There is no the {} dump file for the op \"{}\".", op,
                    is_my ? "ground truth" : "my output", op);
    out_.rows.push_back(std::move(row));
    out_.Say(OldCode::kNoDump);
    ++next_;
  }

  void AddBroken(const std::string& op, const std::string& path) {
    OldRow row = NewRow(op);
    row.reason = WhyBroken(path);
    out_.rows.push_back(std::move(row));
    out_.Say(OldCode::kDumpData);
    ++next_;
  }

  void AddBoth(const std::string& op) {
    out_.matched = true;
    const auto my = my_.Of(op), golden = golden_.Of(op);
    if (IsBroken(my)) return AddBroken(op, my_.dump().PathOf(*my[0]));
    if (IsBroken(golden)) {
      return AddBroken(op, golden_.dump().PathOf(*golden[0]));
    }
    std::vector<std::string> reasons;
    for (const Port port : {Port::kInput, Port::kOutput}) {
      const Tensors m = At(port, my), g = At(port, golden);
      std::string why = WhyNot(op, port, m, g);
      if (why.empty()) {
        for (size_t i = 0; i < m.size(); ++i) AddPair(op, *m[i], *g[i]);
      } else {
        reasons.push_back(std::move(why));
      }
    }
    if (reasons.size() == 2) {
      OldRow row = NewRow(op);
      row.reason = fmt::format("{}", fmt::join(reasons, ","));
      out_.rows.push_back(std::move(row));
      out_.Say(OldCode::kDumpData);
    }
    ++next_;
  }

  void AddPair(const std::string& op, const TensorInfo& my,
               const TensorInfo& golden) {
    OldRow row = NewRow(op);
    row.type = my_.dump().names[my.id.type];
    row.tensor = fmt::format("{}:{}:{}", op, Name(my.id.port), my.id.index);
    row.my = &my;
    row.golden = &golden;
    out_.rows.push_back(std::move(row));
  }

  const OldOperators &my_, &golden_;
  uint32_t next_ = 0;
  OldRows out_;
};

}  // namespace

OldRows RowsByName(const OldOperators& my, const OldOperators& golden) {
  return Planner(my, golden).Run();
}

}  // namespace assay
