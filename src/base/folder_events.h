#pragma once

#include <string>

#include "base/result.h"

namespace assay {

// Wakes up when files of some folders were finished or appeared.
class FolderEvents {
 public:
  static Result<FolderEvents> Open();
  FolderEvents(FolderEvents&& other) noexcept;
  ~FolderEvents();

  // A folder twice is once. One that cannot be had is left out: the caller
  // looks again after a while anyway.
  void Add(const std::string& folder);
  // Waits at most so long; whether something happened.
  bool Wait(int milliseconds);

 private:
  explicit FolderEvents(int fd) : fd_(fd) {}
  int fd_ = -1;
};

}  // namespace assay
