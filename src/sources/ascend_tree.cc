#include "sources/ascend_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "codecs/ascend.h"
#include "graphs/graph_kind.h"
#include "sources/ascend_folders.h"
#include "sources/digits.h"
#include "sources/dump_choice.h"
#include "sources/mapping_csv.h"
#include "sources/plain_names.h"
#include "sources/slice_join.h"
#include "sources/tree.h"

namespace assay {
namespace {

// What is counted while opening and told in one note each.
struct Tally {
  std::string first;  // file
  uint64_t count = 0;

  void Add(const std::string& file) {
    if (count++ == 0) first = file;
  }
};

class Opener {
 public:
  Opener(Tree tree, const OpenOptions& options)
      : tree_(std::move(tree)),
        options_(options),
        mappings_(tree_.root, tree_.files),
        folders_(tree_.root) {
    dump_.root = tree_.root;
    dump_.notes = std::move(tree_.notes);
    for (DumpNote& note : mappings_.notes()) Note(std::move(note));
  }

  Dump Open(Duplicates duplicates) {
    Sort();
    Choose(duplicates);
    std::vector<uint32_t> used;
    for (const DumpFile& f : choice_.files) {
      dump_.files.push_back(tree_.files[f.file]);
      dump_.times.push_back(f.name.time);
      if (used.empty() || used.back() != f.folder) used.push_back(f.folder);
    }
    for (const uint32_t other : others_) {
      dump_.files.push_back(tree_.files[other]);
    }
    folders_.Identify(used, dump_.names);
    listings_ = ListAll(dump_.root, dump_.files, options_);
    AddAll();
    NoteTallies();
    return std::move(dump_);
  }

 private:
  void Note(DumpNote note) { dump_.notes.push_back(std::move(note)); }

  // Which files are dumps, which are something else.
  void Sort() {
    std::vector<uint32_t> folder_of;
    folder_of.reserve(tree_.files.size());
    for (const std::string& file : tree_.files) {
      folder_of.push_back(folders_.Add(file));
    }
    folders_.ChooseRuns(dump_.notes);
    for (uint32_t i = 0; i < tree_.files.size(); ++i) {
      if (!folders_.IsOld(folder_of[i])) SortOne(i, folder_of[i]);
    }
  }

  // precision_tool puts the number of a long name where the operator was.
  std::optional<DumpName> NameOf(const std::string& file,
                                 std::string_view original) const {
    auto name = ParseDumpName(original);
    if (!name || !AllDigits(name->op)) return name;
    const auto real = ParseDumpName(mappings_.Lookup(file, name->op));
    return real ? real : name;
  }

  void SortOne(uint32_t i, uint32_t folder) {
    const std::string& file = tree_.files[i];
    const std::string_view own = NameIn(file);
    const std::string_view original = mappings_.OriginalName(file);
    const auto name = NameOf(file, original);
    if (own == kMappingFile) return;
    if (name && name->IsOverflowRecord()) return overflows_.Add(file);
    if (name) {
      dumps_.push_back({i, folder, WithoutSliceMarks(name->op), *name});
      return;
    }
    std::string path = fmt::format("{}/{}", tree_.root, file);
    if (IsGraphFile(path)) {
      dump_.graph_files.push_back(std::move(path));
      return;
    }
    if (IsShortened(own) && original == own) {
      Note({file, "no mapping.csv says what it is"});
    }
    others_.push_back(i);
  }

  void Choose(Duplicates duplicates) {
    const auto size = [&](const DumpFile& f) {
      std::error_code ignored;
      const auto bytes = std::filesystem::file_size(
          tree_.root + "/" + tree_.files[f.file], ignored);
      return ignored ? 0 : bytes;
    };
    const BetterDump larger = [&](const DumpFile& a, const DumpFile& b) {
      return size(a) > size(b);  // of equals the first by name
    };
    const bool newest = duplicates == Duplicates::kNewest;
    choice_ = ChooseDumps(std::move(dumps_), newest ? IsNewer : larger);
    const std::string_view what =
        newest ? "an older dump" : "a dump, no larger,";
    for (const auto& dropped : choice_.dropped) {
      const std::string_view name = NameIn(tree_.files[dropped.instead_of_it]);
      Note({tree_.files[dropped.file],
            dropped.is_summary
                ? fmt::format("only its statistics; {} has the values", name)
                : fmt::format("{} of the same operator; {} is read", what,
                              name)});
    }
  }

