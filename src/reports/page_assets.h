#pragma once

#include <string_view>

namespace assay {

// Files that the build puts into the program.
std::string_view PageScript();  // empty: built without the page
std::string_view PageStyle();
std::string_view StringsFile(std::string_view language);  // "en", "zh"

}  // namespace assay
