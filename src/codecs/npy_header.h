#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/input_file.h"
#include "base/result.h"
#include "codecs/codec.h"
#include "core/tensor.h"

namespace assay {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";
// Enough of a file to hold nearly every header.
inline constexpr uint64_t kNpyFirst = 256;

// The length of the whole header, magic included, told by its first bytes. 0 if
// they do not tell; ParseNpy then says what is wrong with them.
uint64_t NpyHeaderLength(std::string_view first);

// The array that fills bytes [begin, end) of `file`: a .npy file, or a stored
// member of an archive.
Result<StoredTensor> ReadNpyHeader(const InputFile& file, uint64_t begin,
                                   uint64_t end, const CodecHints& hints);
// The same for a header already in memory (a deflated member): `bytes` holds
// the start of the array, which is `total` bytes long. The extent's offset is
// the length of the header.
Result<StoredTensor> ParseNpy(std::string_view bytes, uint64_t total,
                              std::string_view path, uint64_t base,
                              const CodecHints& hints);

// A version 1 header for row-major little-endian values, padded to 64 bytes;
// types that NumPy lacks (bf16, fp8) are an error.
Result<std::string> NpyHeader(DType dtype, const Shape& shape);

}  // namespace assay
