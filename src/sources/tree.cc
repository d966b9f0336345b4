#include "sources/tree.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "base/progress.h"
#include "sources/folder_entries.h"

namespace assay {
namespace {

class Walk {
 public:
  explicit Walk(Tree& tree) : tree_(tree) {}

  Status Run() {
    std::vector<std::string> waiting = {""};
    while (!waiting.empty()) {
      const std::string folder = std::move(waiting.back());
      waiting.pop_back();
      FolderEntries entries;
      if (const int reason = ReadFolder(Below(tree_.root, folder), entries)) {
        const std::string text =
            fmt::format("cannot list: {}", std::strerror(reason));
        if (folder.empty()) return IoError("{}", text).At(tree_.root);
        tree_.notes.push_back({folder, text, /*lost=*/true});
      }
      for (const std::string& name : entries.files) {
        tree_.files.push_back(Below(folder, name));
      }
      for (const std::string& name : entries.folders) {
        waiting.push_back(Below(folder, name));
      }
      for (const std::string& name : entries.links)
        AddLink(Below(folder, name));
      for (const std::string& name : entries.others)
        AddOther(Below(folder, name));
      tree_.folders.push_back(folder);
    }
    std::ranges::sort(tree_.files);
    std::ranges::sort(tree_.folders);
    std::ranges::sort(tree_.notes, {}, &DumpNote::file);
    return Done{};
  }

 private:
  void AddLink(std::string path) {
    struct stat info;
    if (stat(Below(tree_.root, path).c_str(), &info) != 0) {
      tree_.notes.push_back({std::move(path), "a link to nothing"});
    } else if (S_ISDIR(info.st_mode)) {
      tree_.notes.push_back(
          {std::move(path), "a link to a folder is not followed"});
    } else if (S_ISREG(info.st_mode)) {
      tree_.files.push_back(std::move(path));
    } else {
      AddOther(std::move(path));
    }
  }

  void AddOther(std::string path) {
    tree_.notes.push_back({std::move(path), "a pipe or a device"});
  }

  Tree& tree_;
};

}  // namespace

Result<Tree> WalkTree(const std::string& root) {
  Tree tree{.root = WithoutSlashes(root)};
  RETURN_IF_ERROR(Walk(tree).Run());
  return tree;
}

std::vector<std::string> NamesIn(const std::string& folder, EntryKind kind) {
  FolderEntries entries;
  ReadFolder(folder, entries);
  for (std::string& link : entries.links) {
    struct stat info;
    if (stat(Below(folder, link).c_str(), &info) != 0) continue;
    if (S_ISREG(info.st_mode))
      entries.files.push_back(std::move(link));
    else if (S_ISDIR(info.st_mode))
      entries.folders.push_back(std::move(link));
  }
  auto& names = kind == EntryKind::kFile ? entries.files : entries.folders;
  std::ranges::sort(names);
  return std::move(names);
}

Listings ListAll(const std::string& root, std::span<const std::string> files,
                 const OpenOptions& options) {
  Listings listings(files.size());
  Progress progress("opening " + root, files.size(), Progress::Unit::kItems,
                    options.show_progress);
  ParallelFor(files.size(), options.threads, [&](size_t i, size_t) {
    listings[i] = ListFile(Below(root, files[i]), options.hints);
    progress.Add(1);
  });
  return listings;
}

std::string_view FolderOf(std::string_view file) {
  const size_t slash = file.rfind('/');
  return slash == std::string_view::npos ? "" : file.substr(0, slash);
}

std::string_view NameIn(std::string_view file) {
  return file.substr(file.rfind('/') + 1);  // npos + 1 is 0
}

std::string WithoutSlashes(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace assay
