// precision_tool's infer: a working folder made of what an offline inference
// left, by msquickcmp or by hand.
//   msquickcmp   model/*.json  dump_data/{npu, tf|onnx|caffe}  *.csv
//   by hand      a folder with offline models (.om), dumps of the device and
//                arrays somewhere in it; or one offline model
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <initializer_list>

#include "base/text.h"
#include "graphs/graph_kind.h"
#include "legacy/legacy_tool.h"
#include "sources/dump_name.h"
#include "sources/mapping_csv.h"
#include "sources/tree.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr int kTrouble = 2;
constexpr std::string_view kRoot = "precision_data";

int Say(const Error& error) {
  fmt::print(stderr, "{}", error.Text());
  return kTrouble;
}

Status Link(const fs::path& to, const fs::path& link) {
  std::error_code failed;
  fs::create_directories(link.parent_path(), failed);
  fs::create_symlink(fs::absolute(to), link, failed);
  if (!failed) return Done{};
  return IoError("cannot make a link: {}", failed.message()).At(link.string());
}

bool IsFolder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

// The folder that has dump_data in it: the one named, or the last of those that
// msquickcmp calls by their time; empty if there is none.
fs::path FindOutput(const std::string& folder) {
  if (IsFolder(fs::path(folder) / "dump_data")) return folder;
  fs::path found;
  for (const std::string& name : NamesIn(folder, EntryKind::kFolder)) {
    const fs::path inner = fs::path(folder) / name;
    if (IsFolder(inner / "dump_data")) found = inner;
  }
  return found;
}

// Everything is linked: what was dumped stays where it is.
class QuickCompare {
 public:
  explicit QuickCompare(fs::path from) : from_(std::move(from)) {}

  Status Run() {
    RETURN_IF_ERROR(LinkFolder({"tf", "onnx", "caffe"}, "tf/dump"));
    RETURN_IF_ERROR(LinkFolder({"npu"}, "npu/debug_0/dump"));
    size_t number = 0;
    RETURN_IF_ERROR(
        LinkFiles("model", ".json", "npu/debug_0/graph", [&](auto&) {
          return fmt::format("ge_proto_{:08}_Build.txt.json", number++);
        }));
    return LinkFiles("", ".csv", "temp/vector_compare/0",
                     [](const std::string& name) { return name; });
  }

 private:
  // The first of these dumps that is there.
  Status LinkFolder(std::initializer_list<std::string_view> names,
                    const std::string& place) const {
    for (const std::string_view name : names) {
      const fs::path folder = from_ / "dump_data" / name;
      if (!IsFolder(folder)) continue;
      fmt::print("{}: {}\n", place, folder.string());
      return Link(folder, fs::path(kRoot) / place);
    }
    return NotFound("no folder {}", fmt::join(names, ", "))
        .At((from_ / "dump_data").string());
  }

  // Files of a folder with this ending, called as `rename` says.
  template <typename Rename>
  Status LinkFiles(const std::string& folder, std::string_view ending,
                   const std::string& place, const Rename& rename) const {
    size_t count = 0;
    for (const std::string& name :
         NamesIn((from_ / folder).string(), EntryKind::kFile)) {
      if (!name.ends_with(ending)) continue;
      RETURN_IF_ERROR(
          Link(from_ / folder / name, fs::path(kRoot) / place / rename(name)));
      ++count;
    }
    fmt::print("{}: {}\n", place, Counted(count, "file"));
    return Done{};
  }

  const fs::path from_;
};

constexpr std::string_view kGraphs = "npu/debug_0/graph",
                           kDumps = "npu/debug_0/dump", kArrays = "tf/dump";

enum class Kind : uint8_t { kOther, kGraph, kArray, kDump };

Kind KindOf(const std::string& file, const Mappings& mappings) {
  const std::string_view name = NameIn(file);
  if (HasGraphName(name)) return Kind::kGraph;
  if (name.ends_with(".npy")) return Kind::kArray;
  return ParseDumpName(mappings.OriginalName(file)) ? Kind::kDump
                                                    : Kind::kOther;
}

// Files of one kind below a folder.
struct Part {
  size_t count = 0;
  std::string first;    // the folder of the first one, one level down
  bool spread = false;  // others are elsewhere

  void Add(std::string_view file) {
    const size_t slash = file.find('/');
    const std::string top(slash == file.npos ? "" : file.substr(0, slash));
    if (count++ == 0) first = top;
    spread |= top != first;
  }
  fs::path In(const std::string& root) const {
    return spread || first.empty() ? fs::path(root) : fs::path(root) / first;
  }
};

Status LinkPart(const Part& part, const std::string& root,
                std::string_view place) {
  if (part.count == 0) return Done{};
  fmt::print("{}: {}\n", place, Counted(part.count, "file"));
  return Link(part.In(root), fs::path(kRoot) / place);
}

Status LinkModel(const fs::path& file) {
  fmt::print("{}: {}\n", kGraphs, file.string());
  return Link(file, fs::path(kRoot) / kGraphs / file.filename());
}

// A folder that somebody put together.
Status LinkByHand(const std::string& folder) {
  ASSIGN_OR_RETURN(const Tree tree, WalkTree(folder));
  const Mappings mappings(tree.root, tree.files);
  std::vector<std::string> models;
  Part dumps, arrays;
  for (const std::string& file : tree.files) {
    const Kind kind = KindOf(file, mappings);
    if (kind == Kind::kGraph) models.push_back(file);
    if (kind == Kind::kDump) dumps.Add(file);
    if (kind == Kind::kArray) arrays.Add(file);
  }
  if (models.size() + dumps.count + arrays.count == 0) {
    return NotFound("neither a folder dump_data nor an offline model or a dump")
        .At(folder)
        .Hint("msquickcmp leaves dump_data; else put model and dumps together");
  }
  if (dumps.count > 0 && arrays.count > 0 &&
      dumps.In(folder) == arrays.In(folder)) {
    return Usage("dumps and arrays lie in one folder")
        .At(folder)
        .Hint("a folder for each side tells them apart");
  }
  for (const std::string& model : models) {
    RETURN_IF_ERROR(LinkModel(fs::path(tree.root) / model));
  }
  RETURN_IF_ERROR(LinkPart(dumps, tree.root, kDumps));
  return LinkPart(arrays, tree.root, kArrays);
}

Status AdaptPath(const std::string& path) {
  if (!IsFolder(path) && path.ends_with(".om")) return LinkModel(path);
  const fs::path output = FindOutput(path);
  return output.empty() ? LinkByHand(path) : QuickCompare(output).Run();
}

Status Adapt(const std::vector<std::string>& words) {
  if (words.size() != 1) {
    return Usage("one folder is wanted").Hint("assay infer MSQUICKCMP_OUTPUT");
  }
  std::error_code ignored;
  if (fs::exists(kRoot, ignored)) {
    return IoError("it exists already")
        .At(std::string(kRoot))
        .Hint("move it away, or work in another folder");
  }
  if (!fs::exists(words[0], ignored)) {
    return NotFound("there is no such file or folder").At(words[0]);
  }
  RETURN_IF_ERROR(AdaptPath(words[0]));
  fmt::print("next: assay shell -c 'ac'\n");
  return Done{};
}

int RunInfer(const std::vector<std::string>& words) {
  const Status done = Adapt(words);
  return done ? 0 : Say(done.error());
}

}  // namespace

extern constinit const LegacyTool kInfer = {
    .words = "infer",
    .sentence = "precision_tool: a working folder of an offline inference",
    .run = RunInfer,
};

}  // namespace assay
