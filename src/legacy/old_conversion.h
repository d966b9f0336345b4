#pragma once

#include "core/layout.h"
#include "core/stored_view.h"
#include "legacy/msaccucmp_log.h"

namespace assay {

class ConvertedCopies;

// A tensor's values in some order, with the shape that NumPy would show. (A
// view's own shape stays when its elements do not stand in order.)
struct OldShaped {
  StoredView view;
  Shape shape;

  static OldShaped Whole(StoredView view);  // in the shape it is stored in
  void Flatten();                           // an empty one keeps its shape
  uint64_t count() const { return ElementCount(shape).value_or(0); }
  // For who reads the values.
  StoredView Finished() &&;
};

// What msaccucmp is asked to turn a tensor into.
struct OldConversion {
  Layout from = Layout::kND, to = Layout::kND;
  Shape wanted;        // padding is cut to this, where the layout has some
  int32_t groups = 1;  // of weights, which only a packing knows
  ConvertedCopies* copies = nullptr;  // for what is no order of the values
};

// As its shape conversion does: what needs none keeps its shape.
OldResult<OldShaped> ConvertShape(OldShaped array, const OldConversion& how);
// The unpacking itself, whatever the shapes say.
OldResult<OldShaped> Unpack(OldShaped array, const OldConversion& how);

// Cuts each dimension to another shape's, by position. `op` is named in the
// message if the tensor is smaller; that of a cut which does nothing is the
// tensor itself.
OldResult<OldShaped> CutLike(const Shape& other, const std::string& op,
                             OldShaped array);

// "[conv1] Due to the different shapes ..."
OldFailure ShapesDiffer(const std::string& op, const std::string& my,
                        const std::string& golden);
// "(2, 3)", "(4)"
std::string ListText(const Shape& shape);

}  // namespace assay
