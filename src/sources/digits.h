#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay {

// Numbers as they stand in the names of dump files and folders.

bool AllDigits(std::string_view text);  // and not empty
// Nothing but digits, and small enough.
std::optional<int64_t> ParseDigits(std::string_view text);
std::optional<int32_t> ParseSmall(std::string_view text);

// Microseconds since 1970 of a time in digits. The number of digits says what
// it is: seconds (10), milliseconds (13), microseconds (16) or nanoseconds (19)
// since 1970, or YYYYmmddHHMMSS (14), with milliseconds (17) or microseconds
// (20) behind it.
std::optional<int64_t> ParseTime(std::string_view text);

// A folder of one run: YYYYmmddHHMMSS, longer, or only the day.
bool IsTimeFolder(std::string_view name);

}  // namespace assay
