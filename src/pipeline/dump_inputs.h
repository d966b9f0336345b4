#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/shape.h"
#include "graphs/onnx_file.h"
#include "kernel/numpy_random.h"

namespace assay {

// What the user says about a model's inputs.
struct InputOptions {
  // NAME=FILE, or NAME=random,seed=N,low=X,high=Y with any of the three.
  std::vector<std::string> inputs;
  // NAME=N for a named dimension, INPUT:AXIS=N for one without a name.
  std::vector<std::string> dims;
  // Inputs that are not named: an earlier dump or its dump_info.json, a folder
  // with NAME.npy, or a file with several tensors. Empty: random.
  std::string from;
  uint64_t seed = 42;
};

// One input as it will be given.
struct BoundInput {
  std::string name;
  DType dtype = DType::kF32;
  Shape shape;
  std::string file;  // empty: random
  RandomRange range;
  std::string bytes;  // the values, row-major and little-endian
};

// All inputs that the model needs. An error names the input, its type and its
// shape, and what is missing.
Result<std::vector<BoundInput>> BindInputs(const onnx::OnnxFile& file,
                                           const InputOptions& options);

}  // namespace assay
