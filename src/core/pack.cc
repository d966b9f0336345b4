#include "core/pack.h"

#include <algorithm>

#include "core/fractal_z.h"
#include "core/unpack.h"

namespace assay {
namespace {

constexpr int64_t kCube = 16;

int64_t Blocks(int64_t n, int64_t block) { return (n + block - 1) / block; }

int64_t C0Of(DType dtype, Layout to) {
  if (to == Layout::kNC1HWC0C04) return 4;
  if (dtype == DType::kI4) return 64;
  return dtype == DType::kI8 || dtype == DType::kU8 ? 32 : kCube;
}

// Extents by name; 1 for dimensions that the layout does not have.
struct Extents {
  int64_t n = 1, c = 1, d = 1, h = 1, w = 1;
};

Extents ExtentsOf(const Shape& shape, std::string_view letters) {
  Extents out;
  for (size_t k = 0; k < letters.size(); ++k) {
    switch (letters[k]) {
      case 'N':
        out.n = shape[k];
        break;
      case 'C':
        out.c = shape[k];
        break;
      case 'D':
        out.d = shape[k];
        break;
      case 'H':
        out.h = shape[k];
        break;
      default:
        out.w = shape[k];
    }
  }
  return out;
}

Shape PackedNZ(const Shape& shape, int64_t c0) {
  Shape out(shape.begin(), shape.end() - std::min<size_t>(2, shape.size()));
  const int64_t columns = shape.empty() ? 1 : shape.back();
  const int64_t rows = shape.size() < 2 ? 1 : shape[shape.size() - 2];
  out.insert(out.end(), {Blocks(columns, c0), Blocks(rows, kCube), kCube, c0});
  return out;
}

Shape PackedWeights(const Extents& x, int64_t c0, int64_t groups) {
  if (groups <= 1) {
    return {x.d * Blocks(x.c, c0) * x.h * x.w, Blocks(x.n, kCube), kCube, c0};
  }
  const int64_t rows = x.n / groups;
  const int64_t together = GroupsTogether(x.c, rows, c0, groups);
  return {Blocks(groups, together) * Blocks(together * x.c, c0) * x.h * x.w,
          Blocks(together * rows, kCube), kCube, c0};
}

Shape PackedShape(const Extents& x, Layout to, int64_t c0, int64_t groups) {
  using enum Layout;
  const int64_t c1 = Blocks(x.c, c0);
  switch (to) {
    case kNDC1HWC0:
      return {x.n, x.d, c1, x.h, x.w, c0};
    case kC1HWNCoC0:
      return {c1, x.h, x.w, x.n, c0, c0};
    case kFractalZ:
    case kFractalZ3D:
      return PackedWeights(x, c0, groups);
    default:
      return {x.n, c1, x.h, x.w, c0};
  }
}

Status CheckNamed(const Shape& shape, Layout from, Layout to, int32_t groups) {
  const std::string_view letters = Dimensions(from);
  if (letters.size() != shape.size() || letters.empty()) {
    return Usage("{} of a tensor {} needs the names of its dimensions",
                 Name(to), ToText(shape))
        .Hint("a tensor of 4 dimensions is taken as NCHW, of 5 as NCDHW");
  }
  const Extents x = ExtentsOf(shape, letters);
  const bool weights = to == Layout::kFractalZ || to == Layout::kFractalZ3D;
  if (weights && groups > 1 && (x.c == 0 || x.n == 0 || x.n % groups != 0)) {
    return Usage("{} rows cannot be {} groups", x.n, groups);
  }
  return Done{};
}

}  // namespace

Result<Packed> Pack(DType dtype, const Shape& shape, Layout from, Layout to,
                    int32_t groups) {
  if (!IsPacked(to)) {
    return Usage("{} is not a layout that can be packed", Name(to))
        .Hint(
            "NC1HWC0, NC1HWC0_C04, NDC1HWC0, FRACTAL_NZ, FRACTAL_Z, "
            "FRACTAL_Z_3D, C1HWNCoC0");
  }
  Packed out;
  out.tensor.dtype = dtype;
  out.tensor.layout = to;
  out.tensor.original = shape;
  out.tensor.groups = std::max(1, groups);
  const int64_t c0 = C0Of(dtype, to);
  std::optional<Layout> order;
  if (to == Layout::kFractalNZ) {
    out.tensor.shape = PackedNZ(shape, c0);
  } else {
    RETURN_IF_ERROR(CheckNamed(shape, from, to, groups));
    const Extents x = ExtentsOf(shape, Dimensions(from));
    out.tensor.shape = PackedShape(x, to, c0, groups);
    order = from;
  }
  if (!ElementCount(out.tensor.shape)) {
    return TooLarge("{} in {} is too large", ToText(shape), Name(to));
  }
  ASSIGN_OR_RETURN(Unpacked plain, Unpack(out.tensor, order, shape));
  out.map = std::move(plain.map);
  return out;
}

}  // namespace assay
