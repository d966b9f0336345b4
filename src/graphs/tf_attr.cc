#include "graphs/tf_attr.h"

#include <fmt/format.h>

#include "graphs/each_field.h"

namespace assay::tf {
namespace {

constexpr size_t kLongestText = 64 << 10;

// One value on its way into an operator.
class ValueReader {
 public:
  ValueReader(FieldReader& in, NamePool& names) : in_(in), names_(names) {}

  Status Read() {
    return EachField(in_, [&](const Field& f) -> Status {
      if (f.kind == FieldKind::kBegin && f.name == "list") {
        list_ = true;
        return EachField(in_, [&](const Field& item) { return Item(item); });
      }
      return Item(f);
    });
  }

  NameId Text() {
    if (!list_) return names_.Intern(text_);
    return names_.Intern("[" + text_ + "]");
  }

  NameId dtype = kNoName;
  std::vector<Shape> shapes;
  std::vector<NameId> functions;

 private:
  Status Item(const Field& f) {
    if (f.kind == FieldKind::kBegin) return Message(f);
    if (!f.IsScalar()) return Done{};
    const std::string_view word = f.View(scratch_);
    if (f.name == "type") dtype = names_.Intern(word);
    Append(word.size() <= kLongestText
               ? std::string(word)
               : fmt::format("({} bytes)", word.size()));
    return Done{};
  }

  Status Message(const Field& f) {
    if (f.name == "shape") {
      RETURN_IF_ERROR(ReadShape());
      Append(ToText(shapes.back()));
      return Done{};
    }
    if (f.name == "tensor") return ReadTensor();
    if (f.name == "func") return ReadFunction();
    in_.Skip(f);
    return Done{};
  }

  Status ReadShape() {
    Shape shape;
    RETURN_IF_ERROR(EachField(in_, [&](const Field& f) -> Status {
      if (f.kind == FieldKind::kBegin && f.name == "dim") return ReadDim(shape);
      in_.Skip(f);
      return Done{};
    }));
    shapes.push_back(std::move(shape));
    return Done{};
  }

  Status ReadDim(Shape& shape) {
    shape.push_back(0);  // not said: zero
    return EachField(in_, [&](const Field& f) -> Status {
      if (f.name == "size") shape.back() = f.Integer().value_or(-1);
      in_.Skip(f);
      return Done{};
    });
  }

  // "DT_FLOAT[2,3]"
  Status ReadTensor() {
    NameId type = kNoName;
    const size_t before = shapes.size();
    RETURN_IF_ERROR(EachField(in_, [&](const Field& f) -> Status {
      if (f.kind == FieldKind::kBegin && f.name == "tensor_shape") {
        return ReadShape();
      }
      if (f.name == "dtype" && f.IsScalar()) {
        type = names_.Intern(f.View(scratch_));
      }
      in_.Skip(f);
      return Done{};
    }));
    if (shapes.size() == before) shapes.emplace_back();
    Append(fmt::format("{}{}", names_[type], ToText(shapes.back())));
    return Done{};
  }

  Status ReadFunction() {
    return EachField(in_, [&](const Field& f) -> Status {
      if (f.name == "name" && f.IsScalar()) {
        functions.push_back(names_.Intern(f.View(scratch_)));
        Append(std::string(names_[functions.back()]));
      }
      in_.Skip(f);
      return Done{};
    });
  }

  void Append(const std::string& word) {
    if (!first_) text_ += ',';
    first_ = false;
    text_ += word;
  }

  FieldReader& in_;
  NamePool& names_;
  bool list_ = false, first_ = true;
  std::string text_, scratch_;
};

// Attributes that say the type of the result, whatever the type of operator.
bool NamesResult(std::string_view key) {
  return key == "dtype" || key == "DstT" || key == "out_type" ||
         key == "output_type";
}

}  // namespace

std::vector<GraphTensor> NodeTypes::Outputs() const {
  std::vector<GraphTensor> tensors(shapes.size());
  for (size_t i = 0; i < shapes.size(); ++i) tensors[i].shape = shapes[i];
  if (tensors.empty() && dtype != kNoName) tensors.emplace_back();
  if (!tensors.empty()) tensors[0].dtype = dtype;
  return tensors;
}

Status ReadAttr(FieldReader& in, NamePool& names, Operator& op,
                NodeTypes& types) {
  NameId key = kNoName;
  ValueReader value(in, names);
  std::string scratch;
  RETURN_IF_ERROR(EachField(in, [&](const Field& f) -> Status {
    if (f.kind == FieldKind::kBegin && f.name == "value") return value.Read();
    if (f.name == "key" && f.IsScalar()) key = names.Intern(f.View(scratch));
    in.Skip(f);
    return Done{};
  }));
  op.attrs.push_back({key, value.Text()});
  const std::string_view name = names[key];
  if (NamesResult(name)) types.dtype = value.dtype;
  if (name == "_output_shapes" || name == "value" ||
      (name == "shape" && types.shapes.empty())) {
    types.shapes = std::move(value.shapes);
  }
  for (const NameId function : value.functions) {
    op.subgraphs.push_back(function);
  }
  return Done{};
}

}  // namespace assay::tf
