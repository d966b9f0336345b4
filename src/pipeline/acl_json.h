#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace assay {

// What aclInit() is told about dumping an offline model.
struct AclDump {
  std::vector<std::string> models;
  std::string dump_path;
  std::vector<std::string> layers;  // none: all
  std::string mode = "all";         // input, output, all
  bool operators = false;           // those of single-operator calls, too
};

// The text of acl.json. Layers belong to one model.
Result<std::string> AclJson(const AclDump& dump);

}  // namespace assay
