#include "legacy/msaccucmp_align.h"

#include <fmt/format.h>

#include <algorithm>

#include "legacy/old_conversion.h"
#include "legacy/old_layout.h"
#include "pairing/rule_sets.h"

namespace assay {
namespace {

// All dimensions are one, or look like that when they are added up.
bool IsScalar(const Shape& shape) {
  int64_t sum = 0;
  for (const int64_t dim : shape) sum += dim;
  return sum == static_cast<int64_t>(shape.size());
}

// The framework's shape: the dump knows it better than the graph, but is not
// asked for details.
Shape LogicalShape(const OldRow& row, const OldSides& sides, bool detail) {
  const auto& original = row.my->stored.original;
  if (!detail && original && !original->empty()) return *original;
  if (IsAscend(sides.golden)) return row.golden->stored.shape;
  return row.logical.value_or(Shape{});
}

// Graphs say NHWC of a tensor that is NCHW, and the other way round.
Layout Corrected(Layout layout, const Shape& logical, const Shape& golden) {
  if (logical.size() != 4 || golden.size() != 4 || logical == golden) {
    return layout;
  }
  const Shape &g = golden, &s = logical;
  if (layout == Layout::kNHWC && s == Shape{g[0], g[2], g[3], g[1]}) {
    return Layout::kNCHW;
  }
  if (layout == Layout::kNCHW && s == Shape{g[0], g[3], g[1], g[2]}) {
    return Layout::kNHWC;
  }
  return layout;
}

// What the graph says the framework has; a device dump says it itself.
OldResult<Layout> FrameworkLayout(const OldRow& row, const OldSides& sides,
                                  const Shape& logical) {
  if (IsAscend(sides.golden)) return row.golden->stored.layout;
  if (row.layout.empty()) return row.my->stored.layout;
  const auto layout = ParseLayout(row.layout);
  if (!layout) {
    return Failure(OldCode::kFormat, "The format \" {} \" is not supported.",
                   row.layout);
  }
  return Corrected(*layout, logical, row.golden->stored.shape);
}

// What my side and golden's are turned into.
struct Goal {
  Layout my, golden;
};

Goal GoalOf(Layout my, Layout framework, bool detail) {
  if (!detail || my == Layout::kFractalZ) return {framework, framework};
  if (HasDepth(my)) return {Layout::kNCDHW, Layout::kNCDHW};
  return {Layout::kNCHW, Layout::kNCHW};
}

// Tensors that stay the list of values they are stored as.
bool StaysFlat(const StoredTensor& my, Layout goal) {
  const bool packed =
      my.layout == Layout::kFractalNZ || my.layout == Layout::kNDC1HWC0;
  return (goal == Layout::kND && !packed) || IsScalar(my.shape);
}

struct Both {
  OldShaped my, golden;
};

OldResult<Both> Converted(const OldRow& row, const OldSides& sides,
                          bool detail) {
  const StoredTensor& my = row.my->stored;
  const Shape logical = LogicalShape(row, sides, detail);
  const auto framework = FrameworkLayout(row, sides, logical);
  if (!framework) return framework.error();
  const Goal goal = GoalOf(my.layout, *framework, detail);
  Both both{OldShaped::Whole(sides.my.ViewOf(*row.my)),
            OldShaped::Whole(sides.golden.ViewOf(*row.golden))};
  if (StaysFlat(my, goal.my)) {
    both.my.Flatten();
    both.golden.Flatten();
    return both;
  }
  auto m = ConvertShape(std::move(both.my), {.from = my.layout,
                                             .to = goal.my,
                                             .wanted = logical,
                                             .groups = my.groups,
                                             .copies = sides.copies});
  if (!m) return m.error();
  const Shape golden = both.golden.shape;
  auto g = ConvertShape(std::move(both.golden), {.from = *framework,
                                                 .to = goal.golden,
                                                 .wanted = golden,
                                                 .copies = sides.copies});
  if (!g) return g.error();
  return Both{*std::move(m), *std::move(g)};
}

OldResult<OldAligned> AlignByRule(const OldRow& row, const OldSides& sides,
                                  bool detail) {
  auto both = Converted(row, sides, detail);
  if (!both) {
    OldFailure failure = both.error();
    if (failure.code == OldCode::kNzData) {
      failure.text = fmt::format("[{}] {}", row.op, failure.text);
    }
    return failure;
  }
  const StoredTensor& my = row.my->stored;
  const bool sizes_differ = both->my.count() != both->golden.count();
  if (my.layout != Layout::kND || (sizes_differ && !IsScalar(my.shape))) {
    auto cut = CutLike(both->golden.shape, row.op, std::move(both->my));
    if (!cut) return cut.error();
    both->my = *std::move(cut);
  }
  if (both->my.count() != both->golden.count()) {
    return ShapesDiffer(row.op, fmt::format("({})", both->my.count()),
                        fmt::format("({})", both->golden.count()));
  }
  OldAligned out{.job = {}, .shape = both->my.shape};
  out.job = {std::move(both->golden).Finished(),
             std::move(both->my).Finished()};
  return out;
}

// Without padding: in NCHW if it had four dimensions, flat with two or three.
StoredView Restored(const Dump& dump, const TensorInfo& tensor) {
  const StoredTensor& stored = tensor.stored;
  OldShaped array = OldShaped::Whole(dump.ViewOf(tensor));
  const Shape original = stored.original.value_or(Shape{});
  const Layout from = OldLayoutOf(stored);
  Layout to = from;
  if (original.size() == 4) to = Layout::kNCHW;
  if (original.size() == 2 || original.size() == 3) to = Layout::kND;
  if (from == to) return std::move(array).Finished();
  auto unpacked = Unpack(
      array,
      {.from = from, .to = to, .wanted = original, .groups = stored.groups});
  if (!unpacked) return std::move(array).Finished();
  auto cut = CutLike(original, "", *unpacked);
  return (cut ? *std::move(cut) : *std::move(unpacked)).Finished();
}

std::string Mismatch(const OldRow& row, const Shape& my, const Shape& golden) {
  return fmt::format("[{}] The shape does not match ({} vs {}) for {}.", row.op,
                     ListText(my), ListText(golden), row.tensor);
}

OldResult<OldAligned> AlignByName(const OldRow& row, const OldSides& sides) {
  OldAligned out{
      .job = {Restored(sides.golden, *row.golden), Restored(sides.my, *row.my)},
      .shape = row.my->stored.shape};
  const MeasureJob& job = out.job;
  if (ElementCount(job.golden.shape) != ElementCount(job.target.shape)) {
    return OldFailure{OldCode::kShape,
                      Mismatch(row, job.target.shape, job.golden.shape)};
  }
  return out;
}

OldResult<OldAligned> AlignStored(const OldRow& row, const OldSides& sides,
                                  bool device) {
  OldAligned out{
      .job = {sides.golden.ViewOf(*row.golden), sides.my.ViewOf(*row.my)},
      .shape = row.my->stored.shape};
  const Shape &my = out.job.target.shape, &golden = out.job.golden.shape;
  if (my == golden) return out;
  if (!device) return ShapesDiffer(row.op, ListText(my), ListText(golden));
  return OldFailure{OldCode::kDumpData, Mismatch(row, my, golden)};
}

}  // namespace

OldResult<OldAligned> AlignRow(const OldRow& row, const OldSides& sides,
                               OldAlignment alignment) {
  const ErrorRef& damage = row.golden->error();
  if (damage && damage->code != ErrorCode::kUnsupported) {
    LogError(fmt::format("[{}] {}", row.op, damage->what));
    return OldFailure{OldCode::kDumpData,
                      WhyBroken(sides.golden.PathOf(*row.golden))};
  }
  for (const TensorInfo* t : {row.my, row.golden}) {
    if (!t->error() && HasNumbers(t->stored)) continue;
    return Failure(OldCode::kDumpData, "[{}] {}", row.op,
                   t->error() ? t->error()->what : "It holds no numbers.");
  }
  switch (alignment) {
    case OldAlignment::kByRule:
    case OldAlignment::kDetail:
      return AlignByRule(row, sides, alignment == OldAlignment::kDetail);
    case OldAlignment::kByName:
      return AlignByName(row, sides);
    case OldAlignment::kSameShape:
    case OldAlignment::kStored:
      break;
  }
  return AlignStored(row, sides, alignment == OldAlignment::kStored);
}

}  // namespace assay
