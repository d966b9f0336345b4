// The dump that TorchAir makes of a graph on the device:
//   [worldsizeW_global_rankR/]TIME/DEVICE/MODEL/MODELID/TOKEN/file
// with the graphs as dynamo_*.txt beside it, opened there, above or inside. The
// files are Ascend dumps; of two with one operator the larger counts, as the
// tools of TorchAir have it.
#include <algorithm>

#include "sources/ascend_tree.h"
#include "sources/dump_name.h"
#include "sources/dump_place.h"
#include "sources/tree.h"

namespace assay {
namespace {

bool IsGraph(std::string_view name) {
  return name.starts_with("dynamo_") && name.ends_with(".txt");
}

bool IsDump(std::string_view name) { return ParseDumpName(name).has_value(); }

std::string GraphAbove(const std::string& path) {
  const auto files = NamesIn(HomeOf(path).folder, EntryKind::kFile);
  const auto graph = std::ranges::find_if(files, IsGraph);
  return graph == files.end() ? "" : *graph;
}

std::string Recognise(const Glimpse& glimpse) {
  if (!glimpse.is_folder()) return "";
  const std::string& path = glimpse.path();
  for (const std::string& name : NamesIn(path, EntryKind::kFolder)) {
    if (RankOfFolder(name) < 0) continue;
    const std::string rank = fmt::format("{}/{}", path, name);
    if (Glimpse(rank).Find(IsDump).empty()) continue;
    return fmt::format("Ascend dumps in folders of ranks: {}", name);
  }
  std::string graph = glimpse.Find(IsGraph);
  if (graph.empty()) graph = GraphAbove(path);
  if (graph.empty() || glimpse.Find(IsDump).empty()) return "";
  return fmt::format("Ascend dumps with a graph of TorchAir beside them: {}",
                     NameIn(graph));
}

Result<Dump> Open(const std::string& path, const OpenOptions& options) {
  return OpenAscendTree(path, options, Duplicates::kLargest);
}

}  // namespace

extern constinit const Source kTorchairGe = {
    .name = "torchair-ge",
    .summary = "TorchAir's dump of a graph on the device, by rank and token",
    .recognise = Recognise,
    .open = Open,
};

}  // namespace assay
