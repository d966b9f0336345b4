// What TensorFlow's debugger dumps of one or several runs of a session:
//   [session_N/][run_TIME_NUMBER/]_tfdbg_device_,job_...,device_CPU_0/
//     scope/NODE_SLOT_DebugIdentity_TIME    one tensor
//     _tfdbg_graph_hashH_TIME               the graph as it ran
// An operator in a loop is dumped once per turn, with a time of its own.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/text.h"
#include "sources/digits.h"
#include "sources/plain_names.h"
#include "sources/tree.h"

namespace assay {
namespace {

constexpr std::string_view kDevice = "_tfdbg_device_";
constexpr std::string_view kOurs = "_tfdbg_";  // what is no tensor

struct TfdbgFile {
  uint32_t file = 0;      // into the tree's files
  std::string_view run;   // its folders above the device's
  std::string_view node;  // with its scopes
  int32_t slot = 0;
  int64_t time = 0;
};

// Takes "_..." off the end; empty if there is no such mark.
std::string_view TakeField(std::string_view& text) {
  const size_t bar = text.rfind('_');
  if (bar == std::string_view::npos) return {};
  const std::string_view field = text.substr(bar + 1);
  text = text.substr(0, bar);
  return field;
}

// NODE_SLOT_DebugIdentity_TIME, or TIME-N where two came at the same time.
bool ParseLeaf(std::string_view path, TfdbgFile& out) {
  const std::string_view time = TakeField(path);
  const auto number = ParseDigits(time.substr(0, time.find('-')));
  const bool debug = TakeField(path).starts_with("Debug");
  const auto slot = ParseSmall(TakeField(path));
  if (!number || !debug || !slot || path.empty()) return false;
  out.node = path;
  out.slot = *slot;
  out.time = *number;
  return true;
}

std::optional<TfdbgFile> ParseFile(std::string_view path) {
  size_t begin =
      path.starts_with(kDevice) ? 0 : path.find(fmt::format("/{}", kDevice));
  TfdbgFile file;
  if (begin != std::string_view::npos) {
    file.run = path.substr(0, begin);
    begin = path.find('/', begin + 1);
    if (begin == std::string_view::npos) return std::nullopt;
    path.remove_prefix(begin + 1);
  }
  if (!ParseLeaf(path, file)) return std::nullopt;
  return file;
}

auto TensorOf(const TfdbgFile& f) { return std::tuple(f.run, f.node, f.slot); }

class Opener {
 public:
  Opener(Tree tree, const OpenOptions& options)
      : tree_(std::move(tree)), options_(options) {}

  Dump Open() {
    dump_.root = tree_.root;
    dump_.notes = std::move(tree_.notes);
    dump_.files = tree_.files;
    for (uint32_t i = 0; i < tree_.files.size(); ++i) Sort(i);
    std::ranges::sort(files_, {}, [](const TfdbgFile& f) {
      return std::tuple_cat(TensorOf(f), std::tuple(f.time, f.file));
    });
    listings_ = ListAll(dump_.root, dump_.files, options_);
    int32_t call = 0;
    for (size_t i = 0; i < files_.size(); ++i) {
      const bool again =
          i > 0 && TensorOf(files_[i]) == TensorOf(files_[i - 1]);
      call = again ? call + 1 : 0;
      Add(files_[i], call);
    }
    for (const uint32_t i : others_) {
      AddPlainFile(i, NameIn(dump_.files[i]), *std::move(listings_[i]), dump_);
    }
    return std::move(dump_);
  }

 private:
  void Sort(uint32_t i) {
    const std::string& file = tree_.files[i];
    if (NameIn(file).starts_with("_tfdbg_graph")) {
      dump_.graph_files.push_back(fmt::format("{}/{}", dump_.root, file));
    } else if (NameIn(file).starts_with(kOurs)) {
      return;  // what was fetched and fed
    } else if (auto parsed = ParseFile(file)) {
      parsed->file = i;
      runs_.insert(parsed->run);
      files_.push_back(*parsed);
    } else {
      others_.push_back(i);
    }
  }

  // Runs are numbered as they are sorted: by session, then by time.
  int32_t StepOf(std::string_view run) const {
    if (runs_.size() < 2) return -1;
    return static_cast<int32_t>(std::distance(runs_.begin(), runs_.find(run)));
  }

  void Add(const TfdbgFile& f, int32_t call) {
    TensorInfo& tensor = dump_.tensors.emplace_back();
    tensor.file = f.file;
    tensor.name = dump_.names.Intern(fmt::format("{}:{}", f.node, f.slot));
    tensor.id = {.op = dump_.names.Intern(f.node),
                 .port = Port::kOutput,
                 .order_from = OrderFrom::kTimestamp,
                 .index = f.slot,
                 .step = StepOf(f.run),
                 .call = call,
                 .order = f.time};
    Result<Listing>& listing = *listings_[f.file];
    if (listing && listing->tensors.size() == 1) {
      tensor.stored = std::move(listing->tensors.front());
      return;
    }
    tensor.stored.dtype = DType::kOpaque;
    tensor.stored.error = std::make_shared<const Error>(
        listing ? Unsupported("{}", listing->note).At(dump_.PathOf(f.file))
                : std::move(listing).error());
  }

  Tree tree_;
  const OpenOptions& options_;
  Dump dump_;
  std::vector<TfdbgFile> files_;
  std::vector<uint32_t> others_;
  std::set<std::string_view> runs_;
  Listings listings_;
};

bool IsTensorFile(std::string_view name) {
  TfdbgFile ignored;
  return name.find("_Debug") != std::string_view::npos &&
         !name.starts_with(kOurs) && ParseLeaf(name, ignored);
}

std::string Recognise(const Glimpse& glimpse) {
  if (!glimpse.is_folder()) return "";
  const std::string found = glimpse.Find(IsTensorFile);
  if (found.empty()) return "";
  return fmt::format(
      "it has files named like dumps of TensorFlow's debugger: {}",
      NameIn(found));
}

Result<Dump> Open(const std::string& path, const OpenOptions& options) {
  ASSIGN_OR_RETURN(Tree tree, WalkTree(path));
  return Opener(std::move(tree), options).Open();
}

}  // namespace

extern constinit const Source kTfdbgTree = {
    .name = "tfdbg",
    .summary = "dump of TensorFlow's debugger, with the graph that ran",
    .recognise = Recognise,
    .open = Open,
};

}  // namespace assay
