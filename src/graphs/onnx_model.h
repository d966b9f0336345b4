#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/field_reader.h"
#include "base/result.h"
#include "core/names.h"
#include "core/shape.h"

namespace assay::onnx {

struct Value {
  NameId name = kNoName, dtype = kNoName;
  Shape shape;  // -1: not known
};

struct Attribute {
  NameId name = kNoName;
  std::vector<NameId> items;  // as text; one of what is no list
  bool list = false;
  bool integers = false;  // the items are whole numbers
};

struct Node {
  NameId name = kNoName, type = kNoName;
  std::vector<NameId> inputs, outputs;
  std::vector<Attribute> attributes;
  std::vector<uint32_t> subgraphs;  // into Model::parts
};

struct Part {
  NameId name = kNoName;
  int32_t parent = -1;  // the part whose tensors it sees too
  std::vector<Node> nodes;
  std::vector<Value> inputs, outputs, values, initializers;
};

// A ModelProto without its weights.
struct Model {
  NamePool names;
  std::vector<Part> parts;  // the main graph first
};

// Of the binary form, or of the text form.
Result<Model> ReadModel(FieldReader& in);

// For the binary form.
extern const Schema kModelSchema;

}  // namespace assay::onnx
