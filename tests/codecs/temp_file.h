#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "codecs/codec.h"

namespace assay {

inline std::string ReadAll(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A file with the given end of its name, gone when the object is. It stays
// open: to replace what is in it is then cheap.
class TempFile {
 public:
  explicit TempFile(std::string_view suffix, const std::string& bytes = "")
      : path_(fmt::format("{}assay-{}-{}{}", testing::TempDir(), getpid(),
                          static_cast<const void*>(this), suffix)),
        fd_(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    Write(bytes);
  }
  ~TempFile() {
    close(fd_);
    unlink(path_.c_str());
  }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;

  const std::string& path() const { return path_; }
  void Write(const std::string& bytes) const {
    ASSERT_EQ(pwrite(fd_, bytes.data(), bytes.size(), 0),
              static_cast<ssize_t>(bytes.size()));
    ASSERT_EQ(ftruncate(fd_, static_cast<off_t>(bytes.size())), 0);
  }

 private:
  std::string path_;
  int fd_;
};

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
                        t.column_major ? " column-major" : "");
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
                   at = size_t{0}](std::string& out) mutable -> Result<bool> {
            if (at >= bytes.size()) return false;
            out += bytes.substr(at, piece);
            at += piece;
            return true;
          }};
}

}  // namespace assay
