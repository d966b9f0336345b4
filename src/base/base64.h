#pragma once

#include <string>
#include <string_view>

namespace assay {

std::string ToBase64(std::string_view bytes);

}  // namespace assay