  void AddAll() {
    choice_.groups.push_back(choice_.files.size());
    for (size_t g = 0; g + 1 < choice_.groups.size(); ++g) {
      const size_t begin = choice_.groups[g], end = choice_.groups[g + 1];
      const DumpName& name = choice_.files[begin].name;
      if (name.IsSlice() && !name.summary) {
        AddSlices(begin, end);
      } else {
        AddDump(begin);
      }
    }
    for (size_t i = choice_.files.size(); i < dump_.files.size(); ++i) {
      AddPlainFile(static_cast<uint32_t>(i),
                   mappings_.OriginalName(dump_.files[i]),
                   *std::move(listings_[i]), dump_);
    }
  }

  // The tensors of one file; what cannot be read is one tensor with an error.
  void AddDump(size_t i) {
    Result<Listing>& listing = *listings_[i];
    const auto file = static_cast<uint32_t>(i);
    if (!listing) return AddUnreadable(i, std::move(listing).error());
    if (listing->tensors.empty()) {
      return Note({dump_.files[i], std::move(listing->note)});
    }
    if (listing->tensors.front().name.empty()) {  // an array, for all its name
      return AddPlainFile(file, NameIn(dump_.files[i]), std::move(listing),
                          dump_);
    }
    for (StoredTensor& stored : listing->tensors) {
      ErrorRef error = stored.error;
      AddTensor(i, {.file = file,
                    .stored = std::move(stored),
                    .error = std::move(error)});
    }
  }

  void AddUnreadable(size_t i, Error error) {
    TensorInfo& tensor = NewTensor(i);
    tensor.name = dump_.names.Intern(choice_.files[i].op);
    tensor.stored.dtype = DType::kOpaque;
    tensor.stored.error = std::make_shared<const Error>(std::move(error));
  }

  TensorInfo& NewTensor(size_t i) {
    const DumpFile& f = choice_.files[i];
    TensorInfo& tensor = dump_.tensors.emplace_back();
    tensor.file = static_cast<uint32_t>(i);
    tensor.id = folders_.IdOf(f.folder);
    tensor.id.op = dump_.names.Intern(f.op);
    tensor.id.type = dump_.names.Intern(f.name.type);
    if (f.name.time >= 0) {
      tensor.id.order = f.name.time;
      tensor.id.order_from = OrderFrom::kTimestamp;
    }
    return tensor;
  }

  void AddTensor(size_t i, JoinedTensor joined) {
    const Slot slot = ParseSlot(joined.stored.name);
    if (slot.port == Port::kNone) return buffers_.Add(dump_.files[i]);
    TensorInfo& tensor = NewTensor(i);
    name_.clear();
    fmt::format_to(std::back_inserter(name_), "{}:{}", choice_.files[i].op,
                   joined.stored.name);
    tensor.name = dump_.names.Intern(name_);
    tensor.file = joined.file;
    tensor.id.port = slot.port;
    tensor.id.index = slot.index;
    tensor.stored = std::move(joined.stored);
    tensor.join = std::move(joined.join);
    tensor.stored.error = std::move(joined.error);
  }

  // Threads of one operator: put together where they cut it.
  void AddSlices(size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (!*listings_[i]) return AddUnreadable(i, listings_[i]->error());
    }
    const auto first = ReadSlice(begin);
    if (!first) return AddUnreadable(begin, first.error());
    if (!first->slices || !AnyCut(*first->slices)) return AddNewest(begin, end);
    const int64_t threads = first->slices->threads;
    if (threads > 0 && static_cast<size_t>(threads) != end - begin) {
      Note({dump_.files[begin],
            fmt::format("{} of {} slices are here", end - begin, threads)});
    }
    std::vector<Slice> slices;
    for (size_t i = begin; i < end; ++i) {
      slices.push_back({static_cast<uint32_t>(i), TensorsOf(i)});
    }
    for (JoinedTensor& joined : JoinSlices(std::move(slices), *first)) {
      AddTensor(begin, std::move(joined));
    }
  }

