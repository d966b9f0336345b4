#include "legacy/find_array.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "codecs/codec.h"
#include "sources/tree.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr size_t kNamesInHint = 8;
constexpr std::string_view kSuffix = ".npy";

// "output:0" of dump D is called D.output.0.npy when it is decoded.
std::string DecodedName(std::string_view dump, std::string_view tensor) {
  std::string name = fmt::format("{}.{}", dump, tensor);
  std::ranges::replace(name, ':', '.');
  return name + std::string(kSuffix);
}

std::string_view WithoutSuffix(std::string_view name) {
  return name.ends_with(kSuffix) ? name.substr(0, name.size() - kSuffix.size())
                                 : name;
}

// As names of files have them.
std::string FlatName(std::string_view name) {
  std::string flat(name);
  for (char& c : flat) {
    if (c == '/' || c == '.' || c == '\\' || c == ' ') c = '_';
  }
  return flat;
}

Error Several(const std::string& name, const std::vector<std::string>& names) {
  std::string hint = "it may be ";
  for (size_t i = 0; i < std::min(names.size(), kNamesInHint); ++i) {
    hint += (i > 0 ? ", " : "") + names[i];
  }
  if (names.size() > kNamesInHint) {
    hint += fmt::format(" or one of {} more", names.size() - kNamesInHint);
  }
  return Usage("'{}' can be {}", name, Counted(names.size(), "array"))
      .Hint(hint);
}

Result<FoundArray> ArrayFile(const std::string& path,
                             const OpenOptions& options) {
  ASSIGN_OR_RETURN(const Listing listing, ListFile(path, options.hints));
  const std::string name(NameIn(path));
  if (listing.tensors.empty()) {
    return Unsupported("no tensor in it").At(path).Hint(listing.note);
  }
  if (listing.tensors.size() == 1) {
    return FoundArray{.path = path, .name = name, .tensor = listing.tensors[0]};
  }
  std::vector<std::string> names;
  for (const StoredTensor& tensor : listing.tensors) {
    names.push_back(DecodedName(name, tensor.name));
  }
  return Several(path, names);
}

// A device's dump and the run that it belongs to.
struct PlacedFile {
  std::string id;
  DeviceFile file;
};

std::vector<PlacedFile> DeviceFilesOf(const WorkFolder& folder) {
  std::vector<PlacedFile> all;
  const auto add = [&](const std::string& id, const std::string& dump) {
    if (dump.empty()) return;
    auto files = DeviceFilesIn(dump);
    if (!files) return;
    for (DeviceFile& file : *files) all.push_back({id, std::move(file)});
  };
  for (const WorkFolder::Run& run : folder.runs) add(run.id, run.dump);
  const bool own = std::ranges::none_of(folder.runs, [&](const auto& run) {
    return run.dump == folder.overflow;
  });
  if (own) add("overflow", folder.overflow);
  return all;
}

std::vector<std::string> ArrayFilesOf(const WorkFolder& folder) {
  std::vector<std::string> files;
  std::vector<std::string> places = folder.arrays;
  if (!folder.golden.empty()) places.push_back(folder.golden);
  if (std::ranges::find(places, folder.temp) == places.end()) {
    places.insert(places.begin(), folder.temp);
  }
  for (const std::string& place : places) {
    for (std::string& file : ArrayFilesIn(place)) {
      files.push_back(std::move(file));
    }
  }
  return files;
}

class Search {
 public:
  Search(const WorkFolder& folder, const std::string& name,
         const OpenOptions& options)
      : folder_(folder), name_(name), options_(options) {}

  Result<FoundArray> Find() {
    const std::string_view stem = WithoutSuffix(name_);
    for (std::string& file : ArrayFilesOf(folder_)) {
      const std::string_view own = NameIn(file);
      if (WithoutSuffix(own) == stem) return ArrayFile(file, options_);
      names_.emplace_back(own);
      if (own.starts_with(name_)) near_.push_back(std::move(file));
    }
    for (const PlacedFile& placed : DeviceFilesOf(folder_)) {
      ASSIGN_OR_RETURN(const bool found, InDump(placed, stem));
      if (found) return std::move(*exact_);
    }
    if (near_.empty() && inside_.empty()) FindOperator();
    if (near_.empty() && inside_.empty()) FindPattern();
    return OnlyOne();
  }

