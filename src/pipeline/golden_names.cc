#include "pipeline/golden_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/input_file.h"
#include "base/output_file.h"
#include "sources/digits.h"
#include "sources/mapping_csv.h"

namespace assay {
namespace {

// "scope/node:1" -> "scope_node.1"
std::string StemOf(std::string_view tensor) {
  const size_t colon = tensor.rfind(':');
  const bool has_index =
      colon != std::string_view::npos && AllDigits(tensor.substr(colon + 1));
  std::string stem(has_index ? tensor.substr(0, colon) : tensor);
  std::ranges::replace_if(
      stem, [](char c) { return c == '/' || c == ':' || c == '\\'; }, '_');
  return fmt::format("{}.{}", stem, has_index ? tensor.substr(colon + 1) : "0");
}

}  // namespace

bool GoldenNames::Taken(const std::string& name) const {
  std::error_code ignored;
  return used_.contains(name) ||
         std::filesystem::exists(folder_ + "/" + name, ignored);
}

// Two of the same microsecond: the later one gets the next.
std::string GoldenNames::FirstFree(std::string_view stem, int64_t time) const {
  for (;; ++time) {
    std::string name = fmt::format("{}.{}.npy", stem, time);
    if (!Taken(name)) return name;
  }
}

std::string GoldenNames::For(std::string_view tensor, int64_t time) {
  const std::string stem = StemOf(tensor);
  std::string name = FirstFree(stem, time);
  if (name.size() > kLongest) {
    const std::string original = name;
    const std::string index = stem.substr(stem.rfind('.'));
    do {
      name = fmt::format("{}{}.{}.npy", next_number_++, index, time);
    } while (Taken(name));
    mapping_ += fmt::format("{},{}\n", name, original);
    used_.insert(original);
  }
  used_.insert(name);
  return name;
}

Status GoldenNames::WriteMapping() {
  if (mapping_.empty()) return Done{};
  const std::string path = fmt::format("{}/{}", folder_, kMappingFile);
  std::string before;
  if (const auto file = InputFile::Open(path)) {
    ASSIGN_OR_RETURN(before, file->Text(0, file->size()));
  }
  ASSIGN_OR_RETURN(OutputFile out, OutputFile::Create(path));
  RETURN_IF_ERROR(out.Append(before));
  RETURN_IF_ERROR(out.Append(mapping_));
  mapping_.clear();
  return out.Commit();
}

}  // namespace assay
