// Field numbers of ONNX; what a schema does not list is passed over. Values
// count as bytes, packed or raw: nobody looks at those of weights.
#include "graphs/onnx_model.h"

namespace assay::onnx {
namespace {

using enum SchemaKind;

constexpr SchemaField kDimFields[] = {
    {.number = 1, .name = "dim_value", .kind = kSigned},
    {.number = 2, .name = "dim_param"}};
constexpr Schema kDim = {kDimFields};
constexpr SchemaField kShapeFields[] = {
    {.number = 1, .name = "dim", .kind = kMessage, .message = &kDim}};
constexpr Schema kShape = {kShapeFields};
constexpr SchemaField kTensorTypeFields[] = {
    {.number = 1, .name = "elem_type", .kind = kSigned},
    {.number = 2, .name = "shape", .kind = kMessage, .message = &kShape}};
constexpr Schema kTensorType = {kTensorTypeFields};
constexpr SchemaField kTypeFields[] = {{.number = 1,
                                        .name = "tensor_type",
                                        .kind = kMessage,
                                        .message = &kTensorType}};
constexpr Schema kType = {kTypeFields};
constexpr SchemaField kValueFields[] = {
    {.number = 1, .name = "name"},
    {.number = 2, .name = "type", .kind = kMessage, .message = &kType}};
constexpr Schema kValue = {kValueFields};

constexpr SchemaField kEntryFields[] = {{.number = 1, .name = "key"},
                                        {.number = 2, .name = "value"}};
constexpr Schema kEntry = {kEntryFields};
constexpr SchemaField kTensorFields[] = {
    {.number = 1, .name = "dims", .kind = kSigned},
    {.number = 2, .name = "data_type", .kind = kSigned},
    {.number = 4, .name = "float_data"},
    {.number = 5, .name = "int32_data"},
    {.number = 8, .name = "name"},
    {.number = 9, .name = "raw_data"},
    {.number = 10, .name = "double_data"},
    {.number = 13,
     .name = "external_data",
     .kind = kMessage,
     .message = &kEntry},
    {.number = 14, .name = "data_location", .kind = kSigned}};
constexpr Schema kTensor = {kTensorFields};
constexpr SchemaField kSparseFields[] = {
    {.number = 1, .name = "values", .kind = kMessage, .message = &kTensor},
    {.number = 3, .name = "dims", .kind = kSigned}};
constexpr Schema kSparse = {kSparseFields};

extern const Schema kGraph;

constexpr SchemaField kAttributeFields[] = {
    {.number = 1, .name = "name"},
    {.number = 2, .name = "f", .kind = kFloat},
    {.number = 3, .name = "i", .kind = kSigned},
    {.number = 4, .name = "s"},
    {.number = 5, .name = "t", .kind = kMessage, .message = &kTensor},
    {.number = 6, .name = "g", .kind = kMessage, .message = &kGraph},
    {.number = 7, .name = "floats", .kind = kFloat},
    {.number = 8, .name = "ints", .kind = kSigned},
    {.number = 9, .name = "strings"},
    {.number = 10, .name = "tensors", .kind = kMessage, .message = &kTensor},
    {.number = 11, .name = "graphs", .kind = kMessage, .message = &kGraph}};
constexpr Schema kAttribute = {kAttributeFields};
constexpr SchemaField kNodeFields[] = {{.number = 1, .name = "input"},
                                       {.number = 2, .name = "output"},
                                       {.number = 3, .name = "name"},
                                       {.number = 4, .name = "op_type"},
                                       {.number = 5,
                                        .name = "attribute",
                                        .kind = kMessage,
                                        .message = &kAttribute},
                                       {.number = 7, .name = "domain"}};
constexpr Schema kNode = {kNodeFields};

constexpr SchemaField kGraphFields[] = {
    {.number = 1, .name = "node", .kind = kMessage, .message = &kNode},
    {.number = 2, .name = "name"},
    {.number = 5, .name = "initializer", .kind = kMessage, .message = &kTensor},
    {.number = 11, .name = "input", .kind = kMessage, .message = &kValue},
    {.number = 12, .name = "output", .kind = kMessage, .message = &kValue},
    {.number = 13, .name = "value_info", .kind = kMessage, .message = &kValue},
    {.number = 15,
     .name = "sparse_initializer",
     .kind = kMessage,
     .message = &kSparse}};
const Schema kGraph = {kGraphFields};

constexpr SchemaField kFunctionFields[] = {
    {.number = 1, .name = "name"},
    {.number = 4, .name = "input"},
    {.number = 5, .name = "output"},
    {.number = 7, .name = "node", .kind = kMessage, .message = &kNode},
    {.number = 12, .name = "value_info", .kind = kMessage, .message = &kValue}};
constexpr Schema kFunction = {kFunctionFields};

constexpr SchemaField kOpsetFields[] = {
    {.number = 1, .name = "domain"},
    {.number = 2, .name = "version", .kind = kSigned}};
constexpr Schema kOpset = {kOpsetFields};

constexpr SchemaField kModelFields[] = {
    {.number = 1, .name = "ir_version", .kind = kSigned},
    {.number = 7, .name = "graph", .kind = kMessage, .message = &kGraph},
    {.number = 8, .name = "opset_import", .kind = kMessage, .message = &kOpset},
    {.number = 25,
     .name = "functions",
     .kind = kMessage,
     .message = &kFunction}};

}  // namespace

constinit const Schema kModelSchema = {kModelFields};

}  // namespace assay::onnx
