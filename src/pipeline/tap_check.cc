#include "pipeline/tap_check.h"

#include <fmt/format.h>

#include "base/text.h"
#include "codecs/codec.h"
#include "pipeline/tensor_stats.h"

namespace assay {
namespace {

// A declared dimension that is fixed must be what came out.
bool Contradicts(const Shape& shape, const onnx::Value& declared) {
  if (!declared.has_shape) return false;
  if (shape.size() != declared.shape.size()) return true;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (declared.shape[i] >= 0 && declared.shape[i] != shape[i]) return true;
  }
  return false;
}

}  // namespace

Status CheckTap(const std::string& folder, const RunTensor& said,
                const ExpectedTap& expected, const WorkBuffers& buffers,
                TapRecord& record) {
  if (said.file != expected.file + ".npy" &&
      said.file != expected.file + ".safetensors") {
    return Corrupt("the executor wrote '{}' instead of '{}.npy'", said.file,
                   expected.file);
  }
  const std::string path = folder + "/" + said.file;
  const Result<Listing> listed = ListFile(path, {});
  if (!listed) {
    return Corrupt("the executor says it wrote its file: {}",
                   listed.error().what)
        .At(path);
  }
  const Listing& listing = *listed;
  if (listing.tensors.size() != 1) {
    return Corrupt("{} in its file, one is wanted",
                   Counted(listing.tensors.size(), "tensor"))
        .At(path);
  }
  const StoredTensor& stored = listing.tensors[0];
  record.dtype = stored.dtype;
  record.shape = stored.shape;
  if (Name(stored.dtype) != said.dtype || stored.shape != said.shape) {
    return Corrupt("the executor says {}{}, its file has {}{}", said.dtype,
                   ToText(said.shape), Name(stored.dtype), ToText(stored.shape))
        .At(path);
  }
  if (expected.declared != nullptr &&
      Contradicts(stored.shape, *expected.declared)) {
    return Corrupt("its shape is {}, the model says {}", ToText(stored.shape),
                   ToText(expected.declared->shape));
  }
  if (expected.follows != nullptr && stored.shape != *expected.follows) {
    return Corrupt("its shape is {}, with these inputs it is {}",
                   ToText(stored.shape), ToText(*expected.follows));
  }
  ASSIGN_OR_RETURN(record.stats, StatsOf(path, stored, buffers));
  return Done{};
}

}  // namespace assay
