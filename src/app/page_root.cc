#include "app/page_root.h"

#include <algorithm>

namespace assay {
namespace fs = std::filesystem;
namespace {

Error Outside(const std::string& path) {
  return NotFound("there is no such path below the root").At(path);
}

}  // namespace

Result<PageRoot> PageRoot::Open(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error || !fs::is_directory(real, error)) {
    return NotFound("the root is not a folder").At(path);
  }
  return PageRoot(real);
}

bool PageRoot::Holds(const fs::path& real) const {
  const auto [rest, at] =
      std::mismatch(root_.begin(), root_.end(), real.begin(), real.end());
  return rest == root_.end();
}

Result<std::string> PageRoot::Inside(const std::string& path) const {
  std::error_code error;
  if (path.find('\0') != std::string::npos) return Outside("");
  const fs::path real = fs::canonical(root_ / path, error);
  if (error || !Holds(real)) return Outside(path);
  return real.string();
}

Result<std::string> PageRoot::TreeInside(const std::string& path) const {
  ASSIGN_OR_RETURN(std::string real, Inside(path));
  std::error_code error;
  if (!fs::is_directory(real, error)) return real;
  for (fs::recursive_directory_iterator at(real, error), end;
       !error && at != end; at.increment(error)) {
    if (!at->is_symlink(error)) continue;
    std::error_code broken;  // a link to nowhere leads nowhere
    const fs::path there = fs::canonical(at->path(), broken);
    if (!broken && !Holds(there)) {
      return Outside(at->path().string()).Hint("a link leads out of the root");
    }
  }
  if (error) return IoError("cannot list: {}", error.message()).At(path);
  return real;
}

Result<std::vector<std::string>> PageRoot::List(const std::string& path) const {
  constexpr size_t kMost = 500;
  ASSIGN_OR_RETURN(const std::string real, Inside(path));
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator at(real, error), end; !error && at != end;
       at.increment(error)) {
    std::string name = at->path().filename().string();
    if (name.starts_with('.')) continue;
    if (at->is_directory(error)) name += '/';
    names.push_back(std::move(name));
    if (names.size() == kMost) break;
  }
  if (error) return Outside(path);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace assay
