#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace assay {

// The exit codes of msaccucmp that something here ends with.
enum class OldCode : uint8_t {
  kOk = 0,
  kUnknown = 1,
  kNoDump = 2,
  kPath = 3,
  kParameter = 6,
  kOpen = 7,
  kDumpData = 11,
  kIndex = 12,
  kJson = 13,
  kDumpFile = 18,
  kWrite = 19,
  kDumpType = 20,
  kDataType = 21,
  kFormat = 22,
  kShape = 23,
  kFileType = 24,
  kConversion = 26,
  kUnsupported = 30,
  kAlgorithm = 31,
  kInvalidFile = 33,
  kNzData = 34,
  kOverflowType = 35,
  kTaskType = 37,
  kTooLarge = 43,
};

// Why an old command gives up: its last words and its exit code.
struct OldFailure {
  OldCode code = OldCode::kUnknown;
  std::string text;
};

template <typename T>
class [[nodiscard]] OldResult : public tl::expected<T, OldFailure> {
 public:
  using tl::expected<T, OldFailure>::expected;
  OldResult(OldFailure failure)
      : tl::expected<T, OldFailure>(tl::unexpect, std::move(failure)) {}
};
using OldStatus = OldResult<Done>;

template <typename... Args>
OldFailure Failure(OldCode code, fmt::format_string<Args...> format,
                   Args&&... args) {
  return {code, fmt::format(format, std::forward<Args>(args)...)};
}
// What and where in one line.
OldFailure Failure(OldCode code, const Error& error);

// "2024-01-01 12:00:00 (42) - [INFO] text" on standard error.
void LogInfo(std::string_view text);
void LogWarning(std::string_view text);
void LogError(std::string_view text);

}  // namespace assay
