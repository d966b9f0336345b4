// What a header says of a tensor, as every other part of the program sees it.
#include <algorithm>
#include <iterator>

#include "codecs/ascend.h"
#include "codecs/ascend_type.h"

namespace assay {
namespace {

constexpr std::string_view kListNames[] = {"input", "output", "buffer",
                                           "space"};
constexpr int32_t kFormats = 52;  // numbers that are layouts

// Weights of convolutions; elsewhere sub_format means something else.
bool HasGroups(Layout layout) {
  constexpr Layout kWeights[] = {
      Layout::kNCHW,       Layout::kNHWC,
      Layout::kHWCN,       Layout::kCHWN,
      Layout::kFractalZ,   Layout::kFractalZC04,
      Layout::kFractalZ3D, Layout::kFractalZ3DTranspose,
      Layout::kFractalZG};
  return std::ranges::find(kWeights, layout) != std::end(kWeights);
}

class Builder {
 public:
  Builder(const AscendHeader& header, const AscendTensor& tensor,
          std::string_view path)
      : header_(header), tensor_(tensor), path_(path) {}

  StoredTensor Build() {
    out_.name = NameOf(tensor_);
    out_.extent = {.offset = tensor_.offset, .length = tensor_.size};
    const bool bytes = tensor_.list == AscendList::kBuffer ||
                       tensor_.list == AscendList::kSpace;
    if (bytes) return SetBytes(DType::kU8);
    if (tensor_.data_type == kAscendUndefined && tensor_.size > 0) {
      return SetBytes(DType::kI8);  // the shape counts something else
    }
    Status status = SetValues();
    if (!status) {
      out_.dtype = DType::kOpaque;
      out_.error = std::make_shared<const Error>(
          std::move(status).error().At(path_, tensor_.offset).Of(out_.name));
    }
    return std::move(out_);
  }

 private:
  StoredTensor SetBytes(DType dtype) {
    out_.dtype = dtype;
    out_.shape = {static_cast<int64_t>(tensor_.size)};
    return std::move(out_);
  }

  Status SetValues() {
    const AscendType* type = FindAscendType(tensor_.data_type);
    if (type == nullptr) {
      return Unsupported("data type {} is not known", tensor_.data_type);
    }
    const Shape& shape = tensor_.slice ? *tensor_.slice : tensor_.shape;
    const auto count = ElementCount(shape);
    const auto bytes = count ? ByteCount(type->dtype, *count) : std::nullopt;
    if (!bytes) return Corrupt("shape {} is impossible", ToText(shape));
    out_.dtype = type->dtype;
    out_.shape = shape;
    SetLayout();
    if (type->dtype == DType::kOpaque) return Done{};
    if (*bytes > tensor_.size) return TooSmall(*bytes);
    out_.extent.length = *bytes;  // what follows is padding
    return Done{};
  }

  Error TooSmall(uint64_t bytes) const {
    const bool unknown_slice =
        header_.slices && header_.slices->automatic && !tensor_.slice;
    return Corrupt("{} {} needs {} bytes, {} are there", Name(out_.dtype),
                   ToText(out_.shape), bytes, tensor_.size)
        .Hint(unknown_slice
                  ? "a slice, but its file's name and attributes do not tell "
                    "which; was the file renamed?"
                  : "the header and the values disagree; dump it again");
  }

  void SetLayout() {
    const bool known = tensor_.format >= 0 && tensor_.format < kFormats;
    if (known) out_.layout = static_cast<Layout>(tensor_.format);
    // A slice has no original of its own.
    const bool whole = !tensor_.slice || *tensor_.slice == tensor_.shape;
    if (whole && (!tensor_.original.empty() || tensor_.shape.empty())) {
      out_.original = tensor_.original;
    }
    if (tensor_.sub_format >= 2 && HasGroups(out_.layout)) {
      out_.groups = tensor_.sub_format;
    }
  }

  const AscendHeader& header_;
  const AscendTensor& tensor_;
  std::string_view path_;
  StoredTensor out_;
};

}  // namespace

std::string NameOf(const AscendTensor& tensor) {
  return fmt::format("{}:{}", kListNames[static_cast<size_t>(tensor.list)],
                     tensor.index);
}

std::vector<StoredTensor> StoredTensors(const AscendHeader& header,
                                        std::string_view path) {
  std::vector<StoredTensor> tensors;
  tensors.reserve(header.tensors.size());
  for (const AscendTensor& tensor : header.tensors) {
    tensors.push_back(Builder(header, tensor, path).Build());
  }
  return tensors;
}

}  // namespace assay
