#include "legacy/old_layout.h"

#include <algorithm>
#include <iterator>

namespace assay {
namespace {

struct Conversion {
  Layout from, to;
  std::string_view unpacking;  // empty: it packs
};

// The sources of the two fractal layouts are taken as (B, W1, H1, H0, W0) and
// (C1, H, W, N1, N0, C0).
constexpr Conversion kConversions[] = {
    {Layout::kNC1HWC0, Layout::kNCHW, "0 14 2 3"},
    {Layout::kNC1HWC0, Layout::kNHWC, "0 2 3 14"},
    {Layout::kNC1HWC0, Layout::kHWCN, "2 3 14 0"},
    {Layout::kNDC1HWC0, Layout::kND, "0 25 1 3 4"},
    {Layout::kNDC1HWC0, Layout::kNCDHW, "0 25 1 3 4"},
    {Layout::kFractalNZ, Layout::kNCHW, "0 23 14"},
    {Layout::kFractalNZ, Layout::kNHWC, "0 23 14"},
    {Layout::kFractalNZ, Layout::kND, "0 23 14"},
    {Layout::kFractalZ, Layout::kNCHW, "34 05 1 2"},
    {Layout::kFractalZ, Layout::kHWCN, "1 2 05 34"},
    {Layout::kNCHW, Layout::kNHWC, "0 2 3 1"},
    {Layout::kNHWC, Layout::kNCHW, "0 3 1 2"},
    {Layout::kNHWC, Layout::kHWCN, "1 2 3 0"},
    {Layout::kHWCN, Layout::kNCHW, "3 2 0 1"},
    {Layout::kHWCN, Layout::kNHWC, "3 0 1 2"},
    {Layout::kNCHW, Layout::kFractalZ, ""},
    {Layout::kNHWC, Layout::kFractalZ, ""},
    {Layout::kHWCN, Layout::kFractalZ, ""},
};

const Conversion* Find(Layout from, Layout to) {
  const auto found = std::ranges::find_if(kConversions, [&](const auto& c) {
    return c.from == from && c.to == to;
  });
  return found == std::end(kConversions) ? nullptr : &*found;
}

}  // namespace

bool IsOldConversion(Layout from, Layout to) {
  return Find(from, to) != nullptr;
}

std::optional<std::string_view> OldUnpacking(Layout from, Layout to) {
  const Conversion* conversion = Find(from, to);
  if (conversion == nullptr || conversion->unpacking.empty()) {
    return std::nullopt;
  }
  return conversion->unpacking;
}

bool HasDepth(Layout layout) {
  return layout == Layout::kNDHWC || layout == Layout::kNCDHW ||
         layout == Layout::kDHWCN || layout == Layout::kNDC1HWC0;
}

Layout OldLayoutOf(const StoredTensor& tensor) {
  const bool host4 = tensor.layout == Layout::kNCHW ||
                     tensor.layout == Layout::kNHWC ||
                     tensor.layout == Layout::kHWCN;
  return host4 && tensor.shape.size() != 4 ? Layout::kND : tensor.layout;
}

Shape Padded(Shape shape, size_t rank) {
  shape.resize(std::max(rank, shape.size()), 1);
  return shape;
}

Shape WithoutOnes(const Shape& shape) {
  Shape out;
  std::ranges::copy_if(shape, std::back_inserter(out),
                       [](int64_t dim) { return dim != 1; });
  return out;
}

}  // namespace assay
