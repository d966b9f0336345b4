#pragma once

#include <string>

#include "base/json_writer.h"
#include "core/number.h"

namespace assay {

// The shortest text that reads back as the same number and the same kind: "3"
// is an integer, "3.0" a real; "nan", "inf", "-inf".
std::string NumberText(const Number& number);
// The same in JSON; what is not finite is a string.
void AppendNumber(const Number& number, JsonWriter& json);

}  // namespace assay
