#include "sources/ascend_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/text.h"
#include "sources/tree.h"

namespace assay {

uint32_t AscendFolders::Add(std::string_view file) {
  const std::string_view path = FolderOf(file);
  // Files come sorted: mostly it is the folder of the one before.
  if (folders_.empty() || folders_[last_].path != path) {
    const auto found = numbers_.find(path);
    if (found != numbers_.end()) {
      last_ = found->second;
    } else {
      last_ = static_cast<uint32_t>(folders_.size());
      Folder& folder = folders_.emplace_back();
      folder.path = path;
      folder.place = PlaceOf(above_, folder.path);
      numbers_.emplace(folder.path, last_);
    }
  }
  ++folders_[last_].files;
  return last_;
}

void AscendFolders::ChooseRuns(std::vector<DumpNote>& notes) {
  // By the folder that holds the runs; as text, all have the same length.
  std::map<std::string_view, std::string_view> newest;
  for (const Folder& folder : folders_) {
    const std::string_view run = folder.place.run;
    if (run.empty()) continue;
    std::string_view& best = newest[FolderOf(run)];
    best = std::max(best, run);
  }
  std::map<std::string_view, uint32_t> old;  // files of older runs
  for (Folder& folder : folders_) {
    const std::string_view run = folder.place.run;
    if (run.empty() || run == newest[FolderOf(run)]) continue;
    folder.old = true;
    old[run] += folder.files;
  }
  for (const auto& [run, files] : old) {
    notes.push_back(
        {std::string(run),
         fmt::format("an older run, {}; {} is read", Counted(files, "file"),
                     NameIn(newest[FolderOf(run)]))});
  }
}

void AscendFolders::Identify(const std::vector<uint32_t>& used,
                             NamePool& names) {
  std::set<int32_t> devices;
  // The numbers of a model; each process counts for itself.
  std::map<std::tuple<int32_t, int32_t, std::string_view>, std::set<int32_t>>
      models;
  const auto numbers = [&](const DumpPlace& p) -> std::set<int32_t>& {
    return models[{p.rank, p.device, p.model}];
  };
  for (const uint32_t i : used) {
    const DumpPlace& place = folders_[i].place;
    if (place.device >= 0) devices.insert(place.device);
    numbers(place).insert(place.model_id);
  }
  for (const uint32_t i : used) {
    Folder& folder = folders_[i];
    const DumpPlace& place = folder.place;
    TensorId& id = folder.id;
    id.rank = place.rank;
    if (id.rank < 0 && devices.size() > 1) id.rank = place.device;
    id.step = place.step;
    id.graph = names.Intern(place.model);
    // A model that was loaded twice has another number in the next run; the
    // first stays the first.
    const auto& ids = numbers(place);
    id.call = static_cast<int32_t>(
        std::distance(ids.begin(), ids.find(place.model_id)));
  }
}

}  // namespace assay
