#include "legacy/compare_arguments.h"

#include <cctype>
#include <charconv>
#include <filesystem>

#include "legacy/msaccucmp_commands.h"
#include "legacy/msaccucmp_range.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

bool IsDigit(const std::string& word) {
  return word.size() == 1 && std::isdigit(static_cast<unsigned char>(word[0]));
}

// "-alg 1 2 3" is a list of numbers if its second word is one; other words do
// not follow the first.
Status CheckAlgorithms(const std::vector<std::string>& words) {
  if (!words.empty() && !IsOldPath(words[0])) {
    return Usage(
        "argument -alg/--algorithm: '{}' has a character that is none "
        "of _A-Za-z0-9/.,-",
        words[0]);
  }
  if (words.size() < 2) return Done{};
  if (!IsDigit(words[1])) return Usage("unrecognized arguments: {}", words[1]);
  for (const std::string& word : words) {
    if (IsDigit(word)) continue;
    return Usage("argument -alg/--algorithm: invalid choice: '{}'", word);
  }
  return Done{};
}

// The checks stand in the order of the original: several may be due.
OldStatus CheckParts(const OldArguments& args) {
  for (const std::string_view option : {"-r", "-s"}) {
    if (!args.Has(option)) continue;
    if (!IsGiven(args, "-f")) return Wrong(fmt::format("{} needs -f.", option));
    if (IsGiven(args, "-op")) {
      return Wrong(fmt::format("{} excludes -op.", option));
    }
  }
  if (IsGiven(args, "-r") && args.Has("-s")) return Wrong("-r excludes -s.");
  if (NumberOf(args, "-max", 0) < 0) return Wrong("-max is to be 0 or more.");
  return Done{};
}

OldStatus CheckMapping(const OldArguments& args) {
  const bool rule = IsGiven(args, "-f") || IsGiven(args, "-q");
  const bool one =
      IsGiven(args, "-op") || IsGiven(args, "-o") || IsGiven(args, "-i");
  if (rule && !one) return Done{};
  return Wrong("-map needs -f or -q, and excludes -op, -i and -o.");
}

OldStatus CheckWithoutOperator(const OldArguments& args) {
  if (args.Has("-op")) return Done{};
  for (const std::string_view option :
       {"-o", "-i", "--ignore_single_op_result", "-n", "-ml"}) {
    if (args.Has(option)) return Wrong(fmt::format("{} needs -op.", option));
  }
  return Done{};
}

OldStatus CheckPaths(const OldArguments& args) {
  for (const std::string_view option : {"-m", "-g"}) {
    const std::string path = args.Text(option);
    if (path.empty()) return Wrong("The path is null.");
    std::error_code ignored;
    if (fs::exists(path, ignored)) continue;
    return Failure(OldCode::kPath, "The path \"{}\" does not exist.", path);
  }
  return Done{};
}

// Of one operator among folders.
OldStatus CheckSingle(const OldArguments& args) {
  if (!IsGiven(args, "-op")) return Done{};
  const int64_t n = NumberOf(args, "-n", 20);
  const int64_t lines = NumberOf(args, "-ml", 1000000);
  if (lines < 10000 || lines > 1000000) {
    return Wrong("-ml is to be 10000 to 1000000.");
  }
  for (const std::string_view option : {"-o", "-i"}) {
    if (!args.Has(option)) continue;
    if (!IsInteger(args.Text(option)) || NumberOf(args, option, 0) < 0) {
      return Wrong(fmt::format("{} is to be a number.", option));
    }
  }
  if (n < 1 || n > 10000) {
    return Failure(OldCode::kIndex, "-n is to be 1 to 10000.");
  }
  return Done{};
}

OldStatus CheckRanges(const OldArguments& args) {
  if (IsGiven(args, "-r")) return CheckRangeText({args.Text("-r"), false});
  if (IsGiven(args, "-s")) return CheckRangeText({args.Text("-s"), true});
  return Done{};
}

OldStatus CheckRules(const OldArguments& args) {
  for (const std::string_view option : {"-f", "-q", "-cf"}) {
    const std::string path = args.Text(option);
    std::error_code ignored;
    if (path.empty() || fs::exists(path, ignored)) continue;
    return Failure(OldCode::kPath, "The path \"{}\" does not exist.", path);
  }
  return Done{};
}

}  // namespace

OldFailure Wrong(std::string_view text) {
  return Failure(OldCode::kParameter, "{}", text);
}

bool IsInteger(const std::string& text) {
  int64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool IsGiven(const OldArguments& args, std::string_view option) {
  return !args.Text(option).empty();
}

int64_t NumberOf(const OldArguments& args, std::string_view option,
                 int64_t other) {
  return args.Has(option) ? std::stoll(args.Text(option)) : other;
}

Status CheckCompareWords(const OldArguments& args) {
  for (const std::string_view path :
       {"-m", "-g", "-f", "-q", "-cf", "-out", "-c"}) {
    if (!IsOldPath(args.Text(path))) {
      return Usage(
          "argument {}: '{}' has a character that is none of "
          "_A-Za-z0-9/.,-",
          path, args.Text(path));
    }
  }
  for (const std::string_view number : {"-max", "-n", "-ml"}) {
    if (args.Has(number) && !IsInteger(args.Text(number))) {
      return Usage("argument {}: invalid int value: '{}'", number,
                   args.Text(number));
    }
  }
  if (args.Has("-o") && args.Has("-i")) {
    return Usage("argument -i: not allowed with argument -o");
  }
  return CheckAlgorithms(args.Words("-alg"));
}

OldStatus CheckCompareArguments(const OldArguments& args) {
  if (auto fine = CheckParts(args); !fine) return fine;
  if (args.Has("-map")) return CheckMapping(args);
  if (auto fine = CheckWithoutOperator(args); !fine) return fine;
  if (auto there = CheckPaths(args); !there) return there;
  const bool h5 =
      args.Text("-m").ends_with(".h5") && args.Text("-g").ends_with(".h5");
  if (args.Has("-p") && !h5) return Wrong("-p is for two .h5 files.");
  return Done{};
}

OldStatus CheckFolderArguments(const OldArguments& args) {
  if (auto fine = CheckRanges(args); !fine) return fine;
  if (auto there = CheckRules(args); !there) return there;
  if (auto fine = CheckSingle(args); !fine) return fine;
  return CheckPaths(args);
}

}  // namespace assay
