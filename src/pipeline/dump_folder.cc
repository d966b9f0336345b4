#include "pipeline/dump_folder.h"

#include <filesystem>
#include <utility>

#include "sources/dump_info.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEarlier = ".earlier";
constexpr std::string_view kParts[] = {kDumpInfoName, "inputs", "outputs"};

void MoveParts(const fs::path& from, const fs::path& to) {
  std::error_code ignored;
  for (const std::string_view part : kParts) {
    fs::remove_all(to / part, ignored);
    fs::rename(from / part, to / part, ignored);
  }
}

Status MakeFolder(const fs::path& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (!failed) return Done{};
  return IoError("cannot make a folder: {}", failed.message())
      .At(path.string());
}

}  // namespace

Result<DumpFolder> DumpFolder::Prepare(const std::string& path,
                                       DumpOptions::Existing existing) {
  using enum DumpOptions::Existing;
  std::error_code failed;
  const bool used = fs::exists(path, failed) && !fs::is_empty(path, failed);
  if (used && existing == kRefuse) {
    return IoError("the folder is not empty")
        .At(path)
        .Hint("--force replaces an earlier dump in it");
  }
  DumpFolder folder(path);
  if (used && existing == kReplace) {
    if (!fs::exists(fs::path(path) / kDumpInfoName, failed)) {
      return IoError("there is no earlier dump in this folder to replace")
          .At(path);
    }
    RETURN_IF_ERROR(MakeFolder(fs::path(path) / kEarlier));
    MoveParts(path, fs::path(path) / kEarlier);
    folder.has_earlier_ = true;
  }
  for (const std::string_view name :
       {std::string_view("inputs"), std::string_view("outputs"), kPlain,
        kCheck}) {
    RETURN_IF_ERROR(MakeFolder(fs::path(path) / name));
  }
  return folder;
}

DumpFolder::DumpFolder(DumpFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), has_earlier_(other.has_earlier_) {}

void DumpFolder::Keep() { has_earlier_ = false; }

DumpFolder::~DumpFolder() {
  if (path_.empty()) return;
  const fs::path path = path_;
  if (has_earlier_) MoveParts(path / kEarlier, path);
  std::error_code ignored;
  for (const std::string_view name : {kEarlier, kPlain, kCheck}) {
    fs::remove_all(path / name, ignored);
  }
}

}  // namespace assay
