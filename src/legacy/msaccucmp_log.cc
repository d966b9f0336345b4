#include "legacy/msaccucmp_log.h"

#include <fmt/chrono.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>

namespace assay {
namespace {

// A line stays a line, whatever is in a file's name.
std::string OneLine(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '_';
  }
  return out;
}

void Log(std::string_view level, std::string_view text) {
  fmt::print(stderr, "{:%Y-%m-%d %H:%M:%S} ({}) - [{}] {}\n",
             fmt::localtime(std::time(nullptr)), getpid(), level,
             OneLine(text));
}

}  // namespace

void LogInfo(std::string_view text) { Log("INFO", text); }
void LogWarning(std::string_view text) { Log("WARNING", text); }
void LogError(std::string_view text) { Log("ERROR", text); }

OldFailure Failure(OldCode code, const Error& error) {
  const std::string where = error.Where();
  return {code, where.empty() ? error.what
                              : fmt::format("{} ({})", error.what, where)};
}

}  // namespace assay
