#include "sources/dump_place.h"

#include <filesystem>
#include <vector>

#include "base/text.h"
#include "sources/digits.h"
#include "sources/tree.h"

namespace assay {
namespace {

using Levels = std::vector<std::string_view>;

Levels SplitPath(std::string_view path) {
  return path.empty() ? Levels{} : Split(path, '/');
}

// A level and whether it lies below the opened folder.
struct Level {
  std::string_view name;
  bool own = true;
};

int32_t OwnNumber(const Level& level) {
  return level.own ? ParseSmall(level.name).value_or(-1) : -1;
}

// The folder that holds DEVICE: TIME, or the last of "extra-info/data-dump",
// where exceptions are written. npos: no such level.
size_t BeforeDevice(const std::vector<Level>& levels) {
  for (size_t i = levels.size(); i-- > 0;) {
    if (IsTimeFolder(levels[i].name) || levels[i].name == "data-dump") return i;
  }
  return std::string_view::npos;
}

// [MODEL/][MODELID/][STEP/]
void SetModel(const std::vector<Level>& levels, size_t from, DumpPlace& place) {
  size_t numbers = from;
  for (size_t i = from; i < levels.size(); ++i) {
    if (AllDigits(levels[i].name)) continue;
    place.model = levels[i].name;
    numbers = i + 1;
  }
  if (numbers == levels.size()) return;
  place.step = OwnNumber(levels.back());
  if (numbers + 2 <= levels.size()) {
    place.model_id = OwnNumber(levels[levels.size() - 2]);
  }
}

// Without a slash at its end.
std::string FullPath(const std::string& path) {
  std::error_code ignored;
  return WithoutSlashes(
      std::filesystem::absolute(path, ignored).lexically_normal());
}

}  // namespace

int32_t RankOfFolder(std::string_view name) {
  constexpr std::string_view kMark = "rank";
  if (!name.starts_with("worldsize")) return -1;
  const size_t at = name.rfind(kMark);
  if (at == std::string_view::npos) return -1;
  return ParseSmall(name.substr(at + kMark.size())).value_or(-1);
}

std::string LevelsAbove(const std::string& root) {
  const std::string path = FullPath(root);
  constexpr size_t kMost = 5;  // TIME/DEVICE/MODEL/MODELID/STEP
  size_t begin = path.size();
  for (size_t n = 0; n < kMost && begin != std::string::npos && begin > 0;
       ++n) {
    begin = path.rfind('/', begin - 1);
    const std::string_view level =
        std::string_view(path).substr(begin + 1).substr(
            0, path.find('/', begin + 1) - begin - 1);
    if (IsTimeFolder(level)) return path.substr(begin + 1);
  }
  return "";
}

DumpHome HomeOf(const std::string& root) {
  const std::string full = FullPath(root);
  std::string_view path = full;
  constexpr int kMost = 6;  // RANK/TIME/DEVICE/MODEL/MODELID/TOKEN
  for (int n = 0; n < kMost && !path.empty(); ++n, path = FolderOf(path)) {
    const int32_t rank = RankOfFolder(NameIn(path));
    if (rank >= 0) return {std::string(FolderOf(path)), rank};
  }
  const std::string levels = LevelsAbove(root);
  if (levels.empty()) return {};
  return {full.substr(0, full.size() - levels.size() - 1)};
}

DumpPlace PlaceOf(std::string_view above, std::string_view folder) {
  DumpPlace place;
  std::vector<Level> levels;
  for (const std::string_view name : SplitPath(above)) {
    levels.push_back({name, false});
  }
  for (const std::string_view name : SplitPath(folder)) {
    levels.push_back({name});
    if (const int32_t rank = RankOfFolder(name); rank >= 0) {
      place.rank = rank;
      levels.clear();  // what is above a rank is no level of its dump
    }
  }
  const size_t before = BeforeDevice(levels);
  size_t next = 0;
  if (before != std::string_view::npos) {
    next = before + 1;
    if (levels[before].own && IsTimeFolder(levels[before].name)) {
      const std::string_view time = levels[before].name;
      place.run = folder.substr(
          0, static_cast<size_t>(time.data() + time.size() - folder.data()));
    }
  }
  // Opened at TIME's level or above it, a number comes first: the device.
  const bool is_device =
      next < levels.size() && AllDigits(levels[next].name) &&
      (before != std::string_view::npos ||
       (next + 1 < levels.size() && !AllDigits(levels[next + 1].name)));
  if (is_device) place.device = OwnNumber(levels[next++]);
  SetModel(levels, next, place);
  return place;
}

}  // namespace assay
