#include "core/unpack.h"

#include <algorithm>

#include "core/fractal_z.h"
#include "core/layout_axes.h"

namespace assay {
namespace {

constexpr int64_t kCube = 16;  // rows of a fractal block

bool HasGroups(const StoredTensor& tensor) {
  return tensor.groups > 1 && tensor.layout == Layout::kFractalZ;
}

// Whether a plain shape in this order could have become the stored one: all
// extents are there, and only channels (and rows of weights) were padded.
bool Fits(const StoredTensor& tensor, const Shape& shape, Layout order) {
  const std::string_view letters = Dimensions(order);
  if (letters.size() != shape.size()) return false;
  if (HasGroups(tensor)) return HoldsGroups(tensor, shape, letters);
  const auto axes = AxesOf(tensor, shape, letters);
  if (!axes) return false;
  for (size_t k = 0; k < letters.size(); ++k) {
    const auto axis = axes->find(letters[k]);
    if (axis == axes->end()) return false;
    const int64_t have = axis->second.extent, want = shape[k];
    const bool weights = tensor.layout == Layout::kFractalZ ||
                         tensor.layout == Layout::kFractalZ3D;
    int64_t block = 1;
    if (letters[k] == 'C') block = axis->second.inner;
    if (letters[k] == 'N' && weights) block = kCube;
    if (want > have || want <= have - std::max<int64_t>(1, block)) return false;
  }
  return true;
}

constexpr Layout kOrders[] = {Layout::kNCHW,  Layout::kNHWC,  Layout::kHWCN,
                              Layout::kCHWN,  Layout::kNCDHW, Layout::kNDHWC,
                              Layout::kDHWCN, Layout::kDHWNC};

// The framework's order of dimensions, which the dump does not say.
std::optional<Layout> OriginalOrder(const StoredTensor& tensor,
                                    const Shape& shape) {
  if (!Dimensions(tensor.layout).empty()) return tensor.layout;
  for (const Layout order : kOrders) {
    if (Fits(tensor, shape, order)) return order;
  }
  return std::nullopt;
}

bool FitsNZ(const Shape& stored, const Shape& shape) {
  if (stored.size() < 4 || shape.empty()) return false;
  const size_t batch = stored.size() - 4;
  const bool vector = shape.size() == 1 && batch == 0;  // it is one row
  if (!vector && shape.size() != batch + 2) return false;
  const auto padded = [](int64_t want, int64_t blocks, int64_t block) {
    return want <= blocks * block && want > (blocks - 1) * block;
  };
  const int64_t* const s = &stored[batch];
  return std::equal(stored.begin(), stored.end() - 4, shape.begin()) &&
         padded(vector ? 1 : shape[batch], s[1], s[2]) &&
         padded(shape.back(), s[0], s[3]);
}

Shape Permuted(const Shape& shape, std::string_view from, std::string_view to) {
  Shape out;
  for (const char letter : to) out.push_back(ExtentOf(shape, from, letter));
  return out;
}

Status Cut(const StoredTensor& tensor, std::string_view name, int64_t want,
           MapAxis& axis, std::vector<std::string>& steps) {
  if (want == axis.extent) return Done{};
  if (want > axis.extent || want < 0) {
    return DoesNotFit(
        tensor, fmt::format("has {} {}, not {}", axis.extent, name, want));
  }
  steps.push_back(fmt::format("cut {} {} to {}", name, axis.extent, want));
  axis.extent = want;
  return Done{};
}

// (..., W1, H1, H0, W0) -> (..., H, W).
Result<Unpacked> UnpackNZ(const StoredTensor& tensor,
                          const std::optional<Shape>& shape) {
  const Shape& s = tensor.shape;
  if (s.size() < 4) return DoesNotFit(tensor, "needs 4 dimensions or more");
  const size_t batch = s.size() - 4;
  const int64_t w1 = s[batch], h1 = s[batch + 1], h0 = s[batch + 2],
                w0 = s[batch + 3];
  Unpacked out;
  out.steps.push_back("unpack FRACTAL_NZ");
  int64_t stride = w1 * h1 * h0 * w0;
  for (size_t k = batch; k-- > 0;) {
    out.map.axes.insert(out.map.axes.begin(), PlainAxis(s[k], stride));
    stride *= s[k];
  }
  out.map.axes.push_back(
      BlockedAxis(h1 * h0, std::max<int64_t>(1, h0), w0, h0 * w0));
  out.map.axes.push_back(
      BlockedAxis(w1 * w0, std::max<int64_t>(1, w0), 1, h1 * h0 * w0));
  if (shape && shape->size() == 1) {  // a vector is one row
    RETURN_IF_ERROR(Cut(tensor, "rows", 1, out.map.axes[batch], out.steps));
    RETURN_IF_ERROR(
        Cut(tensor, "columns", (*shape)[0], out.map.axes.back(), out.steps));
    if (out.map.axes.size() == 2) out.map.axes.erase(out.map.axes.begin());
  } else if (shape) {
    if (shape->size() != out.map.axes.size()) {
      return DoesNotFit(tensor,
                        fmt::format("cannot become {}", ToText(*shape)));
    }
    for (size_t k = 0; k < shape->size(); ++k) {
      const std::string name = k == batch       ? "rows"
                               : k == batch + 1 ? "columns"
                                                : fmt::format("dim {}", k);
      RETURN_IF_ERROR(
          Cut(tensor, name, (*shape)[k], out.map.axes[k], out.steps));
    }
  }
  out.shape = out.map.shape();
  return out;
}

Result<Unpacked> UnpackNamed(const StoredTensor& tensor, Layout to,
                             const std::optional<Shape>& shape) {
  const std::string_view letters = Dimensions(to);
  if (shape && shape->size() != letters.size()) {
    return Usage("{} needs {} dimensions, not {}", Name(to), letters.size(),
                 ToText(*shape));
  }
  Unpacked out{.map = {}, .shape = {}, .layout = to, .steps = {}};
  const Shape wanted = shape.value_or(Shape(letters.size(), 1));
  if (!shape && (tensor.layout == Layout::kFractalZ ||
                 tensor.layout == Layout::kFractalZ3D)) {
    return Usage("to unpack {} takes the shape before packing",
                 Name(tensor.layout))
        .Of(tensor.name)
        .Hint("give --shape, in the order of --layout");
  }
  out.steps.push_back(
      fmt::format("{} {} to {}", IsPacked(tensor.layout) ? "unpack" : "permute",
                  Name(tensor.layout), Name(to)));
  if (HasGroups(tensor)) {
    ASSIGN_OR_RETURN(out.map, GroupedWeights(tensor, wanted, letters));
    out.shape = wanted;
    return out;
  }
  ASSIGN_OR_RETURN(NamedAxes axes, AxesOf(tensor, wanted, letters));
  for (size_t k = 0; k < letters.size(); ++k) {
    const auto axis = axes.find(letters[k]);
    if (axis == axes.end()) {
      return Unsupported("{} has no dimension {}: it cannot become {}",
                         Name(tensor.layout), letters[k], Name(to))
          .Of(tensor.name);
    }
    const int64_t want = shape ? wanted[k] : axis->second.extent;
    RETURN_IF_ERROR(
        Cut(tensor, letters.substr(k, 1), want, axis->second, out.steps));
    out.map.axes.push_back(axis->second);
  }
  for (const auto& [letter, axis] : axes) {
    if (letters.find(letter) == std::string_view::npos && axis.extent != 1) {
      return Unsupported("{} has no place for dimension {} of {}", Name(to),
                         letter, Name(tensor.layout))
          .Of(tensor.name);
    }
  }
  out.shape = out.map.shape();
  return out;
}

Unpacked AsStored(const StoredTensor& tensor) {
  Shape strides = tensor.strides;
  if (strides.empty()) {
    strides.resize(tensor.shape.size());
    int64_t stride = 1;
    for (size_t k = strides.size(); k-- > 0; stride *= tensor.shape[k]) {
      strides[k] = stride;
    }
  }
  return {.map = StridedMap(tensor.shape, strides, 0),
          .shape = tensor.shape,
          .layout = tensor.layout,
          .steps = {}};
}

// Without letters: the shape alone says what comes out.
Result<Unpacked> UnpackPlain(const StoredTensor& tensor,
                             const std::optional<Shape>& shape) {
  if (tensor.layout == Layout::kFractalNZ) return UnpackNZ(tensor, shape);
  if (!IsPacked(tensor.layout)) return AsStored(tensor);
  if (!shape) {
    return UnpackNamed(
        tensor,
        tensor.shape.size() == 6 && tensor.layout == Layout::kNDC1HWC0
            ? Layout::kNCDHW
            : Layout::kNCHW,
        shape);
  }
  const auto order = OriginalOrder(tensor, *shape);
  if (!order) {
    return DoesNotFit(tensor, fmt::format("does not fit its original shape {}",
                                          ToText(*shape)));
  }
  return UnpackNamed(tensor, *order, shape);
}

uint64_t StoredElements(const StoredTensor& tensor, const ElementMap& map) {
  if (tensor.strides.empty()) return ElementCount(tensor.shape).value_or(0);
  int64_t last = 0;
  for (const MapAxis& axis : map.axes) {
    if (axis.extent == 0) return 0;
    last += axis.At(axis.extent - 1);
  }
  return static_cast<uint64_t>(last) + 1;
}

Result<Unpacked> UnpackTo(const StoredTensor& tensor, std::optional<Layout> to,
                          const std::optional<Shape>& shape) {
  const bool named = to && !Dimensions(*to).empty();
  if (tensor.layout == Layout::kFractalNZ) {
    ASSIGN_OR_RETURN(Unpacked out,
                     UnpackNZ(tensor, shape ? shape : tensor.original));
    out.layout = to.value_or(Layout::kND);
    return out;
  }
  if (!named) return UnpackPlain(tensor, shape ? shape : tensor.original);
  if (shape) return UnpackNamed(tensor, *to, shape);
  if (!tensor.original) return UnpackNamed(tensor, *to, std::nullopt);
  const auto order = OriginalOrder(tensor, *tensor.original);
  if (!order || tensor.original->size() != Dimensions(*order).size()) {
    return DoesNotFit(tensor, fmt::format("does not fit its original shape {}",
                                          ToText(*tensor.original)));
  }
  return UnpackNamed(
      tensor, *to,
      Permuted(*tensor.original, Dimensions(*order), Dimensions(*to)));
}

}  // namespace

bool CouldHavePacked(const StoredTensor& tensor, const Shape& shape) {
  if (tensor.layout == Layout::kFractalNZ) return FitsNZ(tensor.shape, shape);
  return IsPacked(tensor.layout) && OriginalOrder(tensor, shape).has_value();
}

Result<Unpacked> Unpack(const StoredTensor& tensor, std::optional<Layout> to,
                        const std::optional<Shape>& shape) {
  if (to && IsPacked(*to)) {
    return Unsupported("{} is a device layout; only files are written in it",
                       Name(*to))
        .Hint("--to ascend --layout packs a tensor");
  }
  if (tensor.groups > 1 && tensor.layout == Layout::kFractalZ3D) {
    return Unsupported("where FRACTAL_Z_3D keeps {} groups is not known",
                       tensor.groups)
        .Of(tensor.name);
  }
  ASSIGN_OR_RETURN(Unpacked out, UnpackTo(tensor, to, shape));
  out.map.stored = StoredElements(tensor, out.map);
  return out;
}

}  // namespace assay
