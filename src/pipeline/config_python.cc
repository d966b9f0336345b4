// precision_tool's config.py: lines KEY = 'value'. Everything else in it is
// code, and code is not run.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "pipeline/config_files.h"

namespace assay {
namespace {

bool IsKey(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// What a literal means, a comment behind it left out; nothing if it is none.
std::optional<std::string> Literal(std::string_view text) {
  const char quote = text.empty() ? '\0' : text[0];
  size_t end = 0;
  if (quote == '\'' || quote == '"') {
    end = text.find(quote, 1);
    if (end == text.npos) return std::nullopt;
    const std::string_view value = text.substr(1, end++ - 1);
    const std::string_view rest = Trim(text.substr(end));
    const bool plain = value.find('\\') == value.npos &&
                       (rest.empty() || rest.starts_with('#'));
    return plain ? std::optional(std::string(value)) : std::nullopt;
  }
  const std::string_view word = Trim(text.substr(0, text.find('#')));
  const bool number = !word.empty() && std::ranges::all_of(word, [](char c) {
    return c >= '0' && c <= '9';
  });
  if (number || word == "True" || word == "False") return std::string(word);
  if (word == "None") return std::string();
  return std::nullopt;
}

}  // namespace

void ReadPythonConfig(std::string_view text, Config& config) {
  size_t number = 0;
  for (const std::string_view line : Split(text, '\n')) {
    ++number;
    const size_t equals = line.find('=');
    if (equals == line.npos || line.starts_with(' ')) continue;
    const std::string_view key = Trim(line.substr(0, equals));
    if (!IsKey(key)) continue;  // a comment, a call, other code
    if (auto value = Literal(Trim(line.substr(equals + 1)))) {
      config.Set(key, *std::move(value));
    } else {
      config.Note(fmt::format(
          "line {}: {} is not set to a plain value; it has no effect", number,
          key));
    }
  }
}

}  // namespace assay
