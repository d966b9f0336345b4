#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

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
    Truncate(bytes.size());
  }
  void Truncate(size_t length) const {
    ASSERT_EQ(ftruncate(fd_, static_cast<off_t>(length)), 0);
  }

 private:
  std::string path_;
  int fd_;
};

}  // namespace assay
