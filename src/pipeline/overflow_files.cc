#include "pipeline/overflow_files.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace assay {
namespace {

namespace fs = std::filesystem;

// Numbers that stand for no thread of an operator.
bool NamesThread(int64_t id) {
  constexpr int64_t kInvalid = 65535;
  return id > 0 && id != kInvalid;
}

bool Fits(const DumpName& name, const RecordTarget& target) {
  const bool stream =
      name.stream < 0 || target.stream < 0 || name.stream == target.stream;
  return stream &&
         (!NamesThread(target.context) || name.context == target.context) &&
         (!NamesThread(target.thread) || name.thread == target.thread);
}

// Values before statistics, should both be there.
auto Age(const NamedDump& dump) {
  return std::tuple(dump.name.time, dump.name.summary, dump.file);
}

// A file together with those beside it.
Tree Neighbourhood(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  Tree tree{.root = folder.empty() ? "." : folder.native()};
  tree.files = NamesIn(tree.root, EntryKind::kFile);
  return tree;
}

}  // namespace

Result<OverflowFiles> OverflowFiles::Find(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    ASSIGN_OR_RETURN(Tree tree, WalkTree(path));
    OverflowFiles files(std::move(tree));
    files.Sort("");
    return files;
  }
  OverflowFiles files(Neighbourhood(path));
  files.Sort(NameIn(path));
  return files;
}

void OverflowFiles::Sort(std::string_view only) {
  for (uint32_t i = 0; i < tree_.files.size(); ++i) {
    const std::string& file = tree_.files[i];
    const std::string_view original = mappings_.OriginalName(file);
    const auto name = ParseDumpName(original);
    if (!name) continue;
    if (!name->IsOverflowRecord()) {
      dumps_[{FolderOf(file), name->task}].push_back({i, original, *name});
    } else if (only.empty() || file == only) {
      records_.push_back({i, original, *name});
    }
  }
  std::ranges::sort(records_, {}, Age);
  for (auto& [key, dumps] : dumps_) std::ranges::sort(dumps, {}, Age);
}

const NamedDump* OverflowFiles::DumpOf(const NamedDump& record,
                                       const RecordTarget& target) const {
  const std::string_view folder = FolderOf(tree_.files[record.file]);
  const auto found = dumps_.find({folder, target.task});
  if (found == dumps_.end()) return nullptr;
  for (const NamedDump& dump : found->second) {
    if (Fits(dump.name, target)) return &dump;
  }
  return nullptr;
}

}  // namespace assay
