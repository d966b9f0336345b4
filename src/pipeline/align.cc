#include "pipeline/align.h"

#include <fmt/format.h>

#include "core/unpack.h"
#include "core/view.h"

namespace assay {
namespace {

uint64_t Count(const StoredView& view) {
  return ElementCount(view.shape).value_or(0);
}

void AddSteps(std::string_view side, const Seen& seen,
              std::vector<std::string>& out) {
  for (const std::string& step : seen.steps) {
    out.push_back(fmt::format("{}: {}", side, step));
  }
}

// Same count, different shape: compared flat, and said.
void NoteFlattening(Aligned& out) {
  if (out.golden.shape == out.target.shape || !out.SameCount()) return;
  const ViewStep step = {.shape = {static_cast<int64_t>(Count(out.golden))}};
  if (out.golden.shape.size() != 1) {
    out.steps.push_back("golden: " + step.Text());
  }
  if (out.target.shape.size() != 1) {
    out.steps.push_back("target: " + step.Text());
  }
}

}  // namespace

bool Aligned::SameCount() const { return Count(golden) == Count(target); }

Seen SeePlain(const Dump& dump, const TensorInfo& tensor) {
  Seen seen{dump.ViewOf(tensor), {}};
  if (tensor.join) {
    seen.steps.push_back(fmt::format("join {} slices along dimension {}",
                                     tensor.join->parts.size(),
                                     tensor.join->axis));
  }
  if (!IsPacked(tensor.stored.layout)) return seen;
  auto unpacked = Unpack(tensor.stored, std::nullopt, std::nullopt);
  if (!unpacked) {
    seen.steps.push_back(fmt::format(
        "kept in {}: {}", Name(tensor.stored.layout), unpacked.error().what));
    return seen;
  }
  seen.view.map = std::move(unpacked->map);
  seen.view.shape = std::move(unpacked->shape);
  for (std::string& step : unpacked->steps) {
    seen.steps.push_back(std::move(step));
  }
  return seen;
}

Aligned Align(const Dump& golden, const TensorInfo& g, const Dump& target,
              const TensorInfo& t) {
  Seen a = SeePlain(golden, g), b = SeePlain(target, t);
  if (Count(a.view) != Count(b.view)) {
    // Perhaps one side was saved in the device's own layout.
    Seen raw_a{golden.ViewOf(g), {}}, raw_b{target.ViewOf(t), {}};
    if (Count(raw_a.view) == Count(raw_b.view)) {
      a = std::move(raw_a);
      b = std::move(raw_b);
    }
  }
  Aligned out{std::move(a.view), std::move(b.view), {}};
  AddSteps("golden", a, out.steps);
  AddSteps("target", b, out.steps);
  NoteFlattening(out);
  return out;
}

}  // namespace assay
