#include "pipeline/dump_taps.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/parse_number.h"
#include "base/text.h"

namespace assay {
namespace {

using onnx::OnnxFile;
using onnx::Tap;

std::optional<uint32_t> Digits(std::string_view text) {
  return ParseNumber<uint32_t>(text);
}

class Chooser {
 public:
  explicit Chooser(const OnnxFile& file) : file_(file) {
    for (uint32_t i = 0; i < file.taps().size(); ++i) {
      numbers_.emplace(file.Text(file.taps()[i].name), i);
    }
  }

  Result<std::set<uint32_t>> Choose(const std::string& text) const {
    std::set<uint32_t> chosen;
    if (text == "all") {
      for (uint32_t i = 0; i < Count(); ++i) chosen.insert(i);
      return chosen;
    }
    // A name may have commas and dots in it.
    if (const auto whole = numbers_.find(text);
        whole != numbers_.end() && !Digits(text)) {
      return std::set<uint32_t>{whole->second};
    }
    const auto parts = Split(text, ',');
    for (size_t i = 0; i < parts.size(); ++i) {
      const std::string_view part = WithItsCommas(parts, i);
      size_t dots = DotsOf(part);
      if (dots == part.npos && !IsName(part)) dots = part.find("..");
      if (dots != part.npos) {
        RETURN_IF_ERROR(
            AddRange(part.substr(0, dots), part.substr(dots + 2), chosen));
        continue;
      }
      ASSIGN_OR_RETURN(const uint32_t number, Find(part));
      chosen.insert(number);
    }
    return chosen;
  }

 private:
  uint32_t Count() const { return static_cast<uint32_t>(file_.taps().size()); }

  bool IsName(std::string_view part) const {
    if (part.starts_with('=')) part.remove_prefix(1);
    return numbers_.contains(std::string(part));
  }

  // One end of a range.
  bool IsEnd(std::string_view text) const {
    return text.empty() || Digits(text) || IsName(text);
  }

  // What stands before "/STEP". Names have slashes too: what follows must be a
  // number, and the whole no name.
  std::string_view WithoutStep(std::string_view rest) const {
    const size_t slash = rest.rfind('/');
    if (slash == rest.npos || !Digits(rest.substr(slash + 1))) return rest;
    return IsName(rest) ? rest : rest.substr(0, slash);
  }

  // Where a range has its dots: names have some too, so there must be
  // something on both sides.
  size_t DotsOf(std::string_view part) const {
    if (IsName(part)) return part.npos;
    size_t at = part.find("..");
    while (at != part.npos && !(IsEnd(part.substr(0, at)) &&
                                IsEnd(WithoutStep(part.substr(at + 2))))) {
      at = part.find("..", at + 1);
    }
    return at;
  }

  // The part at `i`, or the name or range of several parts that begins there;
  // `i` is then its last.
  std::string_view WithItsCommas(const std::vector<std::string_view>& parts,
                                 size_t& i) const {
    constexpr size_t kMostCommas = 8;
    for (size_t last = std::min(i + kMostCommas, parts.size() - 1); last > i;
         --last) {
      const char* end = parts[last].data() + parts[last].size();
      const std::string_view name(parts[i].data(), end);
      if (!IsName(name) && DotsOf(name) == name.npos) continue;
      i = last;
      return name;
    }
    return parts[i];
  }

  Result<uint32_t> Find(std::string_view text) const {
    if (const auto number = Digits(text)) {
      if (*number < Count()) return *number;
      return NotFound("there is no tap {}", *number)
          .At(file_.path())
          .Hint(fmt::format("they are numbered from 0 to {}", Count() - 1));
    }
    if (text.starts_with('=')) text.remove_prefix(1);
    const auto found = numbers_.find(std::string(text));
    if (found != numbers_.end()) return found->second;
    std::vector<std::string_view> names;
    for (const auto& [name, number] : numbers_) names.push_back(name);
    std::ranges::sort(names);
    return NotFound("no tap is called '{}'", text)
        .At(file_.path())
        .Hint(
            DidYouMean(text, names,
                       "'assay graph text' shows all; constants are no taps"));
  }

  Status AddRange(std::string_view from, std::string_view rest,
                  std::set<uint32_t>& chosen) const {
    const std::string_view to = WithoutStep(rest);
    const uint32_t step =
        to == rest ? 1 : Digits(rest.substr(to.size() + 1)).value_or(0);
    uint32_t first = 0, last = Count() - 1;
    if (!from.empty()) {
      ASSIGN_OR_RETURN(first, Find(from));
    }
    if (!to.empty()) {
      ASSIGN_OR_RETURN(last, Find(to));
    }
    if (step == 0) return Usage("--taps: a step of 0");
    if (first > last) {
      return Usage("--taps: tap {} comes after tap {}", first, last)
          .Hint("the first tap of a range must come before its last");
    }
    for (uint64_t i = first; i < last; i += step) {
      chosen.insert(static_cast<uint32_t>(i));
    }
    chosen.insert(last);  // always both ends
    return Done{};
  }

