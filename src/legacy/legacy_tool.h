#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// A command line of an old tool: its grammar, its tables, its exit codes.
struct LegacyTool {
  std::string_view words;     // the first words: "msaccucmp compare"
  std::string_view sentence;  // what it does
  // What follows those words, as typed; the old tool's exit code.
  int (*run)(const std::vector<std::string>& words);
};

std::span<const LegacyTool* const> AllLegacyTools();

// The tool whose words begin the line, the longest first; null: none. `line`
// loses those words.
const LegacyTool* TakeLegacyTool(std::vector<std::string>& line);

}  // namespace assay
