#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/field_reader.h"
#include "base/result.h"
#include "core/names.h"
#include "core/shape.h"

namespace assay::onnx {

// Where a field stands in the file, its tag included.
struct Span {
  uint64_t begin = 0, end = 0;
};

// Values of an initializer that are in another file.
struct ExternalData {
  NameId location = kNoName;
  std::optional<uint64_t> offset, length;
  std::string wrong;  // what is no such place
};

// The bytes of a tensor's values, where they stand in the file itself.
struct Bytes {
  std::string_view field;  // "raw_data", or that of packed numbers
  std::string_view bytes;  // valid as long as the file's
};

struct Value {
  NameId name = kNoName, dtype = kNoName;  // no dtype: no tensor, or not told
  Shape shape;                             // -1: not known
  std::vector<NameId> dims;  // names of dimensions; empty if none has one
  bool has_shape = false;
  uint32_t type = 0;  // the number of `dtype`
  Span span;
  std::shared_ptr<const ExternalData> external;
  Bytes stored;
};

struct Attribute {
  NameId name = kNoName;
  std::vector<NameId> items;  // as text; one of what is no list
  bool list = false;
  bool integers = false;  // the items are whole numbers
  bool strings = false;   // the items are texts
  uint32_t type = 0;      // of the elements, if the items are tensors
  std::shared_ptr<const Value> tensor;  // the last of those
};

struct Node {
  NameId name = kNoName, type = kNoName, domain = kNoName;
  Span span;
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
  Span graph;               // the main one
  int64_t ir_version = 0;
  std::vector<std::pair<NameId, int64_t>> opsets;  // domain, version
};

// Of the binary form, or of the text form.
Result<Model> ReadModel(FieldReader& in);

// For the binary form.
extern const Schema kModelSchema;

}  // namespace assay::onnx
