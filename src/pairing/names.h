#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace re2 {
class RE2;
}

namespace assay {

// The user's wishes about names, checked and compiled: --only, --rename.
class NameRules {
 public:
  static Result<NameRules> Make(const std::string& only,
                                const std::vector<std::string>& renames);
  NameRules(NameRules&&) noexcept;
  NameRules& operator=(NameRules&&) noexcept;
  ~NameRules();

  bool Wanted(std::string_view name) const;
  std::string Renamed(std::string_view name) const;

 private:
  NameRules();
  struct Rename;
  std::unique_ptr<re2::RE2> only_;
  std::vector<Rename> renames_;
};

// '/', '.' and ':' become '_': what dump tools do to make a file name.
std::string Normalised(std::string_view name);
// Without the suffixes of array formats, however many.
std::string_view WithoutArraySuffixes(std::string_view file);
// Without a trailing ".index.timestamp" or ".index.timestamp.count"; the name
// itself if it has none.
std::string_view WithoutTimestamp(std::string_view name);

// For a tensor without a partner: the name on the other side it most likely
// means. Empty if none is near.
class NearMiss {
 public:
  explicit NearMiss(std::vector<std::string_view> others);
  std::string_view Find(std::string_view name) const;

 private:
  std::vector<std::string_view> others_;
};

}  // namespace assay
