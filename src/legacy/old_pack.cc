#include "legacy/old_pack.h"

#include <cstring>

#include "core/pack.h"

namespace assay {
namespace {

// Puts one value after the other where the map says.
class Scatter {
 public:
  Scatter(const OldArray& plain, const ElementMap& map, OldArray& out)
      : from_(plain.bytes.data()),
        axes_(map.axes),
        width_(Info(plain.dtype).bits / 8),
        to_(out.bytes.data()) {}

  void Run(size_t axis = 0, int64_t at = 0) {
    if (axis == axes_.size()) {
      std::memcpy(to_ + static_cast<size_t>(at) * width_, from_, width_);
      from_ += width_;
      return;
    }
    for (int64_t i = 0; i < axes_[axis].extent; ++i) {
      Run(axis + 1, at + axes_[axis].At(i));
    }
  }

 private:
  const char* from_;
  const std::vector<MapAxis>& axes_;
  const size_t width_;
  char* to_;
};

}  // namespace

Result<OldArray> PackWeights(const OldArray& plain, Layout from,
                             int32_t groups) {
  // A type whose cubes are 16 wide.
  ASSIGN_OR_RETURN(const Packed packed, Pack(DType::kF32, plain.shape, from,
                                             Layout::kFractalZ, groups));
  OldArray out{.dtype = plain.dtype,
               .shape = packed.tensor.shape,
               .layout = Layout::kFractalZ};
  const uint64_t count = ElementCount(out.shape).value_or(0);
  out.bytes.resize(count * (Info(plain.dtype).bits / 8));
  Scatter(plain, packed.map, out).Run();
  return out;
}

}  // namespace assay
