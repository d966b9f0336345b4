#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace assay {

// The folder that the page may read from. A path is inside if it is so after
// following every link; what is not inside is not found.
class PageRoot {
 public:
  static Result<PageRoot> Open(const std::string& path);

  const std::filesystem::path& path() const { return root_; }
  // Relative paths start at the root.
  Result<std::string> Inside(const std::string& path) const;
  // The same, and no link below the path leads out.
  Result<std::string> TreeInside(const std::string& path) const;
  // What stands in a folder; folders end in '/'.
  Result<std::vector<std::string>> List(const std::string& path) const;

 private:
  explicit PageRoot(std::filesystem::path root) : root_(std::move(root)) {}
  bool Holds(const std::filesystem::path& real) const;

  std::filesystem::path root_;
};

}  // namespace assay
