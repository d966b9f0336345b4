#include "legacy/old_layout.h"

#include <algorithm>

namespace assay {
namespace {

struct Conversion {
  Layout from, to;
};
constexpr Conversion kConversions[] = {
    {Layout::kNC1HWC0, Layout::kNCHW},   {Layout::kNC1HWC0, Layout::kNHWC},
    {Layout::kNC1HWC0, Layout::kHWCN},   {Layout::kFractalNZ, Layout::kNCHW},
    {Layout::kFractalNZ, Layout::kNHWC}, {Layout::kFractalNZ, Layout::kND},
    {Layout::kFractalZ, Layout::kNCHW},  {Layout::kFractalZ, Layout::kHWCN},
    {Layout::kNDC1HWC0, Layout::kND},    {Layout::kNDC1HWC0, Layout::kNCDHW},
    {Layout::kNCHW, Layout::kNHWC},      {Layout::kNCHW, Layout::kFractalZ},
    {Layout::kNHWC, Layout::kNCHW},      {Layout::kNHWC, Layout::kHWCN},
    {Layout::kNHWC, Layout::kFractalZ},  {Layout::kHWCN, Layout::kNCHW},
    {Layout::kHWCN, Layout::kNHWC},      {Layout::kHWCN, Layout::kFractalZ},
};

}  // namespace

bool IsOldConversion(Layout from, Layout to) {
  return std::ranges::any_of(kConversions, [&](const Conversion& c) {
    return c.from == from && c.to == to;
  });
}

Layout OldLayoutOf(const StoredTensor& tensor) {
  const bool host4 = tensor.layout == Layout::kNCHW ||
                     tensor.layout == Layout::kNHWC ||
                     tensor.layout == Layout::kHWCN;
  return host4 && tensor.shape.size() != 4 ? Layout::kND : tensor.layout;
}

}  // namespace assay
