#include "legacy/msaccucmp_align.h"

#include <fmt/format.h>

#include <algorithm>

#include "legacy/old_layout.h"
#include "legacy/python_text.h"
#include "pairing/rule_sets.h"
#include "pipeline/align.h"

namespace assay {
namespace {

uint64_t CountOf(const Shape& shape) { return ElementCount(shape).value_or(0); }

Shape Padded(Shape shape, size_t rank) {
  shape.resize(std::max(rank, shape.size()), 1);
  return shape;
}

// Rank 5 is cut as it is; everything smaller as if it had four dimensions.
size_t RankToCut(const Shape& a, const Shape& b) {
  return std::max({size_t{4}, a.size(), b.size()});
}

enum class Fit : uint8_t { kSame, kCut, kTooSmall };

// The first dimension that differs decides.
Fit HowItFits(const Shape& my, const Shape& golden) {
  const size_t rank = RankToCut(my, golden);
  const Shape m = Padded(my, rank), g = Padded(golden, rank);
  const auto long_dims =
      std::ranges::count_if(m, [](int64_t d) { return d != 1; });
  if (CountOf(m) == CountOf(g) && long_dims <= 1) return Fit::kSame;
  const auto [at, other] = std::ranges::mismatch(m, g);
  if (at == m.end()) return Fit::kSame;
  return *at < *other ? Fit::kTooSmall : Fit::kCut;
}

// The first elements of each dimension; false if some dimension has too few.
bool Cut(const Shape& golden, StoredView& view) {
  const size_t rank = RankToCut(view.shape, golden);
  const Shape to = Padded(golden, rank);
  const Shape from = Padded(view.shape, rank);
  for (size_t i = 0; i < rank; ++i) {
    if (from[i] < to[i]) return false;
  }
  if (!view.map) {
    std::vector<int64_t> strides(rank, 1);
    for (size_t i = rank - 1; i-- > 0;) {
      strides[i] = strides[i + 1] * from[i + 1];
    }
    view.map = StridedMap(from, strides, CountOf(from));
  }
  view.map->axes.resize(rank, PlainAxis(1, 0));
  for (size_t i = 0; i < rank; ++i) view.map->axes[i].extent = to[i];
  view.shape = to;
  return true;
}

std::string Mismatch(const OldRow& row, const Shape& my, const Shape& golden) {
  return fmt::format("[{}] The shape does not match ({} vs {}) for {}.", row.op,
                     TupleText(my), TupleText(golden), row.tensor);
}

void Flatten(StoredView& view) {
  if (!view.map) view.shape = {static_cast<int64_t>(CountOf(view.shape))};
}

// The tables have such tensors without any shape.
bool IsFlat(Layout framework, const StoredTensor& my) {
  if (my.shape.empty() || CountOf(my.shape) == 0) return true;
  return framework == Layout::kND && my.layout != Layout::kFractalNZ &&
         my.layout != Layout::kNDC1HWC0;
}

// What the graph says the framework has; a device dump says it itself.
std::optional<Layout> FrameworkLayout(const OldRow& row,
                                      const OldSides& sides) {
  if (IsAscend(sides.golden)) return OldLayoutOf(row.golden->stored);
  if (row.layout.empty()) return OldLayoutOf(row.my->stored);
  return ParseLayout(row.layout);
}

// Both in the framework's layout, as far as the original can do that.
Aligned InLayout(Layout layout, const OldRow& row, const OldSides& sides) {
  if (IsAscend(sides.golden) && layout == OldLayoutOf(row.my->stored)) {
    return {sides.golden.ViewOf(*row.golden), sides.my.ViewOf(*row.my), {}};
  }
  View how;
  how.hints = std::make_shared<const ViewHints>(
      ViewHints{.layout = layout, .logical = row.logical});
  return Align(sides.golden, *row.golden, sides.my, *row.my, how);
}

bool CanConvert(Layout from, Layout to) {
  return from == to || from == Layout::kND || to == Layout::kND ||
         IsOldConversion(from, to);
}

OldAligned AlignByRule(const OldRow& row, const OldSides& sides) {
  const StoredTensor& stored = row.my->stored;
  OldAligned out{.shape = stored.shape};
  const auto framework = FrameworkLayout(row, sides);
  if (!framework) {
    out.reason =
        fmt::format("The format \" {} \" is not supported.", row.layout);
    return out;
  }
  // The original gives no reason for what it cannot convert.
  if (!CanConvert(OldLayoutOf(stored), *framework)) return out;
  Aligned both = InLayout(*framework, row, sides);
  if (IsFlat(*framework, stored) && !IsPacked(stored.layout)) {
    Flatten(both.target);
    Flatten(both.golden);
  }
  const bool cuts = stored.layout != Layout::kND || !both.SameCount();
  const Fit fit = HowItFits(both.target.shape, both.golden.shape);
  const bool too_small =
      cuts && fit != Fit::kSame &&
      (fit == Fit::kTooSmall || !Cut(both.golden.shape, both.target));
  if (too_small || !both.SameCount()) {
    out.reason = Mismatch(row, both.target.shape, both.golden.shape);
    return out;
  }
  out.shape = both.target.shape;
  out.job = MeasureJob{std::move(both.golden), std::move(both.target)};
  return out;
}

OldAligned AlignByName(const OldRow& row, const OldSides& sides) {
  Aligned both = Align(sides.golden, *row.golden, sides.my, *row.my, {});
  OldAligned out{.shape = row.my->stored.shape};
  if (!both.SameCount()) {
    out.reason = Mismatch(row, both.target.shape, both.golden.shape);
    return out;
  }
  out.job = MeasureJob{std::move(both.golden), std::move(both.target)};
  return out;
}

OldAligned AlignStored(const OldRow& row, const OldSides& sides) {
  MeasureJob job{sides.golden.ViewOf(*row.golden), sides.my.ViewOf(*row.my)};
  OldAligned out{.shape = job.target.shape};
  if (job.golden.shape != job.target.shape) {
    out.reason = Mismatch(row, job.target.shape, job.golden.shape);
    return out;
  }
  out.job = std::move(job);
  return out;
}

}  // namespace

OldAligned AlignRow(const OldRow& row, const OldSides& sides,
                    OldAlignment alignment) {
  for (const TensorInfo* t : {row.my, row.golden}) {
    if (!t->error() && HasNumbers(t->stored)) continue;
    return {.shape = row.my->stored.shape,
            .reason = fmt::format(
                "[{}] {}", row.op,
                t->error() ? t->error()->what : "It holds no numbers.")};
  }
  switch (alignment) {
    case OldAlignment::kByRule:
      return AlignByRule(row, sides);
    case OldAlignment::kByName:
      return AlignByName(row, sides);
    case OldAlignment::kSameShape:
    case OldAlignment::kStored:
      break;
  }
  return AlignStored(row, sides);
}

}  // namespace assay