 private:
  // Adds the tensors of a dump whose name begins that way; true: one of them
  // is it.
  Result<bool> InDump(const PlacedFile& placed, std::string_view stem) {
    const std::string& dump = placed.file.name;
    names_.push_back(dump);
    if (!stem.starts_with(dump) && !dump.starts_with(stem)) return false;
    ASSIGN_OR_RETURN(auto tensors,
                     TensorsOf(folder_, placed.id, placed.file, options_));
    for (FoundArray& tensor : tensors) {
      if (WithoutSuffix(tensor.name) == stem) {
        exact_ = std::move(tensor);
        return true;
      }
      if (tensor.name.starts_with(stem)) AddInside(std::move(tensor));
    }
    return false;
  }

  // One name is one tensor: its decoded copy, or that of the first run.
  void AddInside(FoundArray tensor) {
    const auto copy = [&](const std::string& file) {
      return NameIn(file) == tensor.name;
    };
    if (std::ranges::any_of(near_, copy) ||
        std::ranges::find(inside_, tensor.name, &FoundArray::name) !=
            inside_.end()) {
      return;
    }
    inside_.push_back(std::move(tensor));
  }

  // Arrays of an operator that is written as in the graph: scope/op.0
  void FindOperator() {
    const std::string wanted = FlatName(name_);
    for (std::string& file : ArrayFilesOf(folder_)) {
      if (FlatName(NameIn(file)).starts_with(wanted)) {
        near_.push_back(std::move(file));
      }
    }
  }

  // As the old tool searched: the beginning of a name as a regular expression.
  void FindPattern() {
    const re2::RE2 pattern(name_, re2::RE2::Quiet);
    if (!pattern.ok()) return;
    for (std::string& file : ArrayFilesOf(folder_)) {
      const std::string_view own = NameIn(file);
      if (pattern.Match({own.data(), own.size()}, 0, own.size(),
                        re2::RE2::ANCHOR_START, nullptr, 0)) {
        near_.push_back(std::move(file));
      }
    }
  }

  Result<FoundArray> OnlyOne() {
    if (near_.size() + inside_.size() == 1) {
      return near_.empty() ? std::move(inside_[0])
                           : ArrayFile(near_[0], options_);
    }
    if (!near_.empty() || !inside_.empty()) {
      std::vector<std::string> names;
      for (const std::string& file : near_) names.emplace_back(NameIn(file));
      for (const FoundArray& array : inside_) names.push_back(array.name);
      return Several(name_, names);
    }
    const std::vector<std::string_view> known(names_.begin(), names_.end());
    return NotFound("no array is called '{}'", name_)
        .At(folder_.root)
        .Hint(DidYouMean(name_, known, "'ni OPERATOR' shows what there is"));
  }

  const WorkFolder& folder_;
  const std::string& name_;
  const OpenOptions& options_;
  std::vector<std::string> names_, near_;
  std::vector<FoundArray> inside_;
  std::optional<FoundArray> exact_;
};

}  // namespace

Result<std::vector<FoundArray>> TensorsOf(const WorkFolder& folder,
                                          const std::string& id,
                                          const DeviceFile& file,
                                          const OpenOptions& options) {
  ASSIGN_OR_RETURN(Listing listing, ListFile(file.path, options.hints));
  std::vector<FoundArray> found;
  for (StoredTensor& tensor : listing.tensors) {
    std::string name = DecodedName(file.name, tensor.name);
    const std::string_view place =
        id == "overflow" ? "overflow_decode" : "dump_decode";
    std::string copy =
        id == "overflow"
            ? fmt::format("{}/decode/{}/{}", folder.temp, place, name)
            : fmt::format("{}/decode/{}/{}/{}", folder.temp, place, id, name);
    found.push_back(
        {file.path, std::move(name), std::move(tensor), std::move(copy)});
  }
  return found;
}

Result<FoundArray> FindArray(const WorkFolder& folder, const std::string& name,
                             const OpenOptions& options) {
  std::error_code ignored;
  if (fs::is_regular_file(name, ignored)) return ArrayFile(name, options);
  return Search(folder, name, options).Find();
}

std::vector<std::string> ArrayNames(const WorkFolder& folder) {
  std::vector<std::string> names;
  for (const std::string& file : ArrayFilesOf(folder)) {
    names.emplace_back(NameIn(file));
  }
  for (PlacedFile& placed : DeviceFilesOf(folder)) {
    names.push_back(std::move(placed.file.name));
  }
  return names;
}

}  // namespace assay
