// Attributes that drive pairing.
#include "graphs/ge_known.h"

#include <charconv>

namespace assay {
namespace {

using Kind = GeAttr::Kind;

// Its integer, also if it was written as text.
std::optional<int64_t> IntegerOf(const GeAttr& attr) {
  if (attr.kind == Kind::kInteger) return attr.integer;
  int64_t value = 0;
  const char* const end = attr.text.data() + attr.text.size();
  const auto [stop, error] = std::from_chars(attr.text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<int32_t> SmallOf(const GeAttr& attr) {
  const std::optional<int64_t> value = IntegerOf(attr);
  if (!value || *value < 0 || *value > INT32_MAX) return std::nullopt;
  return static_cast<int32_t>(*value);
}

// A text alone is a list of one.
std::vector<NameId> NamesOf(const GeAttr& attr) {
  if (attr.kind == Kind::kList) return attr.strings;
  if (attr.text.empty()) return {};
  return {attr.value};
}

NameId TextOf(const GeAttr& attr) {
  return attr.kind == Kind::kList ? kNoName : attr.value;
}

void AddPasses(const GeAttr& attr, Operator& op) {
  for (const NameId pass : NamesOf(attr)) op.passes.push_back(pass);
}

template <typename Target>
struct Known {
  std::string_view key;
  void (*set)(const GeAttr& attr, Target& target);
};

constexpr Known<Operator> kOperatorKeys[] = {
    {"_datadump_original_op_names",
     [](const GeAttr& attr, Operator& op) { op.originals = NamesOf(attr); }},
    {"_datadump_original_op_types",
     [](const GeAttr& attr, Operator& op) {
       op.original_types = NamesOf(attr);
     }},
    {"_datadump_is_multiop",
     [](const GeAttr& attr, Operator& op) {
       op.multi_op = attr.text == "true" || attr.text == "1";
     }},
    {"_L1_fusion_sub_graph_no",
     [](const GeAttr& attr, Operator& op) { op.l1 = TextOf(attr); }},
    {"pass_name", AddPasses},
    {"pass_name_ub", AddPasses},
    {"_ge_attr_op_kernel_lib_name",
     [](const GeAttr& attr, Operator& op) {
       op.kernel_library = TextOf(attr);
     }},
    {"_parent_node_index",
     [](const GeAttr& attr, Operator& op) {
       op.parent_input = SmallOf(attr).value_or(-1);
     }},
};

constexpr Known<GeTensor> kTensorKeys[] = {
    {"_datadump_origin_name",
     [](const GeAttr& attr, GeTensor& t) { t.tensor.origin = TextOf(attr); }},
    {"_datadump_origin_output_index",
     [](const GeAttr& attr, GeTensor& t) {
       t.tensor.origin_index = SmallOf(attr).value_or(-1);
     }},
    {"_datadump_origin_format",
     [](const GeAttr& attr, GeTensor& t) {
       t.tensor.origin_layout = TextOf(attr);
     }},
    {"origin_format",
     [](const GeAttr& attr, GeTensor& t) { t.second_layout = TextOf(attr); }},
    {"origin_shape",
     [](const GeAttr& attr, GeTensor& t) {
       if (attr.kind == Kind::kList) t.tensor.origin_shape = attr.integers;
     }},
    {"_fx_tensor_name",
     [](const GeAttr& attr, GeTensor& t) { t.tensor.fx = TextOf(attr); }},
};

template <typename Target, size_t kCount>
void Set(const Known<Target> (&table)[kCount], const GeAttr& attr,
         Target& target) {
  for (const Known<Target>& known : table) {
    if (known.key == attr.key) return known.set(attr, target);
  }
}

}  // namespace

void SetGeOperator(const GeAttr& attr, Operator& op) {
  Set(kOperatorKeys, attr, op);
}

void SetGeTensor(const GeAttr& attr, GeTensor& tensor) {
  Set(kTensorKeys, attr, tensor);
}

// The key is "_kernelname", with the operator's own name before it or not.
void FinishGeOperator(const NamePool& names, Operator& op) {
  constexpr std::string_view kSuffix = "_kernelname";
  for (const GraphAttr& attr : op.attrs) {
    std::string_view key = names[attr.key];
    if (!key.ends_with(kSuffix)) continue;
    key.remove_suffix(kSuffix.size());
    if (key.empty() || key == names[op.name]) op.kernel = attr.value;
  }
}

}  // namespace assay
