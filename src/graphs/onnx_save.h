#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "graphs/onnx_file.h"

namespace assay::onnx {

// Writes a model made from `origin` to a new file. Files with values get a hard
// link beside it, or a copy where that cannot be: runtimes refuse to follow
// paths that lead out of the model's folder.
Status SaveModel(const OnnxFile& origin, std::string_view bytes,
                 const std::string& path);

}  // namespace assay::onnx
