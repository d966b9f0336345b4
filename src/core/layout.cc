#include "core/layout.h"

#include <array>

namespace assay {
namespace {

constexpr std::string_view kNames[] = {
    "NCHW",
    "NHWC",
    "ND",
    "NC1HWC0",
    "FRACTAL_Z",
    "NC1C0HWPAD",
    "NHWC1C0",
    "FSR_NCHW",
    "FRACTAL_DECONV",
    "C1HWNC0",
    "FRACTAL_DECONV_TRANSPOSE",
    "FRACTAL_DECONV_SP_STRIDE_TRANS",
    "NC1HWC0_C04",
    "FRACTAL_Z_C04",
    "CHWN",
    "FRACTAL_DECONV_SP_STRIDE8_TRANS",
    "HWCN",
    "NC1KHKWHWC0",
    "BN_WEIGHT",
    "FILTER_HWCK",
    "HASHTABLE_LOOKUP_LOOKUPS",
    "HASHTABLE_LOOKUP_KEYS",
    "HASHTABLE_LOOKUP_VALUE",
    "HASHTABLE_LOOKUP_OUTPUT",
    "HASHTABLE_LOOKUP_HITS",
    "C1HWNCoC0",
    "MD",
    "NDHWC",
    "FRACTAL_ZZ",
    "FRACTAL_NZ",
    "NCDHW",
    "DHWCN",
    "NDC1HWC0",
    "FRACTAL_Z_3D",
    "CN",
    "NC",
    "DHWNC",
    "FRACTAL_Z_3D_TRANSPOSE",
    "FRACTAL_ZN_LSTM",
    "FRACTAL_Z_G",
    "RESERVED",
    "ALL",
    "NULL",
    "ND_RNN_BIAS",
    "FRACTAL_ZN_RNN",
    "NYUV",
    "NYUV_A",
    "NCL",
    "FRACTAL_Z_WINO",
    "C1HWC0",
    "FRACTAL_NZ_C0_16",
    "FRACTAL_NZ_C0_32",
};

}  // namespace

std::string_view Name(Layout layout) {
  const auto number = static_cast<size_t>(layout);
  return number < std::size(kNames) ? kNames[number] : "unknown";
}

std::optional<Layout> ParseLayout(std::string_view name) {
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (kNames[i] == name) return static_cast<Layout>(i);
  }
  return std::nullopt;
}

std::string_view Dimensions(Layout layout) {
  using enum Layout;
  switch (layout) {
    case kNCHW:
    case kNHWC:
    case kCHWN:
    case kHWCN:
    case kNCDHW:
    case kNDHWC:
    case kDHWCN:
    case kDHWNC:
      return Name(layout);
    default:
      return {};
  }
}

bool IsPacked(Layout layout) {
  using enum Layout;
  switch (layout) {
    case kNC1HWC0:
    case kNC1HWC0C04:
    case kNDC1HWC0:
    case kFractalNZ:
    case kFractalZ:
    case kFractalZ3D:
    case kC1HWNCoC0:
      return true;
    default:
      return false;
  }
}

}  // namespace assay
