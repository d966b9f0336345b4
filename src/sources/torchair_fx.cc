// The dump that TorchAir makes of an FX graph on the host:
//   worldsizeW_global_rankR/GRAPH/TOKEN/file       newer
//   data_dump/NUMBER/gm_TIME_dump/file             older; NUMBER is TOKEN + 1
// A file is NODE-TARGET.INPUT|OUTPUT.I[.J].TIME.npy, J where argument I is a
// list.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/text.h"
#include "sources/array_name.h"
#include "sources/digits.h"
#include "sources/dump_place.h"
#include "sources/plain_names.h"
#include "sources/tree.h"

namespace assay {
namespace {

std::optional<FxName> ParseFile(std::string_view name) {
  for (const std::string_view suffix : {".npy", ".json"}) {
    if (!name.ends_with(suffix)) continue;
    name.remove_suffix(suffix.size());
    return ParseFxName(name);
  }
  return std::nullopt;
}

struct FxFile {
  uint32_t file = 0;  // into the tree's files
  FxName name;
  std::string_view folder;
};

auto OperatorOf(const FxFile& f) {
  return std::tuple(f.folder, f.name.node, f.name.target, f.name.port);
}
auto TensorOf(const FxFile& f) {
  return std::tuple_cat(OperatorOf(f),
                        std::tuple(f.name.argument, f.name.member));
}

// What the folder of a file says. Old dumps have a folder per graph whose name
// is a time, another one in each token: its place among its neighbours counts.
class FxFolders {
 public:
  explicit FxFolders(std::span<const std::string> files) {
    for (const std::string& file : files) {
      const std::string_view folder = FolderOf(file);
      if (IsOldGraph(NameIn(folder))) graphs_[FolderOf(folder)].insert(folder);
    }
  }

  TensorId IdOf(std::string_view folder, NamePool& names) const {
    TensorId id;
    for (const std::string_view level : Split(folder, '/')) {
      if (const int32_t rank = RankOfFolder(level); rank >= 0) id.rank = rank;
    }
    const bool old = IsOldGraph(NameIn(folder));
    const std::string_view token = old ? FolderOf(folder) : folder;
    const auto number = ParseSmall(NameIn(token));
    if (number) id.step = old ? std::max(*number - 1, 0) : *number;
    if (old) {
      const auto& all = graphs_.find(token)->second;
      id.graph = names.Intern(
          fmt::format("gm_{}", std::distance(all.begin(), all.find(folder))));
      return id;
    }
    const std::string_view graph = NameIn(number ? FolderOf(folder) : folder);
    if (RankOfFolder(graph) < 0) id.graph = names.Intern(graph);
    return id;
  }

 private:
  static bool IsOldGraph(std::string_view name) {
    return name.starts_with("gm_") && name.ends_with("_dump");
  }

