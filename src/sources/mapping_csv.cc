#include "sources/mapping_csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/input_file.h"
#include "base/text.h"
#include "codecs/statistics_cell.h"
#include "sources/digits.h"
#include "sources/tree.h"

namespace assay {
namespace {

// A name in a file must not lead out of the folder.
bool IsPlainName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find_first_of(std::string_view("/\\\0", 3)) ==
             std::string_view::npos;
}

std::string_view Stem(std::string_view name) {
  return name.substr(0, name.find('.'));
}

constexpr std::string_view kArray = ".npy";

// What a file may be called once `assay watch` has shrunk it.
std::vector<std::string> RecordNames(std::string_view name) {
  std::vector<std::string> names;
  for (const std::string_view suffix :
       {"_min_max.npz", "_min_max.npy", "_stats.json"}) {
    names.push_back(fmt::format("{}{}", name, suffix));
    if (!name.ends_with(kArray)) continue;
    names.back().erase(name.size() - kArray.size(), kArray.size());
  }
  return names;
}

std::string_view AddLine(std::string_view line,
                         const std::function<bool(std::string_view)>& exists,
                         NameMapping& mapping) {
  std::vector<std::string> cells = SplitCells(line);
  if (cells.size() != 2) return "not two columns";
  if (!IsPlainName(cells[0]) || !IsPlainName(cells[1])) {
    return "not the name of a file in this folder";
  }
  if (!exists(cells[0]) && exists(cells[1])) std::swap(cells[0], cells[1]);
  // Appended line by line: the last one is the newest.
  mapping.originals.insert_or_assign(std::move(cells[0]), std::move(cells[1]));
  return "";
}

// A record of a file is called as the file was.
void AddRecords(const std::function<bool(std::string_view)>& exists,
                NameMapping& mapping) {
  std::vector<std::pair<std::string, std::string>> records;
  for (const auto& [stored, original] : mapping.originals) {
    if (exists(stored)) continue;
    const auto from = RecordNames(stored), to = RecordNames(original);
    for (size_t i = 0; i < from.size(); ++i) {
      if (exists(from[i])) records.emplace_back(from[i], to[i]);
    }
  }
  for (auto& [stored, original] : records) {
    mapping.originals.emplace(std::move(stored), std::move(original));
  }
}

Result<std::string> ReadWhole(const std::string& path) {
  constexpr uint64_t kLongest = 256 << 20;
  ASSIGN_OR_RETURN(InputFile file, InputFile::Open(path));
  file.LimitText(kLongest);
  return file.Text(0, file.size());
}

}  // namespace

NameMapping ParseMapping(
    std::string_view text,
    const std::function<bool(std::string_view name)>& exists) {
  constexpr size_t kTold = 10;  // of a file that is something else altogether
  text = WithoutByteOrderMark(text);
  NameMapping mapping;
  size_t number = 0, problems = 0;
  while (!text.empty()) {
    ++number;
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = Trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    const std::string_view problem = AddLine(line, exists, mapping);
    if (!problem.empty() && ++problems <= kTold) {
      mapping.problems.push_back(fmt::format("line {}: {}", number, problem));
    }
  }
  if (problems > kTold) {
    mapping.problems.push_back(
        fmt::format("{} more lines like that", problems - kTold));
  }
  return mapping;
}

bool IsShortened(std::string_view name) {
  constexpr size_t kHash = 32;
  const std::string_view stem = Stem(name);
  const bool hexadecimal = stem.find_first_not_of("0123456789abcdefABCDEF") ==
                           std::string_view::npos;
  const std::string_view suffix = name.substr(stem.size());
  if (suffix.find('.', 1) != std::string_view::npos) return false;
  return AllDigits(stem) || (stem.size() == kHash && hexadecimal);
}

Mappings::Mappings(const std::string& root,
                   std::span<const std::string> files) {
  for (const std::string& file : files) {
    if (NameIn(file) != kMappingFile) continue;
    const std::string folder(FolderOf(file));
    const auto text =
        ReadWhole(root.empty() ? file : fmt::format("{}/{}", root, file));
    if (!text) {
      notes_.push_back({file, text.error().what});
      continue;
    }
    const auto exists = [&](std::string_view name) {
      const std::string path = folder.empty()
                                   ? std::string(name)
                                   : fmt::format("{}/{}", folder, name);
      return std::binary_search(files.begin(), files.end(), path);
    };
    NameMapping mapping = ParseMapping(*text, [&](std::string_view name) {
      return exists(name) || std::ranges::any_of(RecordNames(name), exists);
    });
    AddRecords(exists, mapping);
    for (std::string& problem : mapping.problems) {
      notes_.push_back({file, std::move(problem)});
    }
    mapping.problems.clear();
    folders_.emplace(folder, std::move(mapping));
  }
}

const NameMapping* Mappings::Of(std::string_view file) const {
  if (folders_.empty()) return nullptr;
  const auto found = folders_.find(FolderOf(file));
  return found == folders_.end() ? nullptr : &found->second;
}

std::string_view Mappings::Lookup(std::string_view file,
                                  std::string_view stored) const {
  const NameMapping* mapping = Of(file);
  if (mapping == nullptr) return {};
  const auto found = mapping->originals.find(std::string(stored));
  return found == mapping->originals.end() ? std::string_view()
                                           : std::string_view(found->second);
}

std::string_view Mappings::OriginalName(std::string_view file) const {
  const std::string_view original = Lookup(file, NameIn(file));
  return original.empty() ? NameIn(file) : original;
}

std::string Mappings::AnyOriginal(
    const std::function<bool(std::string_view name)>& wanted) const {
  const std::string* first = nullptr;
  for (const auto& [folder, mapping] : folders_) {
    for (const auto& [stored, original] : mapping.originals) {
      if ((first == nullptr || original < *first) && wanted(original)) {
        first = &original;
      }
    }
  }
  return first == nullptr ? "" : *first;
}

bool Mappings::Misses(std::string_view file) const {
  const std::string_view name = NameIn(file);
  return Of(file) != nullptr && IsShortened(name) && Lookup(file, name).empty();
}

}  // namespace assay
