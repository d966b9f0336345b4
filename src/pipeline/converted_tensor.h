#pragma once

#include <memory>
#include <optional>
#include <string>

#include "codecs/codec.h"
#include "core/dump.h"
#include "kernel/pack_values.h"
#include "kernel/value_stream.h"
#include "pipeline/convert.h"

namespace assay {

// Whether a layout is asked for that nobody knows how to reach: the tensor has
// as many dimensions, but no names for them. It is written as it is stored.
bool KeepsUnnamedOrder(const StoredTensor& stored,
                       const ConvertOptions& options);

// One tensor on its way into another file: read, unpacked from a device layout
// or put into one, as the options say.
class ConvertedTensor {
 public:
  // `info`, `dump` and `buffers` outlive it; the buffers serve one tensor at a
  // time, from the first Next() to the end.
  static Result<std::unique_ptr<ConvertedTensor>> Make(
      const Dump& dump, const TensorInfo& info, DType to,
      const ConvertOptions& options, const WorkBuffers& buffers);

  // Type, shape and layout of what comes out.
  TensorToWrite Spec() const;
  // The next bytes, valid until the next call; none at the end.
  Result<std::string_view> Next();

 private:
  ConvertedTensor(DType to, const WorkBuffers& buffers)
      : to_(to), buffers_(buffers) {}
  Status ChooseLayout(const StoredTensor& stored,
                      const ConvertOptions& options);
  Status Unpacking(const StoredTensor& stored, std::optional<Layout> to,
                   const std::optional<Shape>& shape);
  Status Reshaping(const std::optional<Shape>& shape);

  DType to_;
  const WorkBuffers& buffers_;
  StoredView view_;
  Shape shape_;  // what comes out before it is packed
  Layout layout_ = Layout::kND;
  std::optional<Shape> original_;
  int32_t groups_ = 1;
  std::optional<Packed> pack_;
  OpenView open_;
  std::optional<ValueStream> values_;
  std::optional<PackedValues> packed_;
};

}  // namespace assay
