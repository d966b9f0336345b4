// A folder of array files, at any depth, or one such file.
//
// A tensor is called by its path below the folder without the suffix; a member
// of a file with several tensors is path/member. Which operator it belongs to
// is read from the name where the name says so, as the dump tools of several
// frameworks write it; mapping.csv has the names that were too long.
#include <filesystem>

#include "sources/mapping_csv.h"
#include "sources/plain_names.h"
#include "sources/tree.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::string Recognise(const Glimpse& glimpse) {
  return glimpse.is_folder() ? "a folder of array files" : "one array file";
}

Result<Tree> OneFile(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) {
    return Unsupported("neither a file nor a folder")
        .At(path)
        .Hint("a pipe cannot be read twice; write it to a file first");
  }
  const fs::path file(path);
  return Tree{.root = file.parent_path().native(),
              .files = {file.filename().native()}};
}

Result<Dump> Open(const std::string& path, const OpenOptions& options) {
  std::error_code ignored;
  const bool is_folder = fs::is_directory(path, ignored);
  ASSIGN_OR_RETURN(Tree tree, is_folder ? WalkTree(path) : OneFile(path));
  Mappings mappings(tree.root, tree.files);
  Listings listings = ListAll(tree.root, tree.files, options);
  Dump dump{.root = std::move(tree.root),
            .one_file = !is_folder,
            .files = std::move(tree.files),
            .notes = std::move(tree.notes)};
  for (DumpNote& note : mappings.notes()) dump.notes.push_back(std::move(note));
  for (uint32_t i = 0; i < listings.size(); ++i) {
    const std::string& file = dump.files[i];
    if (NameIn(file) == kMappingFile) continue;
    if (mappings.Misses(file)) {
      dump.notes.push_back({file, "mapping.csv does not say what it is"});
    }
    AddPlainFile(i, mappings.OriginalName(file), *std::move(listings[i]), dump);
  }
  return dump;
}

}  // namespace

extern constinit const Source kPlain = {
    .name = "plain",
    .summary = "a folder of array files, or one file",
    .recognise = Recognise,
    .open = Open,
};

}  // namespace assay
