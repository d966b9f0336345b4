// The working folder of precision_tool. It holds several dumps; the one that is
// opened is the device's, unless the user names another folder in it.
//   now     npu/debug_0/dump, npu/debug_1/dump, tf/dump, overflow/dump
//   before  dump/npu, dump/cpu, dump/overflow
#include <fmt/format.h>

#include <filesystem>

#include "sources/digits.h"
#include "sources/tree.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

struct Choice {
  std::string_view root;    // last part of the opened path; empty: any
  std::string_view folder;  // what it holds
  std::string_view what;
};

// In the order of choice.
constexpr Choice kChoices[] = {
    {"", "npu/debug_0/dump", "the device's dump"},
    {"", "npu/debug_1/dump", "the device's second dump"},
    {"", "dump/npu", "the device's dump"},
    {"", "tf/dump", "TensorFlow's dump"},
    {"", "dump/cpu", "TensorFlow's dump"},
    {"npu", "debug_0/dump", "the device's first dump"},
    {"npu", "debug_1/dump", "the device's second dump"},
    {"debug_0", "dump", "the device's dump"},
    {"debug_1", "dump", "the device's dump"},
    {"tf", "dump", "TensorFlow's dump"},
};

bool HasFiles(const std::string& folder) {
  return !Glimpse(folder).Find([](std::string_view) { return true; }).empty();
}

// Runs lie in folders of digits, often links to elsewhere: the last one.
std::string NewestRun(const std::string& folder) {
  std::string newest;
  for (const std::string& name : NamesIn(folder, EntryKind::kFolder)) {
    if (IsTimeFolder(name)) newest = name;  // they are sorted
  }
  return newest;
}

struct Chosen {
  std::string folder;  // below the root; empty: not such a root
  std::string_view what;
  int others = 0;  // dumps that could have been meant
};

Chosen Choose(const std::string& path) {
  Chosen chosen;
  const std::string name = fs::path(WithoutSlashes(path)).filename().native();
  for (const Choice& choice : kChoices) {
    const std::string folder = fmt::format("{}/{}", path, choice.folder);
    std::error_code ignored;
    if (!choice.root.empty() && choice.root != name) continue;
    if (!fs::is_directory(folder, ignored)) continue;
    const std::string run = NewestRun(folder);
    const bool there = run.empty() ? HasFiles(folder) : true;
    if (!there) continue;
    if (!chosen.folder.empty()) {
      ++chosen.others;
      continue;
    }
    chosen.what = choice.what;
    chosen.folder = choice.folder;
    if (!run.empty()) chosen.folder += "/" + run;
  }
  return chosen;
}

std::string Recognise(const Glimpse& glimpse) {
  if (!glimpse.is_folder()) return "";
  const Chosen chosen = Choose(glimpse.path());
  if (chosen.folder.empty()) return "";
  std::string why = fmt::format("a folder of precision_tool; opened {}, {}",
                                chosen.folder, chosen.what);
  if (chosen.others > 0) {
    why += fmt::format(" ({} more there: name its folder to open it)",
                       chosen.others);
  }
  return why;
}

Result<Dump> Open(const std::string& path, const OpenOptions& options) {
  // Some other source knows what is inside, and says of which kind it is.
  return OpenSource(fmt::format("{}/{}", path, Choose(path).folder), options);
}

}  // namespace

extern constinit const Source kPrecisionData = {
    .name = "precision_data",
    .summary = "the working folder of precision_tool: the dump in it",
    .recognise = Recognise,
    .open = Open,
};

}  // namespace assay
