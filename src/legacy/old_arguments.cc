#include "legacy/old_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/text.h"

namespace assay {
namespace {

bool IsNumber(std::string_view word) {
  word.remove_prefix(1);
  const auto digit = [](char c) { return std::isdigit(c) != 0 || c == '.'; };
  return !word.empty() && std::ranges::all_of(word, digit);
}

bool LooksLikeOption(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && !IsNumber(word) &&
         word.find(' ') == word.npos;
}

std::string_view KeyOf(const OldOption& option) {
  return Split(option.names, ',').front();
}

std::string Shown(const OldOption& option) {
  return fmt::format("{}", fmt::join(Split(option.names, ','), "/"));
}

}  // namespace

class OldArgumentsParser {
 public:
  OldArgumentsParser(std::span<const OldOption> options,
                     const std::vector<std::string>& words)
      : options_(options), words_(words) {}

  Result<OldArguments> Run() {
    while (at_ < words_.size()) {
      const std::string& word = words_[at_++];
      if (word == "-h" || word == "--help") {
        out_.wants_help_ = true;
        return std::move(out_);
      }
      RETURN_IF_ERROR(Take(word));
    }
    RETURN_IF_ERROR(CheckRequired());
    return std::move(out_);
  }

 private:
  Status Take(const std::string& word) {
    if (!LooksLikeOption(word)) return Unrecognized(word);
    ASSIGN_OR_RETURN(const Found found, Find(word));
    const OldOption* option = found.option;
    std::vector<std::string> values;
    if (found.value) {
      if (option->takes == OldOption::kNothing) {
        return Usage("argument {}: ignored explicit argument '{}'",
                     Shown(*option), *found.value);
      }
      values.push_back(*found.value);
    }
    if (!found.value && option->takes != OldOption::kNothing) {
      const size_t most = option->takes == OldOption::kOne ? 1 : words_.size();
      while (at_ < words_.size() && values.size() < most &&
             !LooksLikeOption(words_[at_])) {
        values.push_back(words_[at_++]);
      }
    }
    if (values.empty() && option->takes != OldOption::kNothing) {
      return Usage("argument {}: expected {} argument", Shown(*option),
                   option->takes == OldOption::kOne ? "one" : "at least one");
    }
    RETURN_IF_ERROR(CheckChoices(*option, values));
    out_.values_[std::string(KeyOf(*option))] = std::move(values);
    return Done{};
  }

  static Status CheckChoices(const OldOption& option,
                             const std::vector<std::string>& values) {
    if (option.choices.empty()) return Done{};
    const auto choices = Split(option.choices, ',');
    for (const std::string& value : values) {
      if (std::ranges::find(choices, value) != choices.end()) continue;
      return Usage("argument {}: invalid choice: '{}' (choose from {})",
                   Shown(option), value, fmt::join(choices, ", "));
    }
    return Done{};
  }

  static Error Unrecognized(const std::string& word) {
    return Usage("unrecognized arguments: {}", word);
  }

  // What a word asks for, and the value that is part of it.
  struct Found {
    const OldOption* option = nullptr;
    std::optional<std::string> value;
  };

  const OldOption* Named(std::string_view name) const {
    for (const OldOption& option : options_) {
      const auto names = Split(option.names, ',');
      if (std::ranges::find(names, name) != names.end()) return &option;
    }
    return nullptr;
  }

  Result<Found> Find(const std::string& word) const {
    if (const OldOption* option = Named(word)) return Found{option, {}};
    const size_t equals = word.find('=');
    const std::string start = word.substr(0, equals);
    std::optional<std::string> value;
    if (equals != word.npos) value = word.substr(equals + 1);
    if (const OldOption* option = Named(start)) return Found{option, value};
    std::vector<Found> near = Cut(start, value);
    // "-s10": a letter and its value.
    const OldOption* letter =
        word.starts_with("--") ? nullptr : Named(word.substr(0, 2));
    if (letter != nullptr) near.push_back({letter, word.substr(2)});
    if (near.empty()) return Unrecognized(word);
    if (near.size() == 1) return near.front();
    return Usage("ambiguous option: {} could match several", word);
  }

  // Options whose name begins like this.
  std::vector<Found> Cut(std::string_view start,
                         const std::optional<std::string>& value) const {
    std::vector<Found> out;
    for (const OldOption& option : options_) {
      const auto names = Split(option.names, ',');
      const auto begins = [&](std::string_view name) {
        return name.starts_with(start) &&
               name.starts_with("--") == start.starts_with("--");
      };
      if (std::ranges::any_of(names, begins)) out.push_back({&option, value});
    }
    return out;
  }

  Status CheckRequired() const {
    std::vector<std::string> missing;
    for (const OldOption& option : options_) {
      if (option.required && !out_.Has(KeyOf(option))) {
        missing.push_back(Shown(option));
      }
    }
    if (missing.empty()) return Done{};
    return Usage("the following arguments are required: {}",
                 fmt::join(missing, ", "));
  }

  std::span<const OldOption> options_;
  const std::vector<std::string>& words_;
  size_t at_ = 0;
  OldArguments out_;
};

std::string OldArguments::Text(std::string_view option,
                               std::string_view other) const {
  const auto& words = Words(option);
  return words.empty() ? std::string(other) : words.front();
}

const std::vector<std::string>& OldArguments::Words(
    std::string_view option) const {
  static const std::vector<std::string> kNone;
  const auto found = values_.find(option);
  return found == values_.end() ? kNone : found->second;
}

Result<OldArguments> ParseOldArguments(std::span<const OldOption> options,
                                       const std::vector<std::string>& words) {
  return OldArgumentsParser(options, words).Run();
}

std::string OldHelp(std::string_view program, std::string_view sentence,
                    std::span<const OldOption> options) {
  std::string out =
      fmt::format("{}\nusage: assay {} [options]\n", sentence, program);
  for (const OldOption& option : options) {
    std::string names =
        fmt::format("{}", fmt::join(Split(option.names, ','), ", "));
    if (!option.choices.empty()) {
      names += fmt::format(" {{{}}}", option.choices);
    }
    out += fmt::format("  {:<34}  {}{}\n", names, option.help,
                       option.required ? " (required)" : "");
  }
  return out;
}

}  // namespace assay
