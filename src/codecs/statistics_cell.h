#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.h"
#include "core/shape.h"

namespace assay {

// The cells of one line of a table; quotes protect commas, and two quotes
// inside them stand for one.
std::vector<std::string> SplitCells(std::string_view line);

// "", "-", "N/A", "null": the table has nothing to say here.
bool IsNothing(std::string_view cell);

// The type in any of the spellings of the dump tools: "DT_FLOAT", "float32",
// "torch.float32". kOpaque for others.
DType StatisticsType(std::string_view cell);

std::optional<double> ParseNumber(std::string_view cell);  // also "inf", "True"
std::optional<uint64_t> ParseCount(std::string_view cell);  // "160000"
// "input" or "output", whatever the case.
std::optional<std::string_view> ParsePort(std::string_view cell);
// "0"; of nested arguments "0_1".
std::optional<std::string_view> ParseIndex(std::string_view cell);
// "2x3", "(2,3)", "[2, 3]", "()".
std::optional<Shape> ParseCellShape(std::string_view cell);

}  // namespace assay
