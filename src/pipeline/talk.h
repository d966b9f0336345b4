#pragma once

#include <functional>
#include <string>

namespace assay {

// Where lines for people go while the work is done.
using Talk = std::function<void(const std::string&)>;

}  // namespace assay
