#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "core/stored_view.h"
#include "legacy/work_folder.h"
#include "sources/source.h"

namespace assay {

// One tensor of a working folder: an array file, or a tensor in a dump of the
// device under the name that its decoded copy has or would have.
struct FoundArray {
  std::string path;  // of the file
  std::string name;  // "relu1.0.17.npy", "Conv2D.conv1.3.7.17.output.0.npy"
  StoredTensor tensor;
  // Where a decoded copy belongs; empty: the file is an array itself.
  std::string copy;

  StoredView View() const { return PlainView(path, tensor); }
};

// By path, by name, or by the beginning of a name if that is enough. The error
// says what else it could be.
Result<FoundArray> FindArray(const WorkFolder& folder, const std::string& name,
                             const OpenOptions& options);

// The tensors of a file of the device's dump.
Result<std::vector<FoundArray>> TensorsOf(const WorkFolder& folder,
                                          const std::string& id,
                                          const DeviceFile& file,
                                          const OpenOptions& options);

// All names that FindArray knows.
std::vector<std::string> ArrayNames(const WorkFolder& folder);

}  // namespace assay
