#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "graphs/onnx_file.h"
#include "pipeline/dump_record.h"

namespace assay {

// Puts the files of all taps into one, outputs.npz or outputs.safetensors;
// nothing to do for "npy". Taps keep a file of their own where the format lacks
// their type.
Status PackTaps(const std::string& folder, const std::string& format,
                const onnx::OnnxFile& file, std::vector<TapRecord>& taps);

}  // namespace assay
