#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/dump.h"
#include "sources/dump_place.h"

namespace assay {

// The folders of a dump tree, and what they say of the tensors in them.
class AscendFolders {
 public:
  explicit AscendFolders(const std::string& root) : above_(LevelsAbove(root)) {}
  AscendFolders(const AscendFolders&) = delete;
  AscendFolders& operator=(const AscendFolders&) = delete;

  // The number of a file's folder.
  uint32_t Add(std::string_view file);
  // Of several runs side by side only the newest counts.
  bool IsOld(uint32_t folder) const { return folders_[folder].old; }
  // Marks the others and notes them. After all files were added.
  void ChooseRuns(std::vector<DumpNote>& notes);
  // Rank, step, graph and call of each folder that is in `used`.
  void Identify(const std::vector<uint32_t>& used, NamePool& names);
  const TensorId& IdOf(uint32_t folder) const { return folders_[folder].id; }

 private:
  struct Folder {
    std::string path;
    DumpPlace place;
    uint32_t files = 0;
    bool old = false;
    TensorId id;
  };

  const std::string above_;
  std::deque<Folder> folders_;  // the places point into the paths
  std::unordered_map<std::string_view, uint32_t> numbers_;
  uint32_t last_ = 0;
};

}  // namespace assay
