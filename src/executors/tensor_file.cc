#include "executors/tensor_file.h"

#include <filesystem>

#include "codecs/codec.h"
#include "kernel/value_stream.h"

namespace assay {

Result<std::string> ReadValues(const std::string& path,
                               const StoredTensor& stored) {
  const StoredView view = PlainView(path, stored);
  ASSIGN_OR_RETURN(const OpenView open, OpenView::Open(view));
  const WorkBuffers buffers;
  ASSIGN_OR_RETURN(ValueStream values,
                   ValueStream::Open(open, stored.dtype, buffers));
  std::string bytes;
  for (;;) {
    ASSIGN_OR_RETURN(const std::string_view piece, values.Next());
    if (piece.empty()) return bytes;
    bytes += piece;
  }
}

Result<TensorBytes> ReadTensorFile(const std::string& path) {
  ASSIGN_OR_RETURN(const Listing listing, ListFile(path, {}));
  if (listing.tensors.size() != 1 || !HasNumbers(listing.tensors[0])) {
    return Unsupported("one tensor of numbers is wanted here").At(path);
  }
  const StoredTensor& stored = listing.tensors[0];
  TensorBytes out{.dtype = stored.dtype, .shape = stored.shape};
  ASSIGN_OR_RETURN(out.bytes, ReadValues(path, stored));
  return out;
}

Result<std::string> WriteTensorFile(const std::string& folder,
                                    const std::string& file, DType dtype,
                                    const Shape& shape,
                                    std::string_view bytes) {
  const Codec* codec = FindCodec("npy");
  std::string name = file;
  if (!codec->holds(dtype)) {
    codec = FindCodec("safetensors");
    name = std::filesystem::path(file).replace_extension(".safetensors");
  }
  ASSIGN_OR_RETURN(OutputFile out, OutputFile::Create(folder + "/" + name));
  TensorToWrite tensor{
      .name = "tensor", .dtype = dtype, .shape = shape, .next = [&] {
        return Result<std::string_view>(std::exchange(bytes, {}));
      }};
  RETURN_IF_ERROR(codec->write({&tensor, 1}, out));
  RETURN_IF_ERROR(out.Commit());
  return name;
}

}  // namespace assay
