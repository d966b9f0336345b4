#include "core/tensor.h"

namespace assay {

std::string_view Name(Layout layout) {
  switch (layout) {
    case Layout::kND:
      break;
  }
  return "ND";
}

}  // namespace assay
