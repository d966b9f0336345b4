// The configuration as TOML: the old keys at the top level.
#define TOML_EXCEPTIONS 0
// What it takes for granted of foreign text does not hold, and its next line
// says so without ending the program.
#define TOML_ASSERT(expr) static_assert(true)
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include "pipeline/config_files.h"

namespace assay {

Status ReadTomlConfig(std::string_view text, const std::string& path,
                      Config& config) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return Corrupt("not TOML: {}", error.description())
        .AtLine(path, error.source().begin.line);
  }
  for (const auto& [key, node] : parsed.table()) {
    if (const auto* text_value = node.as_string()) {
      config.Set(key.str(), text_value->get());
    } else if (const auto* number = node.as_integer()) {
      config.Set(key.str(), fmt::format("{}", number->get()));
    } else if (const auto* truth = node.as_boolean()) {
      config.Set(key.str(), truth->get() ? "True" : "False");
    } else {
      config.Note(
          fmt::format("{} is neither text nor a whole number", key.str()));
    }
  }
  return Done{};
}

}  // namespace assay
