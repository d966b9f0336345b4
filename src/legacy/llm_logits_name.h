#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

// What the name of a file of logits says: a question's key and a token.
struct LogitsName {
  std::string language;  // of a programming test; empty for all others
  int64_t number = 0;
  int64_t token = 0;
  std::string key;  // "12", "cpp/12"

  auto operator<=>(const LogitsName&) const = default;
};

// NAME_KEY_TOKEN, or with cpp, go, java, js or python as one of its words, and
// the last two numbers in it. None: the name says no such thing.
std::optional<LogitsName> ParseLogitsName(std::string_view file);

}  // namespace assay
