#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/comparison.h"

namespace assay {

// The words of one language, from web/strings/NAME.json; the page uses the
// same file, and the same rules (web/src/words.ts). What is not in it stays
// English.
class Language {
 public:
  explicit Language(std::string_view name);
  static Result<std::string> Check(std::string_view name);  // an error: unknown

  std::string Word(Verdict verdict) const;
  std::string Word(std::string_view english) const;
  // A sentence that was made from a pattern, "{} of {} values overflow", or
  // several, with "; " between them.
  std::string Sentence(std::string_view english) const;

 private:
  struct Pattern {
    std::vector<std::string> pieces;  // the fixed text between the holes
    // {0}, {1} ... are what stood there; {=0} is a sentence itself.
    std::string translation;
  };
  std::optional<std::string> Translated(std::string_view english) const;
  std::string Filled(std::string_view translation,
                     const std::vector<std::string>& holes) const;

  nlohmann::json words_;
  std::vector<Pattern> patterns_;  // those with the most fixed text first
};

}  // namespace assay
