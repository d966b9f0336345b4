// NumPy array file (.npy), versions 1 to 3.
//   0  6     magic "\x93NUMPY"
//   6  1+1   major, minor version
//   8  2|4   header length: u16 in version 1, u32 later; little endian
//   .. n     header: a Python dict with descr, fortran_order, shape
//   ..       values, row-major unless fortran_order
#include "codecs/codec.h"
#include "codecs/npy_header.h"
#include "codecs/npy_type.h"

namespace assay {
namespace {

bool IsNpy(const Sniff& file) {
  return file.head.starts_with(kNpyMagic) || file.path.ends_with(".npy");
}

Result<std::vector<StoredTensor>> List(const InputFile& file,
                                       const CodecHints& hints) {
  ASSIGN_OR_RETURN(StoredTensor tensor,
                   ReadNpyHeader(file, 0, file.size(), hints));
  return std::vector<StoredTensor>{std::move(tensor)};
}

Status Write(std::span<TensorToWrite> tensors, OutputFile& out) {
  TensorToWrite& tensor = tensors.front();
  ASSIGN_OR_RETURN(const std::string header,
                   NpyHeader(tensor.dtype, tensor.shape));
  RETURN_IF_ERROR(out.Append(header));
  return AppendValues(tensor, out);
}

}  // namespace

extern constinit const Codec kNpy = {
    .name = "npy",
    .summary = "NumPy array, one tensor per file",
    .extensions = ".npy",
    .sniff = IsNpy,
    .list = List,
    .write = Write,
    .holds = [](DType type) { return !NpyDescr(type).empty(); },
};

}  // namespace assay
