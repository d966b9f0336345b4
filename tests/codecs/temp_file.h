#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "../temp_file.h"
#include "codecs/codec.h"

namespace assay {

inline Result<Listing> ListBytes(std::string_view suffix,
                                 const std::string& bytes,
                                 const CodecHints& hints = {}) {
  const TempFile file(suffix, bytes);
  return ListFile(file.path(), hints);
}

// "shape needs 24 bytes, 0 left"; "" when there is no error.
inline std::string ErrorOf(std::string_view suffix, const std::string& bytes,
                           const CodecHints& hints = {}) {
  const auto listing = ListBytes(suffix, bytes, hints);
  if (listing) return {};
  EXPECT_FALSE(listing.error().file.empty()) << listing.error().what;
  return listing.error().what;
}

// "f32 [2,3]"; of several tensors "x f32 [2,3]; y i8 []".
inline std::string Summary(const Listing& listing) {
  std::string text;
  for (const StoredTensor& t : listing.tensors) {
    text += fmt::format("{}{}{}{} {}{}{}", text.empty() ? "" : "; ", t.name,
                        t.name.empty() ? "" : " ", Name(t.dtype),
                        ToText(t.shape), t.big_endian ? " big-endian" : "",
                        t.strides.empty() ? "" : " strided");
  }
  return text;
}

inline std::string SummaryOf(std::string_view suffix, const std::string& bytes,
                             const CodecHints& hints = {}) {
  const auto listing = ListBytes(suffix, bytes, hints);
  return listing ? Summary(*listing) : "error: " + listing.error().what;
}

// Gives `bytes` out in pieces of `piece` bytes.
inline TensorToWrite ToWrite(std::string name, DType dtype, Shape shape,
                             std::string bytes, size_t piece = 3) {
  return {.name = std::move(name),
          .dtype = dtype,
          .shape = std::move(shape),
          .next = [bytes = std::move(bytes), piece,
                   at = size_t{0}]() mutable -> Result<std::string_view> {
            const auto rest =
                std::string_view(bytes).substr(std::min(at, bytes.size()));
            at += piece;
            return rest.substr(0, piece);
          }};
}

}  // namespace assay
