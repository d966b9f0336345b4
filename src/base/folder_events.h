#pragma once

#include <set>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay {

// Wakes up when files of some folders were finished or appeared.
class FolderEvents {
 public:
  static Result<FolderEvents> Open();
  FolderEvents(FolderEvents&& other) noexcept;
  ~FolderEvents();

  // A folder twice is once; true if it is new: what was finished in it before
  // has no event. One that cannot be had is left out: the caller looks again
  // after a while anyway.
  bool Add(const std::string& folder);
  // Waits at most so long; whether something happened that matters: a new
  // folder, or a file of which `matters` says so.
  using Matters = bool (*)(std::string_view name);
  bool Wait(int milliseconds, Matters matters);

 private:
  explicit FolderEvents(int fd) : fd_(fd) {}
  int fd_ = -1;
  std::set<int> folders_;  // by the system's numbers, none of which returns
};

}  // namespace assay
