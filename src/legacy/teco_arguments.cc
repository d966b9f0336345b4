// The grammar of dump_tools.py.
#include "legacy/teco_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdlib>
#include <type_traits>

#include "base/text.h"
#include "legacy/numpy.h"
#include "legacy/old_arguments.h"

namespace assay {
namespace {

enum class Kind : uint8_t { kText, kInt, kFloat };

// In the order in which the tool declares them; `commands` by the letter after
// "dump_".
struct TecoOption {
  OldOption option;
  std::string_view commands;
  Kind kind = Kind::kText;
  std::string_view otherwise;  // kNone: nothing at all
};

constexpr std::string_view kNone = "None";

constexpr TecoOption kOptions[] = {
    {{.names = "-f,--frame_type",
      .help = "ort, sdaa, or another executor of 'assay list executors'",
      .required = true},
     "for"},
    {{.names = "-d,--onnx_dir", .help = "the ONNX model", .required = true},
     "for"},
    {{.names = "-mt,--model_type", .help = "its type [float16]"},
     "for",
     Kind::kText,
     "float16"},
    {{.names = "-b,--begin", .help = "first topological index [0]"},
     "r",
     Kind::kInt,
     "0"},
    {{.names = "-e,--end", .help = "last topological index [the last]"},
     "r",
     Kind::kInt,
     "0"},
    {{.names = "-bs,--begin_string", .help = "first output, by name"},
     "r",
     Kind::kText,
     kNone},
    {{.names = "-es,--end_string", .help = "last output, by name"},
     "r",
     Kind::kText,
     kNone},
    {{.names = "-s,--step", .help = "every so many outputs [1]"},
     "fr",
     Kind::kInt,
     "1"},
    {{.names = "-n,--output_name", .help = "the output", .required = true},
     "o"},
    {{.names = "-i,--input_file,--input",
      .takes = OldOption::kMany,
      .help = "name:file.npy, several with commas [random]"},
     "for",
     Kind::kText,
     kNone},
    {{.names = "-p,--passed_path",
      .help = "sdaa: Python file with use_passes(module, config) "
              "[ocr_passes.py]"},
     "for",
     Kind::kText,
     "ocr_passes.py"},
    {{.names = "-cd,--compare_dir", .help = "compare with these outputs"},
     "for"},
    {{.names = "-g,--golden_dir", .help = "and both with these"}, "for"},
    {{.names = "-t,--input_tag", .help = "error allowed, times golden's [10]"},
     "for",
     Kind::kFloat,
     "10"},
    {{.names = "-t1,--th1", .help = "threshold of values [1e-06]"},
     "for",
     Kind::kFloat,
     "1e-06"},
    {{.names = "-t2,--th2", .help = "threshold of diff2 [0.001]"},
     "for",
     Kind::kFloat,
     "0.001"},
};

std::vector<const TecoOption*> OptionsOf(std::string_view command) {
  const char letter = command[std::string_view("dump_").size()];
  std::vector<const TecoOption*> out;
  for (const TecoOption& option : kOptions) {
    if (option.commands.find(letter) != std::string_view::npos) {
      out.push_back(&option);
    }
  }
  return out;
}

std::vector<OldOption> Plain(const std::vector<const TecoOption*>& options) {
  std::vector<OldOption> out;
  for (const TecoOption* option : options) out.push_back(option->option);
  return out;
}

std::string_view Key(const TecoOption& option) {
  return Split(option.option.names, ',')[0];
}
std::string_view Dest(const TecoOption& option) {
  return Split(option.option.names, ',')[1].substr(2);
}

// repr() of a Python text.
std::string Quoted(std::string_view text) {
  const bool single =
      text.find('\'') == text.npos || text.find('"') != text.npos;
  const char quote = single ? '\'' : '"';
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') out += '\\';
    out += c;
  }
  return out + quote;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

Error BadNumber(const TecoOption& option, const std::string& text) {
  return Usage("argument {}: invalid {} value: {}",
               fmt::join(Split(option.option.names, ','), "/"),
               option.kind == Kind::kInt ? "int" : "float", Quoted(text));
}

// As Python's int() and float() read it.
template <typename T>
bool Read(const std::string& text, T& value) {
  std::string digits;
  const std::string_view trimmed = Trim(text);
  for (size_t i = 0; i < trimmed.size(); ++i) {
    const bool between = trimmed[i] == '_' && i > 0 && i + 1 < trimmed.size() &&
                         IsDigit(trimmed[i - 1]) && IsDigit(trimmed[i + 1]);
    const bool plus = trimmed[i] == '+' && i == 0 && !trimmed.starts_with("+-");
    if (!between && !plus) digits += trimmed[i];
  }
  const char* end = digits.data() + digits.size();
  const auto [at, failed] = std::from_chars(digits.data(), end, value);
  if constexpr (std::is_floating_point_v<T>) {
    if (failed == std::errc::result_out_of_range) {
      value = std::strtod(digits.c_str(), nullptr);
      return at == end;
    }
  }
  return failed == std::errc() && at == end;
}

// The options by their long names.
class Values {
 public:
  Values(const OldArguments& typed, std::vector<const TecoOption*> options)
      : typed_(typed), options_(std::move(options)) {}

