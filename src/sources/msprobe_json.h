#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_file.h"
#include "base/result.h"
#include "core/shape.h"
#include "core/tensor_summary.h"

namespace assay {

// A tensor that dump.json tells of.
struct MsprobeTensor {
  std::string entry;      // "Functional.linear.0.forward"
  std::string place;      // in the entry: "input.0", "kwargs.mask", "weight"
  std::string dtype;      // "torch.float32", "Float32"
  Shape shape;            // empty where it is not known
  std::string data_name;  // of its file; empty if there is none
  TensorSummary summary;
  std::optional<bool> requires_grad;

  std::string Name() const {
    return place.empty() ? entry : entry + "." + place;
  }
};

struct MsprobeDump {
  std::vector<MsprobeTensor> tensors;  // in the order of the file
  uint64_t others = 0;                 // numbers, texts, devices
  std::optional<Error> error;          // the tensors before it are good
};

// What dump.json and debug.json begin with.
bool LooksLikeMsprobe(std::string_view head);

MsprobeDump ReadMsprobe(const std::string& path);

}  // namespace assay
