#pragma once

#include <string>

#include "core/dump.h"
#include "legacy/msaccucmp_log.h"

namespace assay {

struct OldFolderOptions {
  int threads = 1;
  bool slices_apart = false;  // of FFTS+, each a dump of its own (-ffts)
};

// A folder as `-m` and `-g` name it. Files of one folder are all arrays or all
// dumps.
OldResult<Dump> OpenOldFolder(const std::string& path,
                              const OldFolderOptions& options);

// Its files are the outputs of a framework, as dumps: .pb, .quant.
bool IsConverted(const Dump& dump);

}  // namespace assay
