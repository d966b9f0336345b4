// What `assay dump` writes, and the dump_tools before it:
//   dump_info.json  inputs/NAME.npy  outputs/...
// Tensors are called by their names in the model, in the order of running. A
// tensor that the executor could not give is there with its error.
#include <fmt/format.h>

#include <filesystem>
#include <unordered_map>

#include "base/text.h"
#include "sources/dump_info.h"
#include "sources/tree.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::string Recognise(const Glimpse& glimpse) {
  std::error_code ignored;
  const fs::path info = fs::path(glimpse.path()) / kDumpInfoName;
  if (!fs::is_regular_file(info, ignored)) return "";
  const auto file = InputFile::Open(info.string());
  const auto head = file ? file->Head(1 << 10) : std::string();
  const bool known = head && head->find("\"meta_info\"") != std::string::npos;
  return known ? fmt::format("its {} lists the tensors", kDumpInfoName) : "";
}

// The files of taps where the info does not say them, by the tap's name: as
// dump_tools calls them, topoidx_00012__NAME.npy or NAME.npy.
std::unordered_map<std::string, std::string> OldFiles(const std::string& root) {
  std::unordered_map<std::string, std::string> files;
  for (const std::string& file : NamesIn(root + "/outputs", EntryKind::kFile)) {
    std::string_view name = file;
    if (!name.ends_with(".npy")) continue;
    name.remove_suffix(4);
    const size_t mark = name.find("__");
    const bool numbered =
        name.starts_with("topoidx_") && mark != std::string_view::npos;
    files.emplace(numbered ? name.substr(mark + 2) : name, "outputs/" + file);
  }
  return files;
}

class Builder {
 public:
  Builder(const std::string& root, const DumpInfo& info)
      : info_(info), old_(OldFiles(root)) {
    dump_.root = root;
  }

  Dump Build(const OpenOptions& options) {
    for (size_t i = 0; i < info_.taps.size(); ++i) AddTap(i);
    Listings listings = ListAll(dump_.root, dump_.files, options);
    for (size_t i = 0; i < info_.taps.size(); ++i) {
      if (dump_.tensors[i].stored.error) continue;
      Fill(*listings[dump_.tensors[i].file], info_.taps[i], dump_.tensors[i]);
    }
    std::error_code ignored;
    if (fs::is_regular_file(info_.model, ignored)) {
      dump_.graph_files.push_back(info_.model);
    }
    return std::move(dump_);
  }

 private:
  std::string FileOf(const DumpedTap& tap) const {
    if (!tap.file.empty()) return tap.file;
    const auto old = old_.find(tap.name);
    return old != old_.end() ? old->second : "outputs/" + tap.name + ".npy";
  }

  uint32_t FileNumber(const std::string& file) {
    const auto [at, is_new] =
        numbers_.emplace(file, static_cast<uint32_t>(dump_.files.size()));
    if (is_new) dump_.files.push_back(file);
    return at->second;
  }

  void AddTap(size_t i) {
    const DumpedTap& tap = info_.taps[i];
    TensorInfo& tensor = dump_.tensors.emplace_back();
    tensor.name = tensor.id.op = dump_.names.Intern(tap.name);
    tensor.id.type = dump_.names.Intern(tap.type);
    tensor.id.order = tap.index < 0 ? static_cast<int64_t>(i) : tap.index;
    tensor.id.order_from = OrderFrom::kGraph;
    if (tap.error.empty()) {
      tensor.file = FileNumber(FileOf(tap));
      return;
    }
    tensor.file = FileNumber(std::string(kDumpInfoName));
    tensor.stored.name = tap.name;
    SetError(Unsupported("{}", tap.error).Of(tap.name), tensor);
  }

  void Fill(const Result<Listing>& listing, const DumpedTap& tap,
            TensorInfo& tensor) const {
    if (!listing) return SetError(listing.error(), tensor);
    for (const StoredTensor& stored : listing->tensors) {
      if (listing->tensors.size() > 1 && stored.name != tap.tensor) continue;
      tensor.stored = stored;
      return;
    }
    SetError(
        NotFound("no tensor '{}' in it", tap.tensor).At(dump_.PathOf(tensor)),
        tensor);
  }

  static void SetError(Error error, TensorInfo& tensor) {
    tensor.stored.dtype = DType::kOpaque;
    tensor.stored.error = std::make_shared<const Error>(std::move(error));
  }

  const DumpInfo& info_;
  const std::unordered_map<std::string, std::string> old_;
  Dump dump_;
  std::unordered_map<std::string, uint32_t> numbers_;
};

Result<Dump> Open(const std::string& path, const OpenOptions& options) {
  const std::string root = WithoutSlashes(path);
  ASSIGN_OR_RETURN(const DumpInfo info,
                   ReadDumpInfo(fmt::format("{}/{}", root, kDumpInfoName)));
  return Builder(root, info).Build(options);
}

}  // namespace

extern constinit const Source kModelDump = {
    .name = "model-dump",
    .summary = "tensors of a model that was run, as 'assay dump' writes them",
    .recognise = Recognise,
    .open = Open,
};

}  // namespace assay
