// precision_tool's infer and data: a working folder made of what msquickcmp
// left, and the prompt on another folder.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <initializer_list>

#include "base/attached_child.h"
#include "base/program_path.h"
#include "base/text.h"
#include "legacy/legacy_tool.h"
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

// The folder that has dump_data in it: the one named, or the last of those that
// msquickcmp calls by their time.
Result<fs::path> FindOutput(const std::string& folder) {
  const auto has_dumps = [](const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path / "dump_data", ignored);
  };
  fs::path found = has_dumps(folder) ? fs::path(folder) : fs::path();
  if (found.empty()) {
    for (const std::string& name : NamesIn(folder, EntryKind::kFolder)) {
      if (has_dumps(fs::path(folder) / name)) found = fs::path(folder) / name;
    }
  }
  if (!found.empty()) return found;
  return NotFound("no folder dump_data, as msquickcmp leaves it").At(folder);
}

// Everything is linked: what was dumped stays where it is.
class Adapter {
 public:
  explicit Adapter(fs::path from) : from_(std::move(from)) {}

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
      std::error_code ignored;
      if (!fs::is_directory(folder, ignored)) continue;
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
  ASSIGN_OR_RETURN(const fs::path from, FindOutput(words[0]));
  RETURN_IF_ERROR(Adapter(from).Run());
  fmt::print("next: assay shell -c 'ac'\n");
  return Done{};
}

int RunInfer(std::vector<std::string> words) {
  const Status done = Adapt(words);
  return done ? 0 : Say(done.error());
}

// The old tool changed one variable and then used its usual folders; here the
// prompt really works on DIR.
int RunData(std::vector<std::string> words) {
  if (words.empty()) {
    return Say(Usage("one folder is wanted").Hint("assay data DIR"));
  }
  words.insert(words.begin(), {ProgramPath(), "shell"});
  const Result<int> code = RunAttached(words);
  return code ? *code : Say(code.error());
}

}  // namespace

extern constinit const LegacyTool kInfer = {
    .words = "infer",
    .sentence = "precision_tool: a working folder of msquickcmp's output",
    .run = RunInfer,
};
extern constinit const LegacyTool kData = {
    .words = "data",
    .sentence = "precision_tool: the prompt on another working folder",
    .run = RunData,
};

}  // namespace assay
