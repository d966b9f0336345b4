// Field numbers of TensorFlow's graphs, without those that hold weights.
#include "graphs/tf_schema.h"

namespace assay::tf {
namespace {

using enum SchemaKind;

constexpr std::string_view kTypes[] = {
    "DT_INVALID",     "DT_FLOAT",        "DT_DOUBLE",     "DT_INT32",
    "DT_UINT8",       "DT_INT16",        "DT_INT8",       "DT_STRING",
    "DT_COMPLEX64",   "DT_INT64",        "DT_BOOL",       "DT_QINT8",
    "DT_QUINT8",      "DT_QINT32",       "DT_BFLOAT16",   "DT_QINT16",
    "DT_QUINT16",     "DT_UINT16",       "DT_COMPLEX128", "DT_HALF",
    "DT_RESOURCE",    "DT_VARIANT",      "DT_UINT32",     "DT_UINT64",
    "DT_FLOAT8_E5M2", "DT_FLOAT8_E4M3FN"};

constexpr SchemaField kDimFields[] = {
    {.number = 1, .name = "size", .kind = kSigned}};
constexpr Schema kDim = {kDimFields};
constexpr SchemaField kShapeFields[] = {
    {.number = 2, .name = "dim", .kind = kMessage, .message = &kDim},
    {.number = 3, .name = "unknown_rank", .kind = kBool}};
constexpr Schema kShape = {kShapeFields};
constexpr SchemaField kTensorFields[] = {
    {.number = 1, .name = "dtype", .kind = kEnum, .words = kTypes},
    {.number = 2,
     .name = "tensor_shape",
     .kind = kMessage,
     .message = &kShape}};
constexpr Schema kTensor = {kTensorFields};

constexpr SchemaField kFunctionNameFields[] = {{.number = 1, .name = "name"}};
constexpr Schema kFunctionName = {kFunctionNameFields};

constexpr SchemaField kListFields[] = {
    {.number = 2, .name = "s"},
    {.number = 3, .name = "i", .kind = kSigned},
    {.number = 4, .name = "f", .kind = kFloat},
    {.number = 5, .name = "b", .kind = kBool},
    {.number = 6, .name = "type", .kind = kEnum, .words = kTypes},
    {.number = 7, .name = "shape", .kind = kMessage, .message = &kShape},
    {.number = 8, .name = "tensor", .kind = kMessage, .message = &kTensor},
    {.number = 9, .name = "func", .kind = kMessage, .message = &kFunctionName}};
constexpr Schema kList = {kListFields};
constexpr SchemaField kValueFields[] = {
    {.number = 1, .name = "list", .kind = kMessage, .message = &kList},
    {.number = 2, .name = "s"},
    {.number = 3, .name = "i", .kind = kSigned},
    {.number = 4, .name = "f", .kind = kFloat},
    {.number = 5, .name = "b", .kind = kBool},
    {.number = 6, .name = "type", .kind = kEnum, .words = kTypes},
    {.number = 7, .name = "shape", .kind = kMessage, .message = &kShape},
    {.number = 8, .name = "tensor", .kind = kMessage, .message = &kTensor},
    {.number = 9, .name = "placeholder"},
    {.number = 10,
     .name = "func",
     .kind = kMessage,
     .message = &kFunctionName}};
constexpr Schema kValue = {kValueFields};
constexpr SchemaField kAttrFields[] = {
    {.number = 1, .name = "key"},
    {.number = 2, .name = "value", .kind = kMessage, .message = &kValue}};
constexpr Schema kAttr = {kAttrFields};

constexpr SchemaField kNodeFields[] = {
    {.number = 1, .name = "name"},
    {.number = 2, .name = "op"},
    {.number = 3, .name = "input"},
    {.number = 4, .name = "device"},
    {.number = 5, .name = "attr", .kind = kMessage, .message = &kAttr}};
constexpr Schema kNode = {kNodeFields};

constexpr SchemaField kArgFields[] = {
    {.number = 1, .name = "name"},
    {.number = 3, .name = "type", .kind = kEnum, .words = kTypes}};
constexpr Schema kArg = {kArgFields};
constexpr SchemaField kSignatureFields[] = {
    {.number = 1, .name = "name"},
    {.number = 2, .name = "input_arg", .kind = kMessage, .message = &kArg}};
constexpr Schema kSignature = {kSignatureFields};
constexpr SchemaField kReturnFields[] = {{.number = 1, .name = "key"},
                                         {.number = 2, .name = "value"}};
constexpr Schema kReturn = {kReturnFields};
constexpr SchemaField kFunctionFields[] = {
    {.number = 1,
     .name = "signature",
     .kind = kMessage,
     .message = &kSignature},
    {.number = 3, .name = "node_def", .kind = kMessage, .message = &kNode},
    {.number = 4, .name = "ret", .kind = kMessage, .message = &kReturn}};
constexpr Schema kFunction = {kFunctionFields};
constexpr SchemaField kLibraryFields[] = {
    {.number = 1, .name = "function", .kind = kMessage, .message = &kFunction}};
constexpr Schema kLibrary = {kLibraryFields};

constexpr SchemaField kGraphFields[] = {
    {.number = 1, .name = "node", .kind = kMessage, .message = &kNode},
    {.number = 2, .name = "library", .kind = kMessage, .message = &kLibrary}};

}  // namespace

constinit const Schema kGraphDef = {kGraphFields};

namespace {

constexpr SchemaField kMetaFields[] = {{.number = 2,
                                        .name = "graph_def",
                                        .kind = kMessage,
                                        .message = &kGraphDef}};

}  // namespace

constinit const Schema kMetaGraph = {kMetaFields};

namespace {

constexpr SchemaField kSavedFields[] = {{.number = 2,
                                         .name = "meta_graphs",
                                         .kind = kMessage,
                                         .message = &kMetaGraph}};

}  // namespace

constinit const Schema kSavedModel = {kSavedFields};

namespace {

constexpr SchemaField kEventFields[] = {{.number = 4,
                                         .name = "graph_def",
                                         .kind = kMessage,
                                         .message = &kGraphDef}};

}  // namespace

constinit const Schema kEvent = {kEventFields};

}  // namespace assay::tf
