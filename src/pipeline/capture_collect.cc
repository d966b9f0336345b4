#include "pipeline/capture_collect.h"

#include <fmt/format.h>

#include "graphs/graph_kind.h"
#include "sources/digits.h"
#include "sources/dump_name.h"
#include "sources/tree.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFusionResult = "fusion_result.json";

// What a graph compiler leaves behind, converted or not; offline models are the
// user's own.
bool IsDumpedGraph(std::string_view name) {
  return name.starts_with("ge_proto_") || name.starts_with("ge_onnx_") ||
         (HasGraphName(name) && !name.ends_with(".om"));
}

bool HasOverflowRecord(const std::string& folder) {
  return !Glimpse(folder)
              .Find([](std::string_view name) {
                const auto parsed = ParseDumpName(name);
                return parsed && parsed->IsOverflowRecord();
              })
              .empty();
}

}  // namespace

Snapshot FilesBelow(const std::string& folder) {
  Snapshot files;
  const auto tree = WalkTree(folder);
  if (!tree) return files;
  for (const std::string& file : tree->files) {
    std::error_code ignored;
    files[file] = fs::last_write_time(folder + "/" + file, ignored);
  }
  return files;
}

Snapshot EntriesIn(const std::string& folder) {
  Snapshot entries;
  for (const EntryKind kind : {EntryKind::kFile, EntryKind::kFolder}) {
    for (const std::string& name : NamesIn(folder, kind)) {
      std::error_code ignored;
      entries[name] = fs::last_write_time(folder + "/" + name, ignored);
    }
  }
  return entries;
}

std::vector<std::string> NewSince(const Snapshot& before,
                                  const Snapshot& after) {
  std::vector<std::string> names;
  for (const auto& [name, time] : after) {
    const auto found = before.find(name);
    if (found == before.end() || found->second != time) names.push_back(name);
  }
  return names;
}

void Collector::Collect(const std::string& folder,
                        const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const std::string from = folder + "/" + name;
    std::error_code ignored;
    const bool is_folder = fs::is_directory(from, ignored);
    if (is_folder && IsTimeFolder(name)) MoveRun(from, name);
    if (!is_folder && IsDumpedGraph(name)) MoveGraph(from, name);
    if (!is_folder && name == kFusionResult) CopyFusionResult(from);
  }
}

void Collector::LiftGraphs() {
  for (const std::string& folder : NamesIn(places_.graph, EntryKind::kFolder)) {
    const std::string path = places_.graph + "/" + folder;
    for (const std::string& name : NamesIn(path, EntryKind::kFile)) {
      std::error_code ignored;
      if (!IsDumpedGraph(name)) continue;
      if (fs::exists(places_.graph + "/" + name, ignored)) {
        notes_.push_back(fmt::format(
            "{}/{} stays there: another process wrote one of that name", path,
            name));
      } else {
        MoveGraph(path + "/" + name, name);
      }
    }
  }
}

// Over one of an earlier run: this run's dumps need this run's graph.
void Collector::MoveGraph(const std::string& from, const std::string& name) {
  const std::string to = places_.graph + "/" + name;
  std::error_code failed;
  fs::rename(from, to, failed);
  if (failed) {
    fs::copy_file(from, to, fs::copy_options::overwrite_existing, failed);
  }
  if (failed) {
    notes_.push_back(
        fmt::format("{} stays where it is: {}", from, failed.message()));
  }
}

// A run on another disk is linked to: copying could take hours.
void Collector::MoveRun(const std::string& from, const std::string& name) {
  const std::string to = fmt::format(
      "{}/{}", HasOverflowRecord(from) ? places_.overflow : places_.dump, name);
  std::error_code failed;
  if (fs::exists(fs::symlink_status(to, failed))) {
    notes_.push_back(fmt::format("{} stays there: {} exists", from, to));
    return;
  }
  fs::rename(from, to, failed);
  if (!failed) return;
  fs::create_directory_symlink(fs::absolute(from), to, failed);
  notes_.push_back(
      failed ? fmt::format("{} stays there: {}", from, failed.message())
             : fmt::format("{} stays there, with a link to it in "
                           "{}",
                           from, places_.root));
}

void Collector::CopyFusionResult(const std::string& from) {
  std::error_code failed;
  fs::copy_file(from, fmt::format("{}/{}", places_.fusion, kFusionResult),
                fs::copy_options::overwrite_existing, failed);
  if (failed) {
    notes_.push_back(fmt::format("{}: {}", from, failed.message()));
  }
}

}  // namespace assay
