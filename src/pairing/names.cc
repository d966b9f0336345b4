#include "pairing/names.h"

#include <re2/re2.h>

#include <algorithm>

#include "base/text.h"
#include "codecs/codec.h"

namespace assay {

struct NameRules::Rename {
  std::unique_ptr<re2::RE2> pattern;
  std::string text;
};

NameRules::NameRules() = default;
NameRules::NameRules(NameRules&&) noexcept = default;
NameRules& NameRules::operator=(NameRules&&) noexcept = default;
NameRules::~NameRules() = default;

namespace {

Result<std::unique_ptr<re2::RE2>> Compile(std::string_view option,
                                          const std::string& text) {
  auto pattern = std::make_unique<re2::RE2>(text, re2::RE2::Quiet);
  if (pattern->ok()) return pattern;
  return Usage("{} '{}' is not a regular expression: {}", option, text,
               pattern->error());
}

// "s/RE/TEXT/": any character may stand for the slash.
Result<std::pair<std::string, std::string>> SplitRename(
    const std::string& rule) {
  const auto bad = [&] {
    return Usage("--rename '{}' does not read s/RE/TEXT/", rule)
        .Hint("for example --rename 's/^npu_//'");
  };
  if (rule.size() < 4 || rule[0] != 's') return bad();
  const char slash = rule[1];
  const size_t middle = rule.find(slash, 2);
  if (middle == std::string::npos) return bad();
  const size_t end = rule.find(slash, middle + 1);
  if (end == std::string::npos || end + 1 != rule.size()) return bad();
  return std::pair(rule.substr(2, middle - 2),
                   rule.substr(middle + 1, end - middle - 1));
}

}  // namespace

Result<NameRules> NameRules::Make(const std::string& only,
                                  const std::vector<std::string>& renames) {
  NameRules rules;
  if (!only.empty()) {
    ASSIGN_OR_RETURN(rules.only_, Compile("--only", only));
  }
  for (const std::string& rule : renames) {
    ASSIGN_OR_RETURN(auto parts, SplitRename(rule));
    ASSIGN_OR_RETURN(auto pattern, Compile("--rename", parts.first));
    if (std::string why; !pattern->CheckRewriteString(parts.second, &why)) {
      return Usage("--rename '{}': {}", rule, why);
    }
    rules.renames_.push_back({std::move(pattern), parts.second});
  }
  return rules;
}

bool NameRules::Wanted(std::string_view name) const {
  return only_ == nullptr ||
         re2::RE2::PartialMatch({name.data(), name.size()}, *only_);
}

std::string NameRules::Renamed(std::string_view name) const {
  std::string text(name);
  for (const Rename& rename : renames_) {
    re2::RE2::GlobalReplace(&text, *rename.pattern, rename.text);
  }
  return text;
}

std::string Normalised(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    if (c == '/' || c == '.' || c == ':') c = '_';
  }
  return text;
}

namespace {

// Collected once: there may be millions of files.
std::vector<std::string_view> CollectSuffixes() {
  std::vector<std::string_view> all;
  for (const Codec* codec : AllCodecs()) {
    for (const std::string_view suffix : Split(codec->extensions, ' ')) {
      if (!suffix.empty()) all.push_back(suffix);
    }
  }
  return all;
}

}  // namespace

std::string_view WithoutArraySuffixes(std::string_view file) {
  static const std::vector<std::string_view> suffixes = CollectSuffixes();
  const auto fits = [&](std::string_view suffix) {
    return file.ends_with(suffix) && file.size() > suffix.size();
  };
  while (true) {
    const auto found = std::ranges::find_if(suffixes, fits);
    if (found == suffixes.end()) return file;
    file.remove_suffix(found->size());
  }
}

namespace {

// Digits after the last dot; empty if there are none.
std::string_view LastNumber(std::string_view name) {
  const size_t dot = name.find_last_not_of("0123456789");
  if (dot == std::string_view::npos || name[dot] != '.') return {};
  return name.substr(dot + 1);
}

std::string_view Before(std::string_view name, std::string_view number) {
  return name.substr(0, name.size() - number.size() - 1);
}

bool IsTime(std::string_view number) {
  constexpr size_t kShortestTime = 10;
  return number.size() >= kShortestTime;
}

}  // namespace

std::string_view WithoutTimestamp(std::string_view name) {
  std::string_view rest = name;
  std::string_view time = LastNumber(rest);
  if (!time.empty() && !IsTime(time)) {  // times the tensor was seen
    rest = Before(rest, time);
    time = LastNumber(rest);
  }
  if (!IsTime(time)) return name;
  rest = Before(rest, time);
  const std::string_view index = LastNumber(rest);
  if (index.empty() || index.size() + 1 >= rest.size()) return name;
  return Before(rest, index);
}

NearMiss::NearMiss(std::vector<std::string_view> others)
    : others_(std::move(others)) {}

std::string_view NearMiss::Find(std::string_view name) const {
  // Comparing every name with every other is for small lists only.
  constexpr size_t kMany = 500;
  if (others_.size() > kMany) return {};
  return Nearest(name, others_);
}

}  // namespace assay