  const OnnxFile& file_;
  std::unordered_map<std::string, uint32_t> numbers_;
};

// "Conv_12" for a node without a name, by its place in the file.
std::string NodeName(const OnnxFile& file, const Tap& tap) {
  const onnx::Node& node = file.graph().nodes[tap.node];
  if (node.name != kNoName) return std::string(file.Text(node.name));
  return fmt::format("{}_{}", file.Text(node.type), tap.node);
}

std::string Underscored(std::string name) {
  for (char& c : name) {
    if (c == '.' || c == '/') c = '_';
  }
  return name;
}

std::string NameOf(const OnnxFile& file, uint32_t number, TapNames names,
                   int64_t time) {
  const Tap& tap = file.taps()[number];
  std::string name = FileNameOf(file.Text(tap.name));
  switch (names) {
    case TapNames::kPlain:
      return name;
    case TapNames::kTopoidx:
      return fmt::format("topoidx_{:05}__{}", number, name);
    case TapNames::kMsit:
      return fmt::format("{}.{}.{}",
                         FileNameOf(Underscored(NodeName(file, tap))),
                         tap.index, time);
    case TapNames::kAscend:
      return fmt::format(
          "{}.{}.{}.0.{}.output.{}",
          FileNameOf(file.Text(file.graph().nodes[tap.node].type)),
          FileNameOf(Underscored(NodeName(file, tap))), number, time,
          tap.index);
  }
  return name;
}

}  // namespace

Result<std::vector<uint32_t>> ChooseTaps(const OnnxFile& file,
                                         const TapChoice& choice) {
  if (file.taps().empty()) {
    return Unsupported("the model has no node to dump").At(file.path());
  }
  ASSIGN_OR_RETURN(const std::set<uint32_t> chosen,
                   Chooser(file).Choose(choice.taps));
  const RE2 regex(choice.regex, RE2::Quiet);
  if (!regex.ok()) {
    return Usage("--taps-regex '{}': {}", choice.regex, regex.error());
  }
  const auto types = Split(choice.types, ',');
  std::vector<uint32_t> taps;
  for (const uint32_t number : chosen) {
    const Tap& tap = file.taps()[number];
    const std::string_view type = file.Text(file.graph().nodes[tap.node].type);
    if (!choice.types.empty() &&
        std::ranges::find(types, type) == types.end()) {
      continue;
    }
    if (!RE2::PartialMatch(std::string(file.Text(tap.name)), regex)) continue;
    taps.push_back(number);
  }
  if (!taps.empty()) return taps;
  return NotFound("no tap is like that")
      .At(file.path())
      .Hint("'assay graph text' shows names and types");
}

Result<TapNames> ParseTapNames(std::string_view name) {
  constexpr std::string_view kNames[] = {"plain", "topoidx", "msit", "ascend"};
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (kNames[i] == name) return static_cast<TapNames>(i);
  }
  return Usage("--names '{}' is not known", name)
      .Hint(DidYouMean(name, kNames, "plain, topoidx, msit and ascend are"));
}

std::string FileNameOf(std::string_view text) {
  constexpr size_t kLongest = 200;  // leaves room for what stands around it
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte > 0x20 && byte != '/' && byte != '%' &&
                       byte != 0x7f && !(c == '.' && out.empty());
    out += plain || c == ' ' ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  if (out.empty()) return "%";
  if (out.size() <= kLongest) return out;
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  size_t keep = kLongest - 17;
  while (keep > 0 && (out[keep] & 0xc0) == 0x80) --keep;  // whole characters
  return fmt::format("{}~{:016x}", out.substr(0, keep), hash);
}

std::vector<std::string> TapFileNames(const OnnxFile& file,
                                      const std::vector<uint32_t>& taps,
                                      TapNames names, int64_t time) {
  std::vector<std::string> out;
  std::set<std::string> taken;
  for (const uint32_t number : taps) {
    std::string name = NameOf(file, number, names, time);
    // Two nodes may differ in nothing but '.' and '/'.
    while (!taken.insert(name).second) name = fmt::format("~{}", name);
    out.push_back(std::move(name));
  }
  return out;
}

}  // namespace assay
