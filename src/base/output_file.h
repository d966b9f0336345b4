#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay {

// A file that appears under its name only when it is complete: bytes go to a
// temporary neighbour, Commit renames it. Opened before the long work, so that
// an output that cannot be written is known at once.
class OutputFile {
 public:
  enum class Existing { kReplace, kRefuse };

  static Result<OutputFile> Create(const std::string& path,
                                   Existing existing = Existing::kReplace);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile();  // without Commit nothing stays behind

  const std::string& path() const { return path_; }
  const std::string& temporary() const { return temporary_; }
  uint64_t size() const { return size_; }  // bytes appended so far

  Status Append(std::string_view bytes);
  // Overwrites bytes that were appended before.
  Status PatchAt(uint64_t offset, std::string_view bytes);
  Status Commit();
  // All bytes are in the file temporary(), which is the caller's from now on:
  // to rename, or to remove.
  Status HandOver();

 private:
  OutputFile(int fd, std::string path, std::string temporary)
      : fd_(fd), path_(std::move(path)), temporary_(std::move(temporary)) {}
  Error Failure(std::string_view verb) const;
  Status Flush();
  Status WriteAt(uint64_t offset, std::string_view bytes);
  Status WriteBoth(uint64_t offset, std::string_view first,
                   std::string_view second);

  int fd_ = -1;
  std::string path_, temporary_;
  uint64_t size_ = 0;
  std::string tail_;  // appended and not written yet
};

}  // namespace assay
