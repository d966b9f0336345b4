#include "codecs/ascend_name.h"
#include "codecs/ascend_slices.h"
#include "list_bytes.h"

// As a whole file, and as the text that names of files and attributes hold.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  assay::ListBytes("ascend", data, size);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  assay::IsAscendName(text);
  assay::AscendThread(text);
  assay::ParseAscendSlices(text, 0);
  return 0;
}
