// A dump of msprobe: dump.json says which tensors there are, and either what
// is known of their values or which file of dump_tensor_data/ holds them.
// A tensor is called as that file, without its suffix, whether it is there or
// not: Functional.linear.0.forward.input.0.
#include <optional>
#include <unordered_set>

#include "base/parallel.h"
#include "base/text.h"
#include "sources/msprobe_json.h"
#include "sources/msprobe_name.h"
#include "sources/msprobe_tree.h"
#include "sources/tree.h"

namespace assay {
namespace {

constexpr std::string_view kDataFolder = "dump_tensor_data";

std::string DataFolder(const MsprobeLeaf& leaf) {
  return leaf.folder.empty() ? std::string(kDataFolder)
                             : fmt::format("{}/{}", leaf.folder, kDataFolder);
}

std::string Recognise(const Glimpse& glimpse) {
  const MsprobeTree tree = FindMsprobe(glimpse.path());
  if (tree.leaves.empty()) return "";
  return fmt::format("{} of msprobe", tree.leaves.front().files.front());
}

ErrorRef Shared(Error error) {
  return std::make_shared<const Error>(std::move(error));
}

class Builder {
 public:
  explicit Builder(Dump& dump) : dump_(dump) {}

  // Everything that a dump.json tells; the files with values are named only.
  void AddDocument(const MsprobeLeaf& leaf, uint32_t file, MsprobeDump read) {
    int64_t order = 0;
    for (MsprobeTensor& tensor : read.tensors) {
      AddTensor(leaf, file, order++, std::move(tensor));
    }
    others_ += read.others;
    if (!read.error) return;
    TensorInfo& bad = dump_.tensors.emplace_back();
    bad.file = file;
    bad.name = bad.id.op = dump_.names.Intern(dump_.files[file]);
    bad.stored.dtype = DType::kOpaque;
    bad.stored.error = Shared(*std::move(read.error));
  }

  // Takes the values of the tensors from the files named since `first`.
  void ReadValues(uint32_t first, const OpenOptions& options) {
    Listings listings =
        ListAll(dump_.root, std::span(dump_.files).subspan(first), options);
    for (TensorInfo& tensor : dump_.tensors) {
      if (tensor.file < first) continue;
      auto stored = TheTensor(*std::move(listings[tensor.file - first]));
      if (stored) {
        tensor.stored = *std::move(stored);
        continue;
      }
      Error error = std::move(stored).error();
      if (error.file.empty()) error.file = dump_.PathOf(tensor);
      tensor.stored.dtype = DType::kOpaque;
      tensor.stored.error = Shared(std::move(error));
    }
  }

  // Files that are there and that no entry names.
  void NoteRest(const MsprobeLeaf& leaf) {
    const std::string folder = DataFolder(leaf);
    uint64_t rest = 0;
    std::string one;
    const std::string path =
        dump_.root.empty() ? folder : dump_.root + "/" + folder;
    for (std::string& name : NamesIn(path, EntryKind::kFile)) {
      if (named_.contains(fmt::format("{}/{}", folder, name))) continue;
      if (rest++ == 0) one = std::move(name);
    }
    if (rest == 0) return;
    dump_.notes.push_back({folder, fmt::format("{} of no entry, such as {}",
                                               Counted(rest, "file"), one)});
  }

  void NoteOthers(const std::string& file) {
    if (others_ == 0) return;
    dump_.notes.push_back(
        {file,
         fmt::format("{} no tensor: a number, a text, a device",
                     others_ == 1 ? "1 value is"
                                  : fmt::format("{} values are", others_))});
  }

 private:
  void AddTensor(const MsprobeLeaf& leaf, uint32_t file, int64_t order,
                 MsprobeTensor tensor) {
    const MsprobeName name = ParseMsprobeName(tensor.entry, tensor.place);
    std::string text = tensor.Name();
    TensorInfo& info = dump_.tensors.emplace_back();
    info.id = {.op = dump_.names.Intern(name.op),
               .type = dump_.names.Intern(name.type),
               .port = name.port,
               .phase = name.phase,
               .order_from = OrderFrom::kIndex,
               .index = name.index,
               .rank = leaf.rank,
               .step = leaf.step,
               .call = name.call,
               .order = order};
    info.name = dump_.names.Intern(text);
    info.file = file;
    info.stored.name = std::move(text);
    info.stored.dtype = MsprobeDType(tensor.dtype);
    info.stored.shape = std::move(tensor.shape);
    if (!tensor.data_name.empty()) {
      SetFile(leaf, tensor.data_name, info);
    } else {
      info.stored.summary =
          std::make_shared<const TensorSummary>(std::move(tensor.summary));
    }
  }

  void SetFile(const MsprobeLeaf& leaf, const std::string& data_name,
               TensorInfo& info) {
    const bool leads_out = data_name.find_first_of(std::string_view(
                               "/\0", 2)) != std::string::npos ||
                           data_name == "." || data_name == "..";
    if (leads_out) {
      info.stored.dtype = DType::kOpaque;
      info.stored.error =
          Shared(Corrupt("'{}' is no file of {}", data_name, kDataFolder)
                     .At(dump_.PathOf(info.file)));
      return;
    }
    info.file = static_cast<uint32_t>(dump_.files.size());
    dump_.files.push_back(fmt::format("{}/{}", DataFolder(leaf), data_name));
    named_.insert(dump_.files.back());
  }

  // A file of the dump holds one tensor.
  static Result<StoredTensor> TheTensor(Result<Listing> listing) {
    if (!listing) return std::move(listing).error();
    if (listing->tensors.empty()) return Unsupported("{}", listing->note);
    if (listing->tensors.size() == 1) {
      return std::move(listing->tensors.front());
    }
    return Corrupt("it holds {} tensors, not one", listing->tensors.size());
  }

  Dump& dump_;
  std::unordered_set<std::string> named_;
  uint64_t others_ = 0;
};

Result<Dump> Open(const std::string& path, const OpenOptions& options) {
  MsprobeTree tree = FindMsprobe(path);
  Dump dump{.root = tree.root, .notes = std::move(tree.notes)};
  std::vector<const MsprobeLeaf*> leaf_of;
  for (const MsprobeLeaf& leaf : tree.leaves) {
    for (const std::string& file : leaf.files) {
      dump.files.push_back(file);
      leaf_of.push_back(&leaf);
    }
  }
  const auto documents = static_cast<uint32_t>(dump.files.size());
  std::vector<MsprobeDump> read(documents);
  ParallelFor(documents, options.threads, [&](size_t i, size_t) {
    read[i] = ReadMsprobe(dump.PathOf(static_cast<uint32_t>(i)));
  });
  Builder builder(dump);
  for (uint32_t i = 0; i < documents; ++i) {
    builder.AddDocument(*leaf_of[i], i, std::move(read[i]));
  }
  builder.ReadValues(documents, options);
  for (const MsprobeLeaf& leaf : tree.leaves) builder.NoteRest(leaf);
  if (documents > 0) builder.NoteOthers(dump.files.front());
  return dump;
}

}  // namespace

extern constinit const Source kMsprobe = {
    .name = "msprobe",
    .summary = "a dump of msprobe: dump.json, with or without values",
    .recognise = Recognise,
    .open = Open,
};

}  // namespace assay
