#include "graphs/ge_schema.h"

namespace assay {
namespace {

using enum SchemaKind;

constexpr std::string_view kDataTypes[] = {
    "DT_UNDEFINED",      "DT_FLOAT",       "DT_FLOAT16",
    "DT_INT8",           "DT_UINT8",       "DT_INT16",
    "DT_UINT16",         "DT_INT32",       "DT_INT64",
    "DT_UINT32",         "DT_UINT64",      "DT_BOOL",
    "DT_DOUBLE",         "DT_STRING",      "DT_DUAL_SUB_INT8",
    "DT_DUAL_SUB_UINT8", "DT_COMPLEX64",   "DT_COMPLEX128",
    "DT_QINT8",          "DT_QINT16",      "DT_QINT32",
    "DT_QUINT8",         "DT_QUINT16",     "DT_RESOURCE",
    "DT_STRING_REF",     "DT_DUAL",        "DT_VARIANT",
    "DT_BF16",           "DT_INT4",        "DT_UINT1",
    "DT_INT2",           "DT_UINT2",       "DT_COMPLEX32",
    "DT_HIFLOAT8",       "DT_FLOAT8_E5M2", "DT_FLOAT8_E4M3FN",
    "DT_FLOAT8_E8M0",    "DT_FLOAT6_E3M2", "DT_FLOAT6_E2M3",
    "DT_FLOAT4_E2M1",    "DT_FLOAT4_E1M2", "DT_HIFLOAT4",
    "DT_HIFLOAT4_SCALE",
};

constexpr std::string_view kListTypes[] = {
    "VT_LIST_NONE",        "VT_LIST_STRING",    "VT_LIST_INT",
    "VT_LIST_FLOAT",       "VT_LIST_BOOL",      "VT_LIST_BYTES",
    "VT_LIST_TENSOR_DESC", "VT_LIST_TENSOR",    "VT_LIST_GRAPH",
    "VT_LIST_NAMED_ATTRS", "VT_LIST_DATA_TYPE",
};

extern const Schema kAttr, kAttrEntry, kOp, kDesc, kTensor, kNamedAttrs, kList;

constexpr SchemaField kShapeFields[] = {{1, "dim", kSigned}};
const Schema kShape = {kShapeFields};

constexpr SchemaField kDescFields[] = {
    {1, "name"},
    {2, "dtype", kEnum, nullptr, kDataTypes, true},
    {3, "shape", kMessage, &kShape},
    {4, "layout"},
    {5, "attr", kMessage, &kAttrEntry},
};
const Schema kDesc = {kDescFields};

constexpr SchemaField kTensorFields[] = {{1, "desc", kMessage, &kDesc}};
const Schema kTensor = {kTensorFields};

constexpr SchemaField kNamedAttrsFields[] = {
    {1, "name"},
    {2, "attr", kMessage, &kAttrEntry},
};
const Schema kNamedAttrs = {kNamedAttrsFields};

constexpr SchemaField kIntsFields[] = {{1, "list_i", kSigned}};
const Schema kInts = {kIntsFields};
constexpr SchemaField kIntListsFields[] = {
    {1, "list_list_i", kMessage, &kInts}};
const Schema kIntLists = {kIntListsFields};

constexpr SchemaField kFloatsFields[] = {{1, "list_f", kFloat}};
const Schema kFloats = {kFloatsFields};
constexpr SchemaField kFloatListsFields[] = {
    {1, "list_list_f", kMessage, &kFloats}};
const Schema kFloatLists = {kFloatListsFields};

constexpr SchemaField kListFields[] = {
    {2, "s"},
    {3, "i", kSigned},
    {4, "f", kFloat},
    {5, "b", kBool},
    {7, "bt"},
    {8, "td", kMessage, &kDesc},
    {9, "t", kMessage, &kTensor},
    {10, "g", kMessage, &kGeGraph},
    {11, "na", kMessage, &kNamedAttrs},
    {12, "dt", kSigned},
    {20, "val_type", kEnum, nullptr, kListTypes, true},
};
const Schema kList = {kListFields};

// Phone-side models have lists of lists of floats as number 15: not a number,
// so not taken for one.
constexpr SchemaField kAttrFields[] = {
    {1, "list", kMessage, &kList},
    {2, "s"},
    {3, "i", kSigned, nullptr, {}, true},
    {4, "f", kFloat, nullptr, {}, true},
    {5, "b", kBool, nullptr, {}, true},
    {7, "bt"},
    {10, "func", kMessage, &kNamedAttrs},
    {11, "td", kMessage, &kDesc},
    {12, "t", kMessage, &kTensor},
    {13, "g", kMessage, &kGeGraph},
    {14, "list_list_int", kMessage, &kIntLists},
    {15, "dt", kSigned, nullptr, {}, true},
    {16, "list_list_float", kMessage, &kFloatLists},
    {17, "expression"},
};
const Schema kAttr = {kAttrFields};

constexpr SchemaField kAttrEntryFields[] = {
    {1, "key"},
    {2, "value", kMessage, &kAttr},
};
const Schema kAttrEntry = {kAttrEntryFields};

constexpr SchemaField kOpFields[] = {
    {1, "name"},
    {2, "type"},
    {5, "input"},
    {10, "attr", kMessage, &kAttrEntry},
    {21, "id", kSigned, nullptr, {}, true},
    {22, "stream_id", kSigned, nullptr, {}, true},
    {33, "input_desc", kMessage, &kDesc},
    {34, "output_desc", kMessage, &kDesc},
    {35, "subgraph_name"},
};
const Schema kOp = {kOpFields};

constexpr SchemaField kGraphFields[] = {
    {1, "name"},
    {4, "input"},
    {5, "output"},
    {6, "op", kMessage, &kOp},
    {11, "attr", kMessage, &kAttrEntry},
};

constexpr SchemaField kModelFields[] = {
    {1, "name"},
    {2, "version", kUnsigned, nullptr, {}, true},
    {3, "custom_version"},
    {7, "graph", kMessage, &kGeGraph},
    {11, "attr", kMessage, &kAttrEntry},
};

}  // namespace

const Schema kGeGraph = {kGraphFields};
const Schema kGeModel = {kModelFields};

std::span<const std::string_view> GeDataTypes() { return kDataTypes; }

}  // namespace assay