  // A file that stands under a number was listed without knowing its thread.
  std::vector<StoredTensor> TensorsOf(size_t i) {
    const std::string& file = dump_.files[i];
    if (mappings_.OriginalName(file) != NameIn(file)) {
      if (const auto header = ReadSlice(i)) {
        return StoredTensors(*header, PathOf(i));
      }
    }
    return std::move((*listings_[i])->tensors);
  }

  std::string PathOf(size_t i) const {
    return dump_.PathOf(static_cast<uint32_t>(i));
  }

  // The thread is in the name that the dump gave the file.
  Result<AscendHeader> ReadSlice(size_t i) const {
    ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(PathOf(i)));
    return ReadAscendHeader(file, mappings_.OriginalName(dump_.files[i]));
  }

  // Slices that cut nothing repeat each other.
  void AddNewest(size_t begin, size_t end) {
    size_t newest = begin;
    for (size_t i = begin + 1; i < end; ++i) {
      if (IsNewer(choice_.files[i], choice_.files[newest])) newest = i;
    }
    AddDump(newest);
    for (size_t i = begin; i < end; ++i) {
      if (i == newest) continue;
      Note({dump_.files[i],
            fmt::format("no part of a tensor, but another dump of the same "
                        "operator; {} is read",
                        NameIn(dump_.files[newest]))});
    }
  }

  void NoteTallies() {
    if (overflows_.count > 0) {
      Note({overflows_.first,
            fmt::format("{}; see 'assay overflow'",
                        Counted(overflows_.count, "overflow record"))});
    }
    if (buffers_.count > 0) {
      Note({buffers_.first, fmt::format("{} of buffers and workspaces left out",
                                        Counted(buffers_.count, "block"))});
    }
  }

  Tree tree_;
  const OpenOptions& options_;
  Mappings mappings_;
  AscendFolders folders_;
  std::vector<DumpFile> dumps_;
  std::vector<uint32_t> others_;
  DumpChoice choice_;
  Listings listings_;
  Tally overflows_, buffers_;
  std::string name_;  // kept from tensor to tensor
  Dump dump_;
};

void AddGraphsIn(const std::string& folder, int32_t rank, Dump& dump) {
  const std::string other_rank = "_rank_";
  const std::string own_rank = fmt::format("_rank_{}_", rank);
  for (const std::string& name : NamesIn(folder, EntryKind::kFile)) {
    const bool others = rank >= 0 && name.find(other_rank) != name.npos &&
                        name.find(own_rank) == name.npos;
    std::string path = fmt::format("{}/{}", folder, name);
    if (!others && IsGraphFile(path)) {
      dump.graph_files.push_back(std::move(path));
    }
  }
}

// New compilers keep processes apart: pid_12_deviceid_0.
void AddGraphsBelow(const std::string& folder, int32_t rank, Dump& dump) {
  AddGraphsIn(folder, rank, dump);
  for (const std::string& name : NamesIn(folder, EntryKind::kFolder)) {
    if (name.starts_with("pid_") && name.find("_deviceid_") != name.npos) {
      AddGraphsIn(fmt::format("{}/{}", folder, name), rank, dump);
    }
  }
}

// The compiler's graphs often lie beside the dump: debug_0/graph, debug_0/dump;
// or at its top, while a folder inside it was opened.
void AddGraphsBeside(Dump& dump) {
  std::error_code ignored;
  const std::string root = std::filesystem::absolute(dump.root, ignored);
  if (const size_t end = root.rfind("/dump"); end != std::string::npos) {
    AddGraphsBelow(root.substr(0, end) + "/graph", -1, dump);
  }
  const DumpHome home = HomeOf(dump.root);
  if (!home.folder.empty()) AddGraphsBelow(home.folder, home.rank, dump);
}

}  // namespace

Result<Dump> OpenAscendTree(const std::string& path, const OpenOptions& options,
                            Duplicates duplicates) {
  ASSIGN_OR_RETURN(Tree tree, WalkTree(path));
  Dump dump = Opener(std::move(tree), options).Open(duplicates);
  AddGraphsBeside(dump);
  return dump;
}

}  // namespace assay
