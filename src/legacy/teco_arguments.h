#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace assay {

// A command line of dump_tools.py.
struct TecoArguments {
  // One end of a range: an index counts before a name.
  struct End {
    std::optional<int64_t> index;
    std::string name;
  };

  std::string command;     // "dump_full", "dump_once", "dump_range"
  std::string frame_type;  // "ort", "sdaa", any executor
  std::string model, model_type;
  std::string output_name;
  End begin, end;
  int64_t step = 1;
  std::vector<std::pair<std::string, std::string>> inputs;  // name, file
  std::string passes;
  std::string compare_dir, golden_dir;
  double tag = 10, th1 = 1e-6, th2 = 1e-3;

  bool wants_help = false;
  std::string echo;  // "Namespace(...)", what it prints first
};

// The error's text is argparse's.
Result<TecoArguments> ParseTeco(std::string_view command,
                                const std::vector<std::string>& words);
std::string TecoHelp(std::string_view command);

// "name:file,name2:file2". A name may have colons, a file may not.
Result<std::vector<std::pair<std::string, std::string>>> ParseTecoInputs(
    const std::vector<std::string>& words);

}  // namespace assay
