#include "core/layout_axes.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay {
namespace {

Status NeedRank(const StoredTensor& tensor, size_t rank) {
  if (tensor.shape.size() == rank) return Done{};
  return DoesNotFit(tensor, fmt::format("needs {} dimensions", rank));
}

NamedAxes HostAxes(const StoredTensor& tensor, std::string_view letters) {
  NamedAxes axes;
  int64_t stride = 1;
  for (size_t k = letters.size(); k-- > 0;) {
    const int64_t step = tensor.strides.empty() ? stride : tensor.strides[k];
    axes[letters[k]] = PlainAxis(tensor.shape[k], step);
    stride *= tensor.shape[k];
  }
  return axes;
}

// (N,C1,H,W,C0); with `depth` (N,D,C1,H,W,C0).
NamedAxes C0Axes(const Shape& s, bool depth) {
  const size_t at = depth ? 2 : 1;
  const int64_t c1 = s[at], h = s[at + 1], w = s[at + 2], c0 = s[at + 3];
  NamedAxes axes;
  axes['W'] = PlainAxis(w, c0);
  axes['H'] = PlainAxis(h, w * c0);
  axes['C'] = BlockedAxis(c1 * c0, std::max<int64_t>(1, c0), 1, h * w * c0);
  const int64_t block = c1 * h * w * c0;
  if (depth) axes['D'] = PlainAxis(s[1], block);
  axes['N'] = PlainAxis(s[0], depth ? s[1] * block : block);
  return axes;
}

// (C1,H,W,N,Co,C0): channels stand on the diagonal of Co x C0.
NamedAxes DiagonalAxes(const Shape& s) {
  const int64_t cell = s[4] * s[5], cube = std::min(s[4], s[5]);
  NamedAxes axes;
  axes['N'] = PlainAxis(s[3], cell);
  axes['W'] = PlainAxis(s[2], s[3] * cell);
  axes['H'] = PlainAxis(s[1], s[2] * s[3] * cell);
  axes['C'] = BlockedAxis(s[0] * cube, std::max<int64_t>(1, cube), s[5] + 1,
                          s[1] * s[2] * s[3] * cell);
  return axes;
}

// (D*C1*H*W, N1, N0, C0), where only the plain shape knows D, H and W.
Result<NamedAxes> FractalAxes(const StoredTensor& tensor, int64_t d, int64_t h,
                              int64_t w) {
  const Shape& s = tensor.shape;
  const int64_t planes = d * h * w;
  if (planes <= 0 || s[0] % planes != 0) {
    return DoesNotFit(
        tensor, fmt::format("is no multiple of {} weights' planes", planes));
  }
  const int64_t c1 = s[0] / planes, n = s[1] * s[2], c0 = s[3];
  NamedAxes axes;
  axes['N'] = PlainAxis(n, c0);
  axes['W'] = PlainAxis(w, n * c0);
  axes['H'] = PlainAxis(h, w * n * c0);
  axes['C'] = BlockedAxis(c1 * c0, std::max<int64_t>(1, c0), 1, h * w * n * c0);
  axes['D'] = PlainAxis(d, c1 * h * w * n * c0);
  return axes;
}

}  // namespace

Error DoesNotFit(const StoredTensor& tensor, std::string_view why) {
  return Corrupt("{} of shape {} {}", Name(tensor.layout), ToText(tensor.shape),
                 why)
      .Of(tensor.name);
}

int64_t ExtentOf(const Shape& shape, std::string_view letters, char letter) {
  const size_t at = letters.find(letter);
  return at == std::string_view::npos ? 1 : shape[at];
}

Result<NamedAxes> AxesOf(const StoredTensor& tensor, const Shape& shape,
                         std::string_view letters) {
  const std::string_view own = Dimensions(tensor.layout);
  if (!own.empty()) {
    RETURN_IF_ERROR(NeedRank(tensor, own.size()));
    return HostAxes(tensor, own);
  }
  using enum Layout;
  switch (tensor.layout) {
    case kNC1HWC0:
    case kNC1HWC0C04:
      RETURN_IF_ERROR(NeedRank(tensor, 5));
      return C0Axes(tensor.shape, false);
    case kNDC1HWC0:
      RETURN_IF_ERROR(NeedRank(tensor, 6));
      return C0Axes(tensor.shape, true);
    case kC1HWNCoC0:
      RETURN_IF_ERROR(NeedRank(tensor, 6));
      return DiagonalAxes(tensor.shape);
    case kFractalZ:
    case kFractalZ3D:
      RETURN_IF_ERROR(NeedRank(tensor, 4));
      return FractalAxes(tensor, ExtentOf(shape, letters, 'D'),
                         ExtentOf(shape, letters, 'H'),
                         ExtentOf(shape, letters, 'W'));
    default:
      return Unsupported("{} cannot be unpacked", Name(tensor.layout))
          .Of(tensor.name);
  }
}

}  // namespace assay
