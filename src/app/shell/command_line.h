#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay {

// One command of a line: its words without quotes, and as it was typed.
struct TypedCommand {
  std::vector<std::string> words;
  std::string text;
};

// Commands end with ';' or a new line. Quotes ('…', "…") and \ keep what is in
// or behind them; a '#' where a command would begin hides the rest of the line.
Result<std::vector<TypedCommand>> SplitCommands(std::string_view text);

// The word that a line ends in the middle of, for completion.
struct OpenWord {
  std::vector<std::string> before;  // words of the same command
  size_t begin = 0;                 // where it begins in the line
  std::string text;                 // without quotes
};
OpenWord LastWord(std::string_view line);

// The word so that it reads back as one.
std::string Escaped(std::string_view word);

}  // namespace assay
