#include "sources/msprobe_tree.h"

#include <algorithm>
#include <tuple>

#include "base/input_file.h"
#include "codecs/codec.h"
#include "sources/digits.h"
#include "sources/msprobe_json.h"
#include "sources/tree.h"

namespace assay {
namespace {

constexpr int kLevels = 3;

// 3 for "rank3"; -1 for any other name.
int32_t NumberBehind(std::string_view word, std::string_view name) {
  if (!name.starts_with(word)) return -1;
  return ParseSmall(name.substr(word.size())).value_or(-1);
}

bool IsProcess(std::string_view name) {
  for (const std::string_view word : {"rank", "proc", "pid"}) {
    if (name.starts_with(word) && AllDigits(name.substr(word.size()))) {
      return true;
    }
  }
  return name == "rank";  // one process that did not know its rank
}

bool IsLevel(std::string_view name) {
  return NumberBehind("step", name) >= 0 || IsProcess(name) ||
         name == "graph" || name == "pynative";
}

std::string Below(std::string_view folder, std::string_view name) {
  return folder.empty() ? std::string(name)
                        : fmt::format("{}/{}", folder, name);
}

bool IsDump(const std::string& path) {
  const auto file = InputFile::Open(path);
  const auto head = file ? file->Head(kHead) : Result<std::string>("");
  return head && LooksLikeMsprobe(*head);
}

class Search {
 public:
  explicit Search(MsprobeTree& tree) : tree_(tree) {}

  void Visit(MsprobeLeaf at, int levels) {
    AddFiles(at);
    if (!at.files.empty()) {
      tree_.leaves.push_back(std::move(at));
      return;
    }
    bool deeper = false;
    const std::string path = Below(tree_.root, at.folder);
    for (const std::string& name : NamesIn(path, EntryKind::kFolder)) {
      if (levels == 0 || !IsLevel(name)) continue;
      deeper = true;
      MsprobeLeaf next{Below(at.folder, name), at.step, at.rank, {}};
      next.step = std::max(next.step, NumberBehind("step", name));
      next.rank = std::max(next.rank, NumberBehind("rank", name));
      Visit(std::move(next), levels - 1);
    }
    if (!deeper) tree_.notes.push_back({at.folder, "no dump.json in it"});
  }

 private:
  // In a folder of the tree a damaged dump.json is one too.
  void AddFiles(MsprobeLeaf& leaf) const {
    for (const std::string_view name : kMsprobeFiles) {
      std::string file = Below(leaf.folder, name);
      const std::string path = Below(tree_.root, file);
      const bool there =
          leaf.folder.empty() ? IsDump(path) : InputFile::Open(path).ok();
      if (there) leaf.files.push_back(std::move(file));
    }
  }

  MsprobeTree& tree_;
};

MsprobeTree OneFile(const std::string& path) {
  MsprobeTree tree{.root = std::string(FolderOf(path))};
  const std::string name(NameIn(path));
  const bool known =
      std::ranges::find(kMsprobeFiles, name) != std::end(kMsprobeFiles);
  if (known && IsDump(path)) tree.leaves.push_back({.files = {name}});
  return tree;
}

}  // namespace

MsprobeTree FindMsprobe(const std::string& path) {
  if (InputFile::Open(path)) return OneFile(path);
  MsprobeTree tree{.root = WithoutSlashes(path)};
  Search(tree).Visit({}, kLevels);
  std::ranges::sort(tree.leaves, {}, [](const MsprobeLeaf& leaf) {
    return std::tie(leaf.step, leaf.rank, leaf.folder);
  });
  return tree;
}

}  // namespace assay
