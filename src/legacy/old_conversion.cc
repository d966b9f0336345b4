#include "legacy/old_conversion.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "legacy/converted_copies.h"
#include "legacy/old_layout.h"

namespace assay {
namespace {

uint64_t Count(const Shape& shape) { return ElementCount(shape).value_or(0); }

// The original gives no reason for what its conversions cannot do.
OldFailure CannotConvert(OldCode code) { return {code, ""}; }

int64_t Product(Shape::const_iterator begin, Shape::const_iterator end) {
  return static_cast<int64_t>(Count(Shape(begin, end)));
}

// How many of `extent` a slice [:wanted - extent] of Python leaves.
int64_t Kept(int64_t extent, int64_t wanted) {
  if (wanted == extent) return extent;
  return wanted < extent ? wanted : std::min(extent, wanted - extent);
}

// The source in the form whose dimensions the unpacking counts; empty: the
// shapes do not go together.
Shape SourceShape(const Shape& from, const OldConversion& how) {
  const Shape& to = how.wanted;
  const size_t rank = from.size();
  if (how.from == Layout::kFractalNZ) {
    if (rank < 4 || to.empty()) return {};
    const int64_t batch = to.size() < 3 ? 1 : Product(to.begin(), to.end() - 2);
    Shape shape = {batch};
    shape.insert(shape.end(), from.end() - 4, from.end());
    return shape;
  }
  if (how.from == Layout::kFractalZ) {
    if (rank < 4 || to.size() < 4) return {};
    const size_t h = how.to == Layout::kNCHW ? 2 : 0;
    if (to[h] * to[h + 1] == 0) return {};
    return {from[0] / (to[h] * to[h + 1]),
            to[h],
            to[h + 1],
            from[1],
            from[2],
            from[3]};
  }
  return from;
}

// The dimensions of a view as the words of an unpacking name them.
std::vector<MapAxis> AxesOf(std::string_view words,
                            const std::vector<MapAxis>& from) {
  std::vector<MapAxis> axes;
  for (const std::string_view word : Split(words, ' ')) {
    const MapAxis& outer = from[static_cast<size_t>(word[0] - '0')];
    if (word.size() == 1) {
      axes.push_back(outer);
      continue;
    }
    const MapAxis& inner = from[static_cast<size_t>(word[1] - '0')];
    axes.push_back(BlockedAxis(outer.extent * inner.extent,
                               std::max<int64_t>(inner.extent, 1), inner.stride,
                               outer.stride));
  }
  return axes;
}

// Padding that the conversion itself takes away.
OldStatus CutPadding(const OldConversion& how, std::vector<MapAxis>& axes) {
  const Shape& to = how.wanted;
  const auto cut = [&](size_t axis, int64_t wanted) {
    axes[axis].extent = Kept(axes[axis].extent, wanted);
  };
  if (how.from == Layout::kNDC1HWC0) {
    if (how.to == Layout::kND && to.size() != 5) return Done{};
    if (to.size() < 2) return CannotConvert(OldCode::kConversion);
    cut(1, to[1]);
  } else if (how.from == Layout::kFractalNZ) {
    cut(1, to.size() < 2 ? 1 : to[to.size() - 2]);
    cut(2, to.back());
    if (to.size() < 3) axes.erase(axes.begin());
  } else if (how.from == Layout::kFractalZ) {
    const bool first = how.to == Layout::kNCHW;
    cut(first ? 0 : 3, to[first ? 0 : 3]);
    cut(first ? 1 : 2, to[first ? 1 : 2]);
  }
  return Done{};
}

size_t RankOf(std::string_view words) {
  return static_cast<size_t>(
      std::ranges::count_if(words, [](char c) { return c != ' '; }));
}

// What FRACTAL_NZ is, without its blocks.
OldStatus CheckBlocks(const Shape& from, const Shape& wanted) {
  constexpr int64_t kBlock = 16;  // of every type: so the original
  if (wanted.empty()) {
    return Failure(OldCode::kNzData,
                   "The format before transfer is FRACTAL_NZ. Please enter a "
                   "valid shape.");
  }
  if (from.size() < 4) return CannotConvert(OldCode::kNzData);
  Shape whole(from.begin(), from.end() - 4);
  const auto last = from.end();
  whole.push_back(last[-2] * last[-3]);
  whole.push_back(last[-1] * last[-4]);
  const auto fits = [&](size_t back) {
    const int64_t size = whole[whole.size() - back];
    const int64_t want = wanted[wanted.size() - back];
    return want <= size && want > size - kBlock;
  };
  const bool blocks = wanted.size() == whole.size() && fits(1) && fits(2);
  if (blocks && std::equal(wanted.begin(), wanted.end() - 2, whole.begin())) {
    return Done{};
  }
  return Failure(OldCode::kNzData,
                 "The target shape {} is invalid{} recommended shape is {}.",
                 ListText(wanted), blocks ? ", the" : ". The", ListText(whole));
}

bool NeedsNoConversion(const OldShaped& array, const OldConversion& how) {
  const Layout from = how.from;
  const bool host =
      from == Layout::kNCHW || from == Layout::kNHWC || from == Layout::kHWCN;
  if (from == Layout::kND || from == how.to) return true;
  if (host && array.shape.size() != 4) return true;
  const Shape &s = array.shape, &to = how.wanted;
  if (from != Layout::kFractalNZ || how.to != Layout::kND || to.size() < 3 ||
      s.size() < 4) {
    return false;
  }
  const int64_t expected =
      Product(to.begin(), to.end() - 2) * Product(s.end() - 4, s.end());
  return static_cast<int64_t>(array.count()) != expected;
}

// A tensor of fewer dimensions is taken as it is, or not at all.
OldStatus CheckWithoutOnes(const Shape& my, const Shape& golden,
                           const std::string& op) {
  const Shape m = WithoutOnes(my), g = WithoutOnes(golden);
  if (m == g) return Done{};
  return ShapesDiffer(op, ListText(m.empty() ? my : m),
                      ListText(g.empty() ? golden : g));
}

}  // namespace

OldShaped OldShaped::Whole(StoredView view) {
  Shape shape = view.shape;
  return {std::move(view), std::move(shape)};
}

void OldShaped::Flatten() {
  if (count() > 0) shape = {static_cast<int64_t>(count())};
}

StoredView OldShaped::Finished() && {
  if (!view.map) view.shape = std::move(shape);
  return std::move(view);
}

OldResult<OldShaped> ConvertShape(OldShaped array, const OldConversion& how) {
  if (NeedsNoConversion(array, how)) return array;
  if (how.from == Layout::kFractalNZ) {
    if (auto fits = CheckBlocks(array.shape, how.wanted); !fits) {
      return fits.error();
    }
  }
  if (how.copies != nullptr && how.copies->Makes(how.from, how.to)) {
    auto copy = how.copies->Make(array, how);
    if (copy) return copy;
    LogError(copy.error().text);
    return CannotConvert(copy.error().code);
  }
  return Unpack(std::move(array), how);
}

OldResult<OldShaped> Unpack(OldShaped array, const OldConversion& how) {
  const auto words = OldUnpacking(how.from, how.to);
  if (!words) return CannotConvert(OldCode::kFormat);
  const Shape source = SourceShape(array.shape, how);
  if (how.groups > 1 || source.size() != RankOf(*words) ||
      Count(source) != array.count() ||
      (array.view.map && source != array.view.shape)) {
    return CannotConvert(OldCode::kConversion);
  }
  ElementMap map = array.view.map ? *array.view.map : RowMajorMap(source);
  map.axes = AxesOf(*words, map.axes);
  if (auto cut = CutPadding(how, map.axes); !cut) return cut.error();
  array.shape = array.view.shape = map.shape();
  array.view.map = std::move(map);
  return array;
}

OldResult<OldShaped> CutLike(const Shape& other, const std::string& op,
                             OldShaped array) {
  constexpr size_t kLeast = 4, kMost = 5;  // dimensions that it cuts
  if (array.shape.size() < other.size()) {
    if (auto same = CheckWithoutOnes(array.shape, other, op); !same) {
      return same.error();
    }
    return array;
  }
  const Shape from = Padded(array.shape, kLeast);
  const Shape to = Padded(other, from.size());
  const auto ones = std::ranges::count(array.shape, 1);
  if (Count(from) == Count(to) &&
      ones + 1 >= static_cast<int64_t>(array.shape.size())) {
    return array;
  }
  const auto [at, wanted] = std::ranges::mismatch(from, to);
  if (at == from.end()) return array;
  if (*at < *wanted) return ShapesDiffer(op, ListText(from), ListText(to));
  array.shape = from;
  if (from.size() > kMost) return array;
  ElementMap map = array.view.map ? *array.view.map : RowMajorMap(from);
  map.axes.resize(from.size(), PlainAxis(1, 0));
  for (size_t i = 0; i < from.size(); ++i) {
    map.axes[i].extent = std::min(from[i], to[i]);
  }
  array.shape = array.view.shape = map.shape();
  array.view.map = std::move(map);
  return array;
}

OldFailure ShapesDiffer(const std::string& op, const std::string& my,
                        const std::string& golden) {
  return Failure(
      OldCode::kShape,
      "[{}] Due to the different shapes on the left and right,the left dump "
      "data{} can not be compared to the right dump data{}. Please check the "
      "batch of the dump data or the shape may be changed due to optimization.",
      op, my, golden);
}

std::string ListText(const Shape& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

}  // namespace assay
