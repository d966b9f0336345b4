#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// The first folders below a path, enough to know what kind of tree it is. Each
// is read once, however many sources ask.
class Glimpse {
 public:
  explicit Glimpse(std::string path);

  const std::string& path() const { return path_; }
  bool is_folder() const { return is_folder_; }
  // The path, below ours, of a file that is `wanted`; empty if there is none.
  // The answer does not depend on the order on the disk.
  using Wanted = std::function<bool(std::string_view name)>;
  std::string Find(const Wanted& wanted) const;

 private:
  struct Folder {
    std::string path;  // below ours
    std::vector<std::string> files;
  };

  const Folder* At(size_t i) const;
  void ReadNext() const;

  std::string path_;
  bool is_folder_ = false;
  mutable std::vector<Folder> folders_;       // read so far
  mutable std::vector<std::string> waiting_;  // the next one last
};

}  // namespace assay
