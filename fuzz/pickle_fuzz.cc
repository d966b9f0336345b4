// The pickle of a .pt file without the archive around it.
#include <cstdlib>
#include <string_view>

#include "codecs/torch_pickle.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto tensors = assay::ReadTorchPickle(bytes, ~uint64_t{0});
  if (!tensors && tensors.error().what.empty()) abort();
  return 0;
}
