#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay {

// One option of an old tool's command line.
struct OldOption {
  enum Takes : uint8_t { kNothing, kOne, kMany };

  std::string_view names;  // "-m,--my_dump_path"
  Takes takes = kOne;
  std::string_view help;
  bool required = false;
  std::string_view choices;  // "npy,bin"; empty: any
};

// What was typed. Options are asked for by their first name.
class OldArguments {
 public:
  bool Has(std::string_view option) const { return values_.contains(option); }
  std::string Text(std::string_view option, std::string_view other = "") const;
  const std::vector<std::string>& Words(std::string_view option) const;
  bool wants_help() const { return wants_help_; }

 private:
  friend class OldArgumentsParser;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
  bool wants_help_ = false;
};

// As Python's argparse does it: "--name=value", "-s10", names may be cut as
// long as they are clear, a number may begin with '-'. The error's text is
// argparse's.
Result<OldArguments> ParseOldArguments(std::span<const OldOption> options,
                                       const std::vector<std::string>& words);

// "usage: assay PROGRAM ..." and a line per option.
std::string OldHelp(std::string_view program, std::string_view sentence,
                    std::span<const OldOption> options);

}  // namespace assay