  // The value as Python prints it.
  Result<std::string> Shown(const TecoOption& option) const {
    const std::string text = Joined(option);
    if (!typed_.Has(Key(option)) && option.otherwise == kNone) return text;
    if (option.kind == Kind::kText) return Quoted(text);
    if (option.kind == Kind::kInt) {
      int64_t number = 0;
      if (!Read(text, number)) return BadNumber(option, text);
      return fmt::format("{}", number);
    }
    double number = 0;
    if (!Read(text, number)) return BadNumber(option, text);
    return ReprText(number);
  }

  Result<std::string> Namespace(std::string_view command) const {
    std::string out = "Namespace(";
    for (const TecoOption* option : options_) {
      ASSIGN_OR_RETURN(const std::string shown, Shown(*option));
      out += fmt::format("{}={}, ", Dest(*option), shown);
    }
    return out + fmt::format("name='{}')", command);
  }

  std::string Text(std::string_view dest) const {
    const TecoOption* option = Find(dest);
    if (option == nullptr) return "";
    const bool none = option->otherwise == kNone && !typed_.Has(Key(*option));
    return none ? "" : Joined(*option);
  }
  bool Typed(std::string_view dest) const {
    const TecoOption* option = Find(dest);
    return option != nullptr && typed_.Has(Key(*option));
  }
  template <typename T>
  T Number(std::string_view dest, T value) const {
    Read(Text(dest), value);  // Namespace() has checked it
    return value;
  }
  // Nothing if it was not typed.
  std::optional<int64_t> Index(std::string_view dest) const {
    if (!Typed(dest)) return std::nullopt;
    return Number<int64_t>(dest, 0);
  }

 private:
  const TecoOption* Find(std::string_view dest) const {
    for (const TecoOption* option : options_) {
      if (Dest(*option) == dest) return option;
    }
    return nullptr;
  }
  std::string Joined(const TecoOption& option) const {
    const auto& words = typed_.Words(Key(option));
    if (words.empty()) return std::string(option.otherwise);
    return fmt::format("{}", fmt::join(words, ","));
  }

  const OldArguments& typed_;
  std::vector<const TecoOption*> options_;
};

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> ParseTecoInputs(
    const std::vector<std::string>& words) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const std::string& word : words) {
    for (const std::string_view part : Split(word, ',')) {
      const size_t colon = part.rfind(':');
      if (colon == std::string_view::npos || colon == 0 ||
          colon + 1 == part.size()) {
        return Usage("-i takes name:file.npy, not '{}'", part);
      }
      out.emplace_back(part.substr(0, colon), part.substr(colon + 1));
    }
  }
  return out;
}

Result<TecoArguments> ParseTeco(std::string_view command,
                                const std::vector<std::string>& words) {
  const auto options = OptionsOf(command);
  const auto plain = Plain(options);
  ASSIGN_OR_RETURN(const OldArguments typed, ParseOldArguments(plain, words));
  TecoArguments out{.command = std::string(command),
                    .wants_help = typed.wants_help()};
  if (out.wants_help) return out;
  const Values values(typed, options);
  ASSIGN_OR_RETURN(out.echo, values.Namespace(command));
  ASSIGN_OR_RETURN(out.inputs, ParseTecoInputs(typed.Words("-i")));
  out.frame_type = values.Text("frame_type");
  out.model = values.Text("onnx_dir");
  out.model_type = values.Text("model_type");
  out.output_name = values.Text("output_name");
  out.begin = {values.Index("begin"), values.Text("begin_string")};
  out.end = {values.Index("end"), values.Text("end_string")};
  // 0 is the tool's "not given": a name then counts, and no range ends there.
  if (!out.begin.name.empty() && out.begin.index == 0) out.begin.index.reset();
  if (out.end.index == 0) out.end.index.reset();
  out.step = values.Number<int64_t>("step", 1);
  if (values.Typed("passed_path")) out.passes = values.Text("passed_path");
  out.compare_dir = values.Text("compare_dir");
  out.golden_dir = values.Text("golden_dir");
  out.tag = values.Number("input_tag", out.tag);
  out.th1 = values.Number("th1", out.th1);
  out.th2 = values.Number("th2", out.th2);
  return out;
}

std::string TecoHelp(std::string_view command) {
  return OldHelp(command, "Dump outputs of a model's operators.",
                 Plain(OptionsOf(command)));
}

}  // namespace assay
