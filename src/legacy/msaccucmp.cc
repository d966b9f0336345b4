// msaccucmp.py of the CANN toolkit: assay msaccucmp compare|convert|overflow|
// file_compare, with the options, files and exit codes of the original.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>

#include "legacy/legacy_tool.h"
#include "legacy/msaccucmp_commands.h"

namespace assay {

int GiveUp(const OldFailure& failure) {
  LogError(failure.text);
  return static_cast<int>(failure.code);
}

int RefuseArguments(std::string_view program, const Error& error) {
  fmt::print(stderr, "usage: assay {} [-h]\nassay {}: error: {}\n", program,
             program, error.what);
  return 2;
}

bool IsOldPath(std::string_view path) {
  return std::ranges::all_of(path, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_/.,-").find(static_cast<char>(c)) !=
               std::string_view::npos;
  });
}

namespace {

struct SubCommand {
  std::string_view word, sentence;
  int (*run)(const std::vector<std::string>& words);
};
constexpr SubCommand kSubCommands[] = {
    {"compare", "compare two dumps, or one operator of them",
     RunMsaccucmpCompare},
    {"convert", "turn dump files into npy, bin or pt", RunMsaccucmpConvert},
    {"overflow", "explain the overflow records of a dump",
     RunMsaccucmpOverflow},
    {"file_compare", "compare two npy files", RunMsaccucmpFileCompare},
};

std::string Help() {
  std::string out =
      "The command line of msaccucmp.py.\n"
      "usage: assay msaccucmp {compare,convert,overflow,file_compare} …\n";
  for (const SubCommand& command : kSubCommands) {
    out += fmt::format("  {:<13} {}\n", command.word, command.sentence);
  }
  return out;
}

int Run(const std::vector<std::string>& words) {
  if (words.empty()) {
    fmt::print("{}", Help());
    return static_cast<int>(OldCode::kParameter);
  }
  if (words[0] == "-h" || words[0] == "--help") {
    fmt::print("{}", Help());
    return 0;
  }
  const auto command =
      std::ranges::find(kSubCommands, words[0], &SubCommand::word);
  if (command == std::end(kSubCommands)) {
    return RefuseArguments("msaccucmp",
                           Usage("invalid choice: '{}' (choose from compare, "
                                 "convert, overflow, file_compare)",
                                 words[0]));
  }
  const auto start = std::chrono::steady_clock::now();
  const int code = command->run({words.begin() + 1, words.end()});
  const auto took = std::chrono::steady_clock::now() - start;
  LogInfo(fmt::format(
      "The command was completed and took {} seconds.",
      std::chrono::duration_cast<std::chrono::seconds>(took).count()));
  return code;
}

}  // namespace

extern constinit const LegacyTool kMsaccucmp = {
    .words = "msaccucmp",
    .sentence = "msaccucmp.py: compare, convert, overflow, file_compare",
    .run = Run,
};

}  // namespace assay
