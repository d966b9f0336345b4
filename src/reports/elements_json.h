#pragma once

#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "core/comparison.h"
#include "reports/json_reader.h"

namespace assay {

// A list of elements under a key: index, golden, target.
void AppendElements(std::string_view key, const std::vector<Element>& elements,
                    JsonWriter& json);
std::vector<Element> ReadElements(const JsonReader& json, std::string_view key);

void AppendInts(const Shape& values, JsonWriter& json);

}  // namespace assay
