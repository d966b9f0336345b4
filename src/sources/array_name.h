#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/dump.h"

namespace assay {

// What the name of an array file says, its suffix taken off:
//   OPERATOR.INDEX.TIME            an output, as dumps of TensorFlow, Caffe and
//   OPERATOR.INDEX.TIME.REPEAT     ONNX runs are called
//   DUMPNAME.input|output.INDEX... converted from an Ascend dump
//   NODE-TARGET.INPUT|OUTPUT.I[.J].TIME   of a TorchAir FX dump
// The texts are parts of the name that was parsed.
struct ArrayName {
  std::string_view op, type;
  Port port = Port::kOutput;
  int32_t index = -1;
  int32_t call = 0;
  int64_t time = -1;  // microseconds since 1970; -1 is "does not say"
};
std::optional<ArrayName> ParseArrayName(std::string_view stem);
// OPERATOR.INDEX.NUMBER, where it is known that files are called so: then the
// number is a time, however short.
std::optional<ArrayName> ParseOutputName(std::string_view stem);
// OPERATOR.input|output.INDEX, also with colons, which no old tool knows.
std::optional<ArrayName> ParsePortName(std::string_view stem);

// A file called after a port, in a folder called after the operator:
// OPERATOR/input_INDEX, also with a dot or nothing between.
std::optional<ArrayName> ParsePortPath(std::string_view path);

// A tensor that the FX dump wrote, or its extremes.
struct FxName {
  std::string_view node, target;
  std::string_view tensor;  // all but the time: "add_1-aten.add.Tensor.INPUT.0"
  Port port = Port::kOutput;
  int32_t argument = 0;
  int32_t member = -1;  // where the argument is a list
  int64_t time = -1;
  bool summary = false;
};
std::optional<FxName> ParseFxName(std::string_view stem);

}  // namespace assay
