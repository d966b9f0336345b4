#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/input_file.h"
#include "base/result.h"
#include "core/tensor.h"
#include "kernel/byte_stream.h"

namespace assay {

// The bytes that `text` stands for; nothing if its length tells that it is no
// base64: groups of four characters, the last one padded with '='.
std::optional<uint64_t> Base64Bytes(std::string_view text);

// Decodes one text, or the last part of one; `at` is its place in `path`.
Result<std::string> DecodeBase64(std::string_view text, std::string_view path,
                                 uint64_t at);

// The values of a tensor that stands as base64 text in `file`.
std::unique_ptr<ByteStream> OpenBase64(const InputFile& file,
                                       const StoredTensor& tensor);

}  // namespace assay
