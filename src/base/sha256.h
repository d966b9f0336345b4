#pragma once

#include <string>
#include <string_view>

namespace assay {

// In hexadecimal, as `sha256sum` prints it.
std::string Sha256(std::string_view bytes);
// Without the instructions that some processors have for it.
std::string PortableSha256(std::string_view bytes);

}  // namespace assay
