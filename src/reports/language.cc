#include "reports/language.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "reports/page_assets.h"

namespace assay {
namespace {

// Between sentences; no hole reaches into the next one.
constexpr std::string_view kBetween = "; ";

// The text between holes: "{} of {} values" is "", " of ", " values".
std::vector<std::string> Pieces(std::string_view pattern) {
  std::vector<std::string> pieces = {""};
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern.substr(i, 2) == "{}") {
      pieces.emplace_back();
      ++i;
    } else {
      pieces.back() += pattern[i];
    }
  }
  return pieces;
}

// What stands in the holes; nothing if the text was made from another pattern.
std::optional<std::vector<std::string>> Holes(
    const std::vector<std::string>& pieces, std::string_view text) {
  if (!text.starts_with(pieces.front())) return std::nullopt;
  text.remove_prefix(pieces.front().size());
  std::vector<std::string> holes;
  for (size_t i = 1; i < pieces.size(); ++i) {
    const bool last = i + 1 == pieces.size();
    // Names may hold anything: the last piece is looked for at the end.
    const size_t at =
        last ? text.size() - std::min(text.size(), pieces[i].size())
             : text.find(pieces[i]);
    if (at == std::string_view::npos ||
        text.substr(at, pieces[i].size()) != pieces[i]) {
      return std::nullopt;
    }
    holes.emplace_back(text.substr(0, at));
    if (holes.back().find(kBetween) != std::string::npos) return std::nullopt;
    text.remove_prefix(at + pieces[i].size());
  }
  if (!text.empty()) return std::nullopt;
  return holes;
}

size_t FixedText(const std::vector<std::string>& pieces) {
  size_t size = 0;
  for (const std::string& piece : pieces) size += piece.size();
  return size;
}

}  // namespace

Result<std::string> Language::Check(std::string_view name) {
  if (name == "en" || name == "zh") return std::string(name);
  return Usage("unknown language '{}'", name).Hint("en and zh are there");
}

Language::Language(std::string_view name)
    : words_(nlohmann::json::parse(StringsFile(name), nullptr, false)) {
  if (!words_.is_object()) return;
  for (const auto& [english, translation] : words_["sentences"].items()) {
    patterns_.push_back({Pieces(english), translation.get<std::string>()});
  }
  std::ranges::stable_sort(patterns_, std::greater(), [](const Pattern& p) {
    return FixedText(p.pieces);
  });
}

std::string Language::Word(std::string_view english) const {
  const auto table = words_.find("words");
  if (table == words_.end()) return std::string(english);
  return table->value(std::string(english), std::string(english));
}

std::string Language::Word(Verdict verdict) const {
  return Word(Name(verdict));
}

// Holes become what was found; everything else is copied, also what looks like
// a hole inside a name.
std::string Language::Filled(std::string_view translation,
                             const std::vector<std::string>& holes) const {
  std::string out;
  while (!translation.empty()) {
    const bool sentence = translation.starts_with("{=");
    const size_t digit = sentence ? 2 : 1;
    const bool hole = translation.starts_with('{') &&
                      translation.substr(digit + 1).starts_with('}');
    const auto number =
        hole ? static_cast<size_t>(translation[digit] - '0') : holes.size();
    if (number >= holes.size()) {
      out += translation.front();
      translation.remove_prefix(1);
      continue;
    }
    out += sentence ? Sentence(holes[number]) : holes[number];
    translation.remove_prefix(digit + 2);
  }
  return out;
}

std::optional<std::string> Language::Translated(
    std::string_view english) const {
  for (const Pattern& pattern : patterns_) {
    const auto holes = Holes(pattern.pieces, english);
    if (holes) return Filled(pattern.translation, *holes);
  }
  return std::nullopt;
}

std::string Language::Sentence(std::string_view english) const {
  if (auto whole = Translated(english)) return *whole;
  const size_t at = english.find(kBetween);
  if (at == std::string_view::npos || patterns_.empty()) {
    return std::string(english);
  }
  const std::string_view first = english.substr(0, at);
  return Translated(first).value_or(std::string(first)) + Word(kBetween) +
         Sentence(english.substr(at + kBetween.size()));
}

}  // namespace assay
