#include <cstdlib>

#include "graphs/onnx_cut.h"
#include "memory_file.h"
#include "pipeline/onnx_text.h"

// Cuts and marks a model behind each of its first taps; stops the fuzzer if an
// error says nothing or a cut model cannot be read again.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay;  // NOLINT: a fuzz target is a program of its own
  const MemoryFile memory(data, size);
  const auto file = onnx::OnnxFile::Open(memory.path());
  if (!file) {
    if (file.error().what.empty() || file.error().file.empty()) abort();
    return 0;
  }
  (void)ModelText(*file, {});
  (void)file->Inputs();
  constexpr size_t kMost = 4;
  for (size_t i = 0; i < file->taps().size() && i < kMost; ++i) {
    const onnx::Cut cut{.to = {file->taps()[i].name}};
    (void)onnx::MarkOutputs(*file, cut.to);
    const auto bytes = onnx::ExtractModel(*file, cut);
    if (!bytes) continue;
    const MemoryFile again(reinterpret_cast<const uint8_t*>(bytes->data()),
                           bytes->size());
    if (!onnx::OnnxFile::Open(again.path())) abort();
  }
  return 0;
}
