#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay {

// How the dimensions of a tensor stand in memory. The numbers are those of
// Ascend dump files.
enum class Layout : uint8_t {
  kNCHW = 0,
  kNHWC = 1,
  kND = 2,  // as the shape says, whatever the dimensions mean
  kNC1HWC0 = 3,
  kFractalZ = 4,
  kC1HWNC0 = 9,
  kNC1HWC0C04 = 12,
  kFractalZC04 = 13,
  kCHWN = 14,
  kHWCN = 16,
  kC1HWNCoC0 = 25,
  kNDHWC = 27,
  kFractalZZ = 28,
  kFractalNZ = 29,
  kNCDHW = 30,
  kDHWCN = 31,
  kNDC1HWC0 = 32,
  kFractalZ3D = 33,
  kCN = 34,
  kNC = 35,
  kDHWNC = 36,
  kFractalZ3DTranspose = 37,
  kFractalZnLstm = 38,
  kFractalZG = 39,
  kReserved = 40,
  kNCL = 47,
};

// The name of any number of the dump files' table: "FRACTAL_NZ", "NYUV";
// "unknown" for one it does not have.
std::string_view Name(Layout layout);
std::optional<Layout> ParseLayout(std::string_view name);

// One letter per dimension ("NCHW") for layouts that frameworks use; empty for
// kND and for those of a device.
std::string_view Dimensions(Layout layout);

// Device layouts that can be unpacked to the framework's.
bool IsPacked(Layout layout);

}  // namespace assay
