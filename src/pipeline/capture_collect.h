#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "pipeline/capture.h"

namespace assay {

// What lies in a folder, to tell later what is new: when each file, or folder
// directly in it, was written.
using Snapshot = std::map<std::string, std::filesystem::file_time_type>;
Snapshot FilesBelow(const std::string& folder);
Snapshot EntriesIn(const std::string& folder);
// Names of `after` that are not in `before`, or were written since.
std::vector<std::string> NewSince(const Snapshot& before,
                                  const Snapshot& after);

// Puts what a job left in a folder into its places: graphs of the compiler and
// runs of dumps are moved, fusion_result.json is copied.
class Collector {
 public:
  Collector(const CapturePlaces& places, std::vector<std::string>& notes)
      : places_(places), notes_(notes) {}

  void Collect(const std::string& folder,
               const std::vector<std::string>& names);
  // CANN makes a folder per process below the one for graphs.
  void LiftGraphs();

 private:
  void MoveGraph(const std::string& from, const std::string& name);
  void MoveRun(const std::string& from, const std::string& name);
  void CopyFusionResult(const std::string& from);

  const CapturePlaces& places_;
  std::vector<std::string>& notes_;
};

}  // namespace assay
