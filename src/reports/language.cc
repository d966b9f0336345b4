#include "reports/language.h"

#include <fmt/format.h>

#include <optional>

#include "reports/page_assets.h"

namespace assay {
namespace {

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
    text.remove_prefix(at + pieces[i].size());
  }
  if (!text.empty()) return std::nullopt;
  return holes;
}

// {0} and its like become what was found; everything else is copied, also what
// looks like a hole inside a name.
std::string Filled(std::string_view translation,
                   const std::vector<std::string>& holes) {
  std::string out;
  for (size_t i = 0; i < translation.size(); ++i) {
    const bool hole = i + 2 < translation.size() && translation[i] == '{' &&
                      translation[i + 2] == '}';
    const auto number =
        hole ? static_cast<size_t>(translation[i + 1] - '0') : 0;
    if (!hole || number >= holes.size()) {
      out += translation[i];
      continue;
    }
    out += holes[number];
    i += 2;
  }
  return out;
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
}

std::string Language::Word(std::string_view english) const {
  const auto table = words_.find("words");
  if (table == words_.end()) return std::string(english);
  return table->value(std::string(english), std::string(english));
}

std::string Language::Word(Verdict verdict) const {
  return Word(Name(verdict));
}

std::string Language::Sentence(std::string_view english) const {
  for (const Pattern& pattern : patterns_) {
    const auto holes = Holes(pattern.pieces, english);
    if (holes) return Filled(pattern.translation, *holes);
  }
  return std::string(english);
}

}  // namespace assay
