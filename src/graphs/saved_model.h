#pragma once

#include <string>

namespace assay {

// The graph's file in the folder of a SavedModel; any other path as it is.
std::string InsideSavedModel(const std::string& path);

}  // namespace assay
