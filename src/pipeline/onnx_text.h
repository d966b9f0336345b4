#pragma once

#include <string>

#include "base/result.h"
#include "graphs/onnx_cut.h"
#include "graphs/onnx_file.h"

namespace assay {

// "f32[n,3,h,w]", as far as the model says it.
std::string TypeText(const onnx::OnnxFile& file, const onnx::Value& value);

// A model, or the part of it that a cut keeps, as a program for people:
//   input x: f32[n,3,h,w]
//   const w: f32[8,3,3,3]
//   y: f32[n,8,h,w] = Conv(x, w) {group=1, pads=[1,1,1,1]}  # conv1
// One statement per node, in the order of running. Names that are no plain
// words stand in quotes as in JSON; - is an input that is left out.
Result<std::string> ModelText(const onnx::OnnxFile& file, const onnx::Cut& cut);

}  // namespace assay
