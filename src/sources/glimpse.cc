#include "sources/glimpse.h"

#include <algorithm>
#include <filesystem>

#include "sources/folder_entries.h"

namespace assay {
namespace {

constexpr size_t kFolders = 200;

}  // namespace

Glimpse::Glimpse(std::string path) : path_(std::move(path)), waiting_{""} {
  std::error_code ignored;
  is_folder_ = std::filesystem::is_directory(path_, ignored);
}

std::string Glimpse::Find(const Wanted& wanted) const {
  for (size_t i = 0; const Folder* folder = At(i); ++i) {
    const std::string* first = nullptr;
    for (const std::string& name : folder->files) {
      if ((first == nullptr || name < *first) && wanted(name)) first = &name;
    }
    if (first != nullptr) return Below(folder->path, *first);
  }
  return "";
}

const Glimpse::Folder* Glimpse::At(size_t i) const {
  if (i == folders_.size() && i < kFolders && !waiting_.empty()) ReadNext();
  return i < folders_.size() ? &folders_[i] : nullptr;
}

void Glimpse::ReadNext() const {
  Folder folder{.path = std::move(waiting_.back())};
  waiting_.pop_back();
  FolderEntries entries;
  ReadFolder(Below(path_, folder.path), entries);
  std::ranges::sort(entries.folders, std::greater<>());
  for (const std::string& name : entries.folders) {
    waiting_.push_back(Below(folder.path, name));
  }
  folder.files = std::move(entries.files);
  folders_.push_back(std::move(folder));
}

}  // namespace assay
