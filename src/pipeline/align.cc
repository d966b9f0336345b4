#include "pipeline/align.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
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

bool IsHost4D(Layout layout) {
  return layout == Layout::kNCHW || layout == Layout::kNHWC;
}

Shape Permuted(const Shape& shape, Layout from) {
  if (from == Layout::kNCHW) return {shape[0], shape[2], shape[3], shape[1]};
  return {shape[0], shape[3], shape[1], shape[2]};
}

// The layout of the golden tensor. Graphs name that of the framework's graph;
// tensors may have been saved in the other order all the same.
struct Wanted {
  Layout layout;
  Shape shape;
};
std::optional<Wanted> WantedBy(const Shape& golden, const TensorInfo& t,
                               const View& how) {
  if (!how.hints || !how.hints->layout) return std::nullopt;
  const Layout layout = *how.hints->layout;
  const auto& logical =
      t.stored.original ? t.stored.original : how.hints->logical;
  if (layout == Layout::kND || !logical ||
      logical->size() != Dimensions(layout).size()) {
    return std::nullopt;
  }
  Wanted wanted{layout, *logical};
  if (IsHost4D(wanted.layout) && golden.size() == 4 && golden != *logical &&
      Permuted(*logical, wanted.layout) == golden) {
    wanted.shape = golden;
    wanted.layout =
        wanted.layout == Layout::kNCHW ? Layout::kNHWC : Layout::kNCHW;
  }
  return wanted;
}

Seen UnpackedView(const Dump& dump, const TensorInfo& t, Unpacked unpacked) {
  Seen seen{dump.ViewOf(t), std::move(unpacked.steps)};
  seen.view.map = std::move(unpacked.map);
  seen.view.shape = std::move(unpacked.shape);
  return seen;
}

// As the graph says the framework has it; as the dump says, where that fails.
Seen SeeAs(const Dump& dump, const TensorInfo& t,
           const std::optional<Wanted>& wanted) {
  const Layout stored = t.stored.layout;
  const bool known = IsPacked(stored) || !Dimensions(stored).empty();
  if (!wanted || !known || stored == wanted->layout) return SeePlain(dump, t);
  if (!IsPacked(stored) && t.stored.shape.size() != wanted->shape.size()) {
    return SeePlain(dump, t);
  }
  auto unpacked = Unpack(t.stored, wanted->layout, wanted->shape);
  if (!unpacked) return SeePlain(dump, t);
  return UnpackedView(dump, t, *std::move(unpacked));
}

// Old dumps do not say what shape was packed: the other side's, if it could
// have become what is stored.
void SeeLike(const Seen& other, const Dump& dump, const TensorInfo& t,
             Seen& seen) {
  if (t.stored.original || t.join || seen.view.shape == other.view.shape) {
    return;
  }
  if (!CouldHavePacked(t.stored, other.view.shape)) return;
  auto unpacked = Unpack(t.stored, std::nullopt, other.view.shape);
  if (!unpacked) return;
  seen = UnpackedView(dump, t, *std::move(unpacked));
  seen.steps.push_back("shape of the other side, for it has none");
}

std::string Words(const QuantGrid& grid, size_t axis) {
  if (grid.PerAxis()) {
    return fmt::format("dequantise, {} scales along dimension {}",
                       grid.scales.size(), axis);
  }
  const auto& [step, zero] = grid.scales.front();
  return fmt::format("dequantise, (x - {}) * {}", RoundedText(zero),
                     RoundedText(step));
}

// Only floats can tell what the integers mean. The largest step of the grid, 0
// if the numbers are not on one.
double Dequantise(const View& how, const Seen& floats, Seen& seen) {
  const auto kind = [](const Seen& s) { return Info(s.view.dtype()).kind; };
  const auto grid = how.hints ? how.hints->grid : nullptr;
  if (!grid || kind(floats) != DKind::kFloat) return 0;
  if (kind(seen) == DKind::kFloat) return grid->LargestStep();
  if (kind(seen) != DKind::kInteger) return 0;
  const auto axis = grid->AxisOf(seen.view.shape);
  if (grid->PerAxis() && !axis) {
    seen.steps.push_back(
        fmt::format("kept as integers: {} scales do not fit {}",
                    grid->scales.size(), ToText(seen.view.shape)));
    return 0;
  }
  seen.view.grid = grid;
  seen.steps.push_back(Words(*grid, axis.value_or(0)));
  return grid->LargestStep();
}

// How often `small` has to be repeated along its first dimension to be like
// `large`; 0 if that is not all the difference.
int64_t RepeatsOf(const Shape& small, const Shape& large) {
  if (small.empty() || small.size() != large.size()) return 0;
  if (!std::equal(small.begin() + 1, small.end(), large.begin() + 1)) return 0;
  return small[0] > 0 && large[0] % small[0] == 0 ? large[0] / small[0] : 0;
}

void Repeat(int64_t times, Seen& seen) {
  StoredView& view = seen.view;
  if (!view.map) view.map = RowMajorMap(view.shape);
  MapAxis& batch = view.map->axes.front();
  batch = BlockedAxis(batch.extent * times, batch.extent, batch.stride, 0);
  view.shape[0] *= times;
  seen.steps.push_back(fmt::format("repeat the batch {} times", times));
}

// Sides that ran with other batch sizes: the smaller one is repeated.
void RepeatBatch(Seen& a, Seen& b) {
  const auto plain = [](const Seen& seen) {
    if (!seen.view.map) return true;
    const MapAxis& batch = seen.view.map->axes.front();
    return batch.table.empty() && batch.inner >= batch.extent;
  };
  if (const int64_t n = RepeatsOf(a.view.shape, b.view.shape);
      n > 1 && plain(a)) {
    Repeat(n, a);
  } else if (const int64_t m = RepeatsOf(b.view.shape, a.view.shape);
             m > 1 && plain(b)) {
    Repeat(m, b);
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
              const TensorInfo& t, const Pair& pair) {
  const View& how = pair.target;
  Seen a = SeePlain(golden, g);
  Seen b = SeeAs(target, t, WantedBy(a.view.shape, t, how));
  if (how.hints && how.hints->repeat_batch) RepeatBatch(a, b);
  SeeLike(a, target, t, b);
  SeeLike(b, golden, g, a);
  if (Count(a.view) != Count(b.view)) {
    // Perhaps one side was saved in the device's own layout.
    Seen raw_a{golden.ViewOf(g), {}}, raw_b{target.ViewOf(t), {}};
    if (Count(raw_a.view) == Count(raw_b.view)) {
      a = std::move(raw_a);
      b = std::move(raw_b);
    }
  }
  const double step =
      std::max(Dequantise(pair.target, a, b), Dequantise(pair.golden, b, a));
  Aligned out{std::move(a.view), std::move(b.view), step, {}};
  AddSteps("golden", a, out.steps);
  AddSteps("target", b, out.steps);
  NoteFlattening(out);
  return out;
}

}  // namespace assay
