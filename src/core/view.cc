#include "core/view.h"

#include <fmt/format.h>

namespace assay {

std::string ViewStep::Text() const {
  switch (kind) {
    case kFlatten:
      break;
  }
  return fmt::format("flatten to {}", ToText(shape));
}

}  // namespace assay
