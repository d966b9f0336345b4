#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "core/graph.h"

namespace assay {

// The working folder of precision_tool and what lies where in it.
//   now     npu/debug_N/{dump,graph}  tf/dump   overflow/dump   fusion  temp
//   before  dump/npu and graph/all    dump/cpu  dump/overflow dump/decode
// Its instructions call the root precision_data, precision_tool and precision;
// people have parts of the data in each of them. Any other folder counts as
// one that has everything in it.
struct WorkFolder {
  // One run of the device; a second one has fusion switched off.
  struct Run {
    std::string id;      // "debug_0"
    std::string dump;    // folder; empty: none
    std::string graphs;  // folder; empty: none
  };

  std::string root;
  std::vector<Run> runs;
  std::string golden;    // folder of the framework's arrays; empty: none
  std::string overflow;  // folder of overflow records; empty: none
  std::string fusion;    // fusion_result.json; empty: none
  std::string temp;      // where new files go; may not be there yet
  std::vector<std::string> arrays;  // folders with decoded arrays
};

// `asked` is a root; empty: those of the current folder, else that itself.
// `configured` is one of these, if it is there, and comes first.
Result<WorkFolder> FindWorkFolder(const std::string& asked,
                                  const std::string& configured = "");

// The graphs as they run, in the order of their numbers. One that cannot be
// read does not hide the others.
struct RunGraphs {
  std::vector<Graph> graphs;
  std::vector<Error> errors;
};
RunGraphs OpenRunGraphs(const WorkFolder::Run& run);

// Dumps lie in folders called by their time, often links to elsewhere: the last
// one of these; the folder itself if there is none.
std::string NewestDump(const std::string& folder);

// A file of a device's dump, by its real name.
struct DeviceFile {
  std::string path, name;
  std::string type, op;
  int64_t time = -1;
};
// Those of the newest dump, sorted by name.
Result<std::vector<DeviceFile>> DeviceFilesIn(const std::string& dump);

// Paths of the array files (.npy) below a folder; none if it is not there.
std::vector<std::string> ArrayFilesIn(const std::string& folder);

}  // namespace assay
