#include "core/stored_view.h"

namespace assay {

uint64_t StoredView::stored_bytes() const {
  uint64_t bytes = 0;
  for (const StoredPart& part : parts) bytes += part.tensor->extent.length;
  return bytes;
}

StoredView PlainView(std::string path, const StoredTensor& tensor) {
  StoredView view{.parts = {{std::move(path), &tensor}},
                  .axis = 0,
                  .map = std::nullopt,
                  .shape = tensor.shape};
  if (!tensor.strides.empty()) {
    uint64_t last = 0;
    bool empty = false;
    for (size_t k = 0; k < tensor.shape.size(); ++k) {
      empty |= tensor.shape[k] == 0;
      last += static_cast<uint64_t>((tensor.shape[k] - 1) * tensor.strides[k]);
    }
    view.map = StridedMap(tensor.shape, tensor.strides, empty ? 0 : last + 1);
  }
  return view;
}

}  // namespace assay
