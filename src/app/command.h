#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay {

class ExecutorPool;

// One row of a command's option table. The table is all that parsing, help and
// the reference page know.
struct OptionSpec {
  std::string_view names;  // "-o,--out"; the last one is the key
  std::string_view value;  // "FILE"; empty: a switch
  std::string_view text;   // one line; the default stands in brackets
  bool many = false;       // may be repeated
};

struct Example {
  std::string_view line, text;
};

// What the user typed, checked against the table.
class Args {
 public:
  bool Has(std::string_view option) const;
  std::string Text(std::string_view option) const;  // "" if absent
  std::span<const std::string> All(std::string_view option) const;
  // The number given, `otherwise` if absent.
  Result<double> Number(std::string_view option, double otherwise) const;
  Result<int> Count(std::string_view option, int otherwise) const;

  std::vector<std::string> positionals;
  std::map<std::string, std::vector<std::string>, std::less<>> options;
  std::vector<std::string> argv;  // the whole line, as typed
  ExecutorPool* pool = nullptr;   // of a shell: it outlives the command
};

struct Command {
  std::string_view name;
  std::string_view sentence;   // what it does
  std::string_view usage;      // "assay compare [options] GOLDEN TARGET"
  std::string_view notes;      // lines under the usage; may be empty
  size_t least = 0, most = 0;  // positionals
  std::span<const OptionSpec> options;
  std::span<const Example> examples;
  // The exit code; an error is printed and exits with 2.
  Result<int> (*run)(const Args& args);
};

std::span<const Command* const> AllCommands();

std::string HelpText(const Command& command);
std::string GeneralHelp();
Result<Args> ParseArgs(const Command& command, std::vector<std::string> words);

// Runs the program: argv without the program's name.
int RunProgram(std::vector<std::string> words, ExecutorPool* pool = nullptr);

}  // namespace assay
