#include "legacy/llm_logits_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/text.h"

namespace assay {
namespace {

constexpr std::string_view kLanguages[] = {"cpp", "go", "java", "js", "python"};

std::optional<int64_t> Number(std::string_view text) {
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || at != end) return std::nullopt;
  return number;
}

bool IsLanguage(std::string_view word) {
  return std::ranges::find(kLanguages, word) != std::end(kLanguages);
}

using Words = std::vector<std::string_view>;

std::optional<LogitsName> OfLanguage(std::string_view language,
                                     const Words& words) {
  Words numbers;  // the last one first
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    if (word->find('-') == word->npos && Number(*word))
      numbers.push_back(*word);
  }
  if (numbers.size() < 2) return std::nullopt;
  return LogitsName{.language = std::string(language),
                    .number = *Number(numbers[1]),
                    .token = *Number(numbers[0]),
                    .key = fmt::format("{}/{}", language, numbers[1])};
}

}  // namespace

std::optional<LogitsName> ParseLogitsName(std::string_view file) {
  const std::string_view stem = file.substr(0, file.rfind('.'));
  const Words words = Split(stem, '_');
  const auto language = std::find_if(words.rbegin(), words.rend(), IsLanguage);
  if (language != words.rend()) return OfLanguage(*language, words);
  if (words.size() < 2) return std::nullopt;
  const auto key = Number(words[words.size() - 2]);
  const auto token = Number(words.back());
  if (!key || !token) return std::nullopt;
  return LogitsName{
      .number = *key, .token = *token, .key = std::to_string(*key)};
}

}  // namespace assay
