#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "pipeline/dump.h"

namespace assay {

// The folder of a dump while it is made. An earlier dump goes only as a whole,
// only if it is one, and not before the new one is worth it.
class DumpFolder {
 public:
  // Below it: the outputs of the untouched model, and those of the model with
  // taps.
  static constexpr std::string_view kPlain = ".plain", kCheck = ".check";

  static Result<DumpFolder> Prepare(const std::string& path,
                                    DumpOptions::Existing existing);
  DumpFolder(DumpFolder&& other) noexcept;
  DumpFolder& operator=(DumpFolder&&) = delete;
  // Without Keep the earlier dump is put back.
  ~DumpFolder();

  bool HasEarlier() const { return has_earlier_; }
  void Keep();

 private:
  explicit DumpFolder(const std::string& path) : path_(path) {}

  std::string path_;  // empty: moved from
  bool has_earlier_ = false;
};

}  // namespace assay
