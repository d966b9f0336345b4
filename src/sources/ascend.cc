// The dump tree of an Ascend device, from its root or any folder in it on:
//   TIME/DEVICE/[MODEL/][MODELID/][STEP/]TYPE.OPERATOR.TASK.STREAM.TIME

#include "sources/ascend_tree.h"
#include "sources/dump_name.h"
#include "sources/mapping_csv.h"
#include "sources/tree.h"

namespace assay {
namespace {

// A folder may have nothing but shortened names in it.
std::string FindMappedDump(const std::string& root, const std::string& file) {
  const std::string files[] = {file};
  const Mappings mappings(root, files);
  return mappings.AnyOriginal(
      [](std::string_view name) { return ParseDumpName(name).has_value(); });
}

std::string Recognise(const Glimpse& glimpse) {
  if (!glimpse.is_folder()) return "";
  std::string found = glimpse.Find(
      [](std::string_view name) { return ParseDumpName(name).has_value(); });
  if (found.empty()) {
    const std::string mapping = glimpse.Find(
        [](std::string_view name) { return name == kMappingFile; });
    if (mapping.empty()) return "";
    found = FindMappedDump(glimpse.path(), mapping);
  }
  if (found.empty()) return "";
  return fmt::format("it has files named like Ascend dumps: {}", NameIn(found));
}

Result<Dump> Open(const std::string& path, const OpenOptions& options) {
  return OpenAscendTree(path, options, Duplicates::kNewest);
}

}  // namespace

extern constinit const Source kAscendTree = {
    .name = "ascend",
    .summary = "the dump tree of an Ascend device, or any folder of it",
    .recognise = Recognise,
    .open = Open,
};

}  // namespace assay
