#include <CLI/CLI.hpp>
#include <charconv>
#include <climits>
#include <cmath>

#include "app/command.h"
#include "base/text.h"

namespace assay {
namespace {

// "--rel-tol": the last of the names, without dashes in front.
std::string Key(const OptionSpec& spec) {
  const std::string_view last = Split(spec.names, ',').back();
  return std::string(last.substr(last.find_first_not_of('-')));
}

std::vector<std::string_view> LongNames(const Command& command) {
  std::vector<std::string_view> names = {"--help"};
  for (const OptionSpec& spec : command.options) {
    names.push_back(Split(spec.names, ',').back());
  }
  return names;
}

Error UnknownOption(const Command& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  return Usage("unknown option '{}'", name)
      .Hint(
          DidYouMean(name, LongNames(command),
                     fmt::format("'assay {} --help' shows all", command.name)));
}

Error WrongCount(const Command& command, size_t given) {
  return Usage("'assay {}' takes {} {}, {} given", command.name,
               given < command.least ? "at least" : "at most",
               Counted(given < command.least ? command.least : command.most,
                       "argument"),
               given)
      .Hint(fmt::format("usage: {}", command.usage));
}

// CLI11's complaint in our words; it begins with the option's name.
Error BadOption(const Command& command, const std::string& complaint) {
  const std::string name = complaint.substr(0, complaint.find_first_of(": "));
  const bool twice = complaint.find("At Most") != std::string::npos;
  return Usage("{} {}", name, twice ? "may be given once" : "needs a value")
      .Hint(fmt::format("'assay {} --help' shows all options", command.name));
}

// Declares the table to CLI11; it fills `args`.
void Declare(const Command& command, CLI::App& app, Args& args) {
  for (const OptionSpec& spec : command.options) {
    std::vector<std::string>& values = args.options[Key(spec)];
    if (spec.value.empty()) {
      app.add_flag(std::string(spec.names))
          ->each([&values](const std::string&) { values.emplace_back(); });
      continue;
    }
    CLI::Option* option = app.add_option(std::string(spec.names), values);
    option->type_size(1)->allow_extra_args(false);
    option->expected(1, spec.many ? 1 << 20 : 1);
    if (!spec.many) option->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  }
  app.add_option("words", args.positionals);
}

// Takes "--" and the words behind it off the line: they are no options.
std::vector<std::string> TakeRest(std::vector<std::string>& words) {
  const auto mark = std::find(words.begin(), words.end(), "--");
  if (mark == words.end()) return {};
  std::vector<std::string> rest(mark + 1, words.end());
  words.erase(mark, words.end());
  return rest;
}

}  // namespace

Result<Args> ParseArgs(const Command& command, std::vector<std::string> words) {
  Args args;
  args.argv = words;
  const std::vector<std::string> rest = TakeRest(words);
  CLI::App app;
  app.set_help_flag();
  Declare(command, app, args);
  app.allow_extras();
  std::reverse(words.begin(), words.end());  // CLI11 wants it so
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return BadOption(command, error.what());
  }
  for (const std::string& extra : app.remaining()) {
    if (extra.starts_with('-') && extra.size() > 1) {
      return UnknownOption(command, extra);
    }
  }
  std::erase_if(args.options,
                [](const auto& entry) { return entry.second.empty(); });
  args.positionals.insert(args.positionals.end(), rest.begin(), rest.end());
  const size_t given = args.positionals.size();
  if (given < command.least || given > command.most) {
    return WrongCount(command, given);
  }
  return args;
}

bool Args::Has(std::string_view option) const {
  return options.find(option) != options.end();
}

std::string Args::Text(std::string_view option) const {
  const auto found = options.find(option);
  return found == options.end() ? "" : found->second.back();
}

std::span<const std::string> Args::All(std::string_view option) const {
  const auto found = options.find(option);
  if (found == options.end()) return {};
  return found->second;
}

Result<double> Args::Number(std::string_view option, double otherwise) const {
  if (!Has(option)) return otherwise;
  const std::string text = Text(option);
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end || !(value >= 0)) {
    return Usage("--{} '{}' is not a number of zero or more", option, text);
  }
  return value;
}

Result<int> Args::Count(std::string_view option, int otherwise) const {
  ASSIGN_OR_RETURN(const double value, Number(option, otherwise));
  if (value > INT_MAX || value != std::floor(value)) {
    return Usage("--{} '{}' is not a whole number", option, Text(option));
  }
  return static_cast<int>(value);
}

}  // namespace assay
