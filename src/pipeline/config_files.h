#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "pipeline/config.h"

namespace assay {

// The two forms of a configuration file.
Status ReadTomlConfig(std::string_view text, const std::string& path,
                      Config& config);
void ReadPythonConfig(std::string_view text, Config& config);

}  // namespace assay
