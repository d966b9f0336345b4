#pragma once

#include <span>
#include <string_view>

#include "base/field_reader.h"

namespace assay {

// What GE writes into models: a ModelDef holds GraphDefs.
extern const Schema kGeModel, kGeGraph;

// "DT_FLOAT" for 1; empty if there is no such type.
std::span<const std::string_view> GeDataTypes();

}  // namespace assay