  std::map<std::string_view, std::set<std::string_view>> graphs_;  // by token
};

// Sorted by tensor, values before extremes, the newest first.
void SortFiles(std::vector<FxFile>& files) {
  std::ranges::sort(files, [](const FxFile& a, const FxFile& b) {
    const auto key = [](const FxFile& f) {
      return std::tuple_cat(TensorOf(f),
                            std::tuple(f.name.summary, -f.name.time, f.file));
    };
    return key(a) < key(b);
  });
}

// Keeps one file per tensor, the first.
std::vector<FxFile> KeepNewest(std::vector<FxFile> files, const Tree& tree,
                               std::vector<DumpNote>& notes) {
  SortFiles(files);
  std::vector<FxFile> kept;
  for (const FxFile& f : files) {
    if (kept.empty() || TensorOf(kept.back()) != TensorOf(f)) {
      kept.push_back(f);
      continue;
    }
    const FxFile& better = kept.back();
    const bool extremes = f.name.summary && !better.name.summary;
    notes.push_back({tree.files[f.file],
                     fmt::format("{}; {} is read",
                                 extremes ? "only its extremes"
                                          : "an older dump of the same tensor",
                                 NameIn(tree.files[better.file]))});
  }
  return kept;
}

// A number for each tensor of an operator. It is the number of the argument
// until a list comes, whose members take a number each; so no two tensors have
// the same one.
void NumberTensors(std::span<const FxFile> files, std::span<TensorInfo> out) {
  int32_t shift = 0;
  for (size_t i = 0; i < files.size(); ++i) {
    const FxName& name = files[i].name;
    if (i > 0 && OperatorOf(files[i]) != OperatorOf(files[i - 1])) shift = 0;
    out[i].id.index = name.argument + shift + std::max(name.member, 0);
    const bool last_of_list =
        i + 1 == files.size() ||
        OperatorOf(files[i + 1]) != OperatorOf(files[i]) ||
        files[i + 1].name.argument != name.argument;
    if (last_of_list) shift += std::max(name.member, 0);
  }
}

void AddTensor(uint32_t i, const FxFile& f, const TensorId& folder,
               Result<Listing> listing, Dump& dump) {
  TensorInfo& tensor = dump.tensors.emplace_back();
  tensor.file = i;
  tensor.name = dump.names.Intern(f.name.tensor);
  tensor.id = folder;
  tensor.id.op = dump.names.Intern(f.name.node);
  tensor.id.type = dump.names.Intern(f.name.target);
  tensor.id.port = f.name.port;
  tensor.id.order = f.name.time;
  tensor.id.order_from = OrderFrom::kTimestamp;
  if (listing && listing->tensors.size() == 1) {
    tensor.stored = std::move(listing->tensors.front());
    return;
  }
  tensor.stored.dtype = DType::kOpaque;
  tensor.stored.error = std::make_shared<const Error>(
      listing ? Unsupported("{}", listing->note).At(dump.files[i])
              : std::move(listing).error());
}

std::string Recognise(const Glimpse& glimpse) {
  if (!glimpse.is_folder()) return "";
  const std::string found = glimpse.Find(
      [](std::string_view name) { return ParseFile(name).has_value(); });
  if (found.empty()) return "";
  return fmt::format("it has files named like FX dumps: {}", NameIn(found));
}

Result<Dump> Open(const std::string& path, const OpenOptions& options) {
  ASSIGN_OR_RETURN(Tree tree, WalkTree(path));
  std::vector<FxFile> files;
  std::vector<uint32_t> others;
  for (uint32_t i = 0; i < tree.files.size(); ++i) {
    const std::string& file = tree.files[i];
    if (auto name = ParseFile(NameIn(file))) {
      files.push_back({i, *name, FolderOf(file)});
    } else {
      others.push_back(i);
    }
  }
  Dump dump{.root = tree.root, .notes = std::move(tree.notes)};
  files = KeepNewest(std::move(files), tree, dump.notes);
  for (const FxFile& f : files) dump.files.push_back(tree.files[f.file]);
  for (const uint32_t i : others) dump.files.push_back(tree.files[i]);
  Listings listings = ListAll(dump.root, dump.files, options);

  const FxFolders folders(tree.files);
  TensorId id;
  for (uint32_t i = 0; i < files.size(); ++i) {
    if (i == 0 || files[i].folder != files[i - 1].folder) {
      id = folders.IdOf(files[i].folder, dump.names);
    }
    AddTensor(i, files[i], id, *std::move(listings[i]), dump);
  }
  NumberTensors(files, dump.tensors);
  for (auto i = static_cast<uint32_t>(files.size()); i < dump.files.size();
       ++i) {
    AddPlainFile(i, NameIn(dump.files[i]), *std::move(listings[i]), dump);
  }
  return dump;
}

}  // namespace

extern constinit const Source kTorchairFx = {
    .name = "torchair-fx",
    .summary = "TorchAir's dump of an FX graph on the host, by rank and token",
    .recognise = Recognise,
    .open = Open,
};

}  // namespace assay
