#include "pipeline/converted_tensor.h"

#include "core/unpack.h"

namespace assay {
namespace {

// Its dimensions have names, as many as it has.
bool IsNamed(const StoredTensor& tensor) {
  const std::string_view letters = Dimensions(tensor.layout);
  return !letters.empty() && letters.size() == tensor.shape.size();
}

// What frameworks mean by a shape of that rank.
Layout UsualOrder(const Shape& shape) {
  return shape.size() == 4   ? Layout::kNCHW
         : shape.size() == 5 ? Layout::kNCDHW
                             : Layout::kND;
}

}  // namespace

Result<std::unique_ptr<ConvertedTensor>> ConvertedTensor::Make(
    const Dump& dump, const TensorInfo& info, DType to,
    const ConvertOptions& options, const WorkBuffers& buffers) {
  auto out = std::unique_ptr<ConvertedTensor>(new ConvertedTensor(to, buffers));
  const StoredTensor& stored = info.stored;
  out->view_ = dump.ViewOf(info);
  out->shape_ = out->view_.shape;
  out->layout_ = stored.layout;
  out->original_ = stored.original;
  out->groups_ = stored.groups;
  RETURN_IF_ERROR(out->ChooseLayout(stored, options));
  ASSIGN_OR_RETURN(out->open_, OpenView::Open(out->view_));
  return out;
}

Status ConvertedTensor::ChooseLayout(const StoredTensor& stored,
                                     const ConvertOptions& options) {
  using Layouts = ConvertOptions::Layouts;
  if (options.layouts == Layouts::kKeep) return Done{};
  const bool packed = IsPacked(stored.layout);
  if (options.layouts == Layouts::kHost) {
    if (!packed) return Reshaping(options.shape);
    return Unpacking(stored, std::nullopt, options.shape);
  }
  if (!IsPacked(options.layout)) {
    // Dimensions without names are in the right order already.
    if (!packed && !IsNamed(stored)) return Reshaping(options.shape);
    return Unpacking(stored, options.layout, options.shape);
  }
  RETURN_IF_ERROR(packed ? Unpacking(stored, std::nullopt, options.shape)
                         : Reshaping(options.shape));
  const Layout order =
      packed ? layout_ : (IsNamed(stored) ? stored.layout : UsualOrder(shape_));
  ASSIGN_OR_RETURN(pack_,
                   Pack(to_, shape_, order, options.layout, stored.groups));
  return Done{};
}

// The same elements with other dimensions; there is no padding to cut.
Status ConvertedTensor::Reshaping(const std::optional<Shape>& shape) {
  if (!shape) return Done{};
  if (ElementCount(*shape) != ElementCount(shape_)) {
    return Usage("{} cannot become {}: only padding is cut", ToText(shape_),
                 ToText(*shape))
        .At(view_.parts.front().path)
        .Hint("--tensor takes one of several tensors");
  }
  shape_ = *shape;
  original_.reset();
  return Done{};
}

Status ConvertedTensor::Unpacking(const StoredTensor& stored,
                                  std::optional<Layout> to,
                                  const std::optional<Shape>& shape) {
  auto unpacked = Unpack(stored, to, shape);
  if (!unpacked) {
    return std::move(unpacked).error().At(view_.parts.front().path);
  }
  view_.map = std::move(unpacked->map);
  view_.shape = shape_ = std::move(unpacked->shape);
  layout_ = unpacked->layout;
  original_.reset();
  return Done{};
}

bool KeepsUnnamedOrder(const StoredTensor& stored,
                       const ConvertOptions& options) {
  return options.layouts == ConvertOptions::Layouts::kOne && !options.shape &&
         !IsPacked(options.layout) && !IsPacked(stored.layout) &&
         !IsNamed(stored) &&
         Dimensions(options.layout).size() == stored.shape.size() &&
         !stored.shape.empty();
}

TensorToWrite ConvertedTensor::Spec() const {
  TensorToWrite out;
  out.dtype = to_;
  out.shape = pack_ ? pack_->tensor.shape : shape_;
  out.layout = pack_ ? pack_->tensor.layout : layout_;
  out.original = pack_ ? pack_->tensor.original : original_;
  out.groups = groups_;
  return out;
}

Result<std::string_view> ConvertedTensor::Next() {
  if (!values_) {
    ASSIGN_OR_RETURN(values_, ValueStream::Open(open_, to_, buffers_));
  }
  if (!pack_) return values_->Next();
  if (!packed_) {
    ASSIGN_OR_RETURN(packed_, PackedValues::Make(
                                  *pack_, [this] { return values_->Next(); }));
  }
  return packed_->Next();
}

}  // namespace assay
