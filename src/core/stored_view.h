#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/element_map.h"
#include "core/quant_grid.h"
#include "core/tensor.h"

namespace assay {

struct StoredPart {
  std::string path;
  const StoredTensor* tensor = nullptr;
};

// A view with all questions answered: which bytes, joined how, in which order.
// All parts have one type. First the parts are joined along `axis`, then the
// map says where each element of `shape` stands.
struct StoredView {
  std::vector<StoredPart> parts;
  size_t axis = 0;
  std::optional<ElementMap> map;  // none: the elements stand in order
  Shape shape;                    // of what comes out
  // Of integers that stand for other numbers; null: they are what they are.
  std::shared_ptr<const QuantGrid> grid;

  DType dtype() const { return parts.front().tensor->dtype; }
  bool big_endian() const { return parts.front().tensor->big_endian; }
  uint64_t stored_bytes() const;
};

// A whole tensor as it is stored; only its strides are followed.
StoredView PlainView(std::string path, const StoredTensor& tensor);

}  // namespace assay
