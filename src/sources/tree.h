#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sources/source.h"

namespace assay {

// What lies below a folder.
struct Tree {
  std::string root;                  // without a slash at its end
  std::vector<std::string> files;    // relative to the root, sorted
  std::vector<std::string> folders;  // so too; the root is ""
  std::vector<DumpNote> notes;       // links and folders that were left out
};

// All files below `root`, and links to files. A link to a folder is not
// followed: it may lead round in a circle.
Result<Tree> WalkTree(const std::string& root);

// The names of folders (or files) directly inside a folder, links to such too;
// sorted.
enum class EntryKind : uint8_t { kFile, kFolder };
std::vector<std::string> NamesIn(const std::string& folder, EntryKind kind);

// Opens and lists `files`, in parallel; the answers are in their order.
using Listings = std::vector<std::optional<Result<Listing>>>;
Listings ListAll(const std::string& root, std::span<const std::string> files,
                 const OpenOptions& options);

std::string_view FolderOf(std::string_view file);  // "" at the top
std::string_view NameIn(std::string_view file);    // without its folder
std::string WithoutSlashes(std::string path);      // at its end

}  // namespace assay
