#pragma once

#include "app/command.h"

namespace assay {

// What `assay graph` can do; the first positional is the action's name.
Result<int> GraphLs(const Args& args);
Result<int> GraphInfo(const Args& args);
Result<int> GraphFusion(const Args& args);
Result<int> GraphBlame(const Args& args);  // `fusion` of two run files
Result<int> GraphDifference(const Args& args);
Result<int> GraphSvg(const Args& args);
// Of ONNX models.
Result<int> GraphText(const Args& args);
Result<int> GraphExtract(const Args& args);
Result<int> GraphMark(const Args& args);

}  // namespace assay
