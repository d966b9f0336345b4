#include "legacy/msaccucmp_algorithm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "legacy/python_calls.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

using Options = std::map<std::string, std::map<std::string, std::string>>;

constexpr size_t kMostScripts = 1000;
constexpr uintmax_t kLargestScript = 1 << 20;

// A built-in's number stands for its name.
std::string FullName(std::string_view word) {
  const auto metric = MsaccucmpMetricNamed(word);
  return std::string(metric ? Name(*metric) : word);
}

OldFailure BadOptions(std::string_view text) {
  return Failure(OldCode::kParameter,
                 "The algorithm options \"{}\" are invalid; they are to be "
                 "Alg:key=value,key=value;Alg2:key=value",
                 text);
}

OldResult<Options> ParseOptions(const std::string& text) {
  Options out;
  if (text.empty()) return out;
  for (const std::string_view part : Split(text, ';')) {
    if (part.empty()) continue;
    const auto sides = Split(part, ':');
    if (sides.size() != 2 || Trim(sides[0]).empty()) return BadOptions(text);
    auto& options = out[FullName(Trim(sides[0]))];
    for (const std::string_view pair : Split(sides[1], ',')) {
      if (Trim(pair).empty()) continue;
      const auto words = Split(pair, '=');
      if (words.size() != 2 || Trim(words[0]).empty() ||
          Trim(words[1]).empty()) {
        return BadOptions(text);
      }
      options[std::string(Trim(words[0]))] = Trim(words[1]);
    }
  }
  return out;
}

// "My" for "alg_My.py"; empty for other names.
std::string NameOfScript(const std::string& file) {
  const bool python = file.ends_with(".py") || file.ends_with(".pyc");
  if (!file.starts_with("alg_") || !python) return "";
  const std::string name = file.substr(4, file.rfind('.') - 4);
  const bool word = std::ranges::all_of(
      name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  return word ? name : "";
}

OldResult<std::map<std::string, std::string>> FindScripts(
    const std::string& folder) {
  std::map<std::string, std::string> scripts;
  if (folder.empty()) return scripts;
  std::error_code error;
  size_t count = 0;
  for (const auto& entry :
       fs::directory_iterator(folder + "/algorithm", error)) {
    if (++count > kMostScripts || entry.file_size(error) > kLargestScript) {
      return Failure(OldCode::kUnknown,
                     "{} has more than {} files, or one of more than 1 MiB",
                     folder, kMostScripts);
    }
    const std::string file = entry.path().filename();
    if (const std::string name = NameOfScript(file); !name.empty()) {
      scripts[name] = entry.path();
    } else {
      LogWarning(fmt::format("{} is not called alg_NAME.py.", file));
    }
  }
  if (error && !fs::is_directory(folder)) {
    return Failure(OldCode::kPath, "The path {} does not exist.", folder);
  }
  return scripts;
}

// "0,MaxAbsoluteError" in one word, or numbers as words of their own.
std::vector<std::string> NamesOf(const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const std::string& word : words) {
    for (const std::string_view name : Split(word, ',')) {
      if (!Trim(name).empty()) names.emplace_back(Trim(name));
    }
  }
  return names;
}

bool IsAll(const AlgorithmWords& words, const std::vector<std::string>& names) {
  return words.alg.empty() || (names.size() == 1 && Lower(names[0]) == "all");
}

// Says of the script on each line whether it has a compare() that takes three
// values. One that cannot be read says why when it is asked for a value.
constexpr std::string_view kLooker = R"(
import importlib.util, inspect, json, os, sys
out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
for line in sys.stdin:
    try:
        spec = importlib.util.spec_from_file_location("script", json.loads(line))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        compare = getattr(module, "compare", None)
        good = callable(compare) and len(inspect.signature(compare).parameters) == 3
    except BaseException:
        good = True
    out.write(json.dumps(good) + "\n")
    out.flush()
)";

// Leaves out scripts that are no algorithms.
void DropOthers(std::vector<OldAlgorithm>& algorithms) {
  std::vector<std::string> paths;
  for (const OldAlgorithm& a : algorithms) {
    if (!a.metric) paths.push_back(nlohmann::json(a.script).dump());
  }
  const auto answers = AskPython({kLooker, {}}, paths);
  size_t next = 0;
  std::erase_if(algorithms, [&](const OldAlgorithm& a) {
    if (a.metric || answers[next++].line != "false") return false;
    LogWarning(fmt::format(
        "{} has no function compare() with three parameters.", a.script));
    return true;
  });
}

OldStatus CheckScripts(std::vector<OldAlgorithm>& algorithms) {
  if (std::ranges::all_of(algorithms,
                          [](const auto& a) { return a.metric.has_value(); })) {
    return Done{};
  }
  if (const auto can = CheckPython(); !can) {
    return Failure(OldCode::kAlgorithm, "{}; {}", can.error().what,
                   can.error().hint);
  }
  DropOthers(algorithms);
  return Done{};
}

}  // namespace

OldResult<std::vector<OldAlgorithm>> ChooseAlgorithms(
    const AlgorithmWords& words) {
  if (words.alg.size() == 1 && words.alg[0].empty()) {
    return Failure(OldCode::kParameter, "-alg names no algorithm.");
  }
  const auto options = ParseOptions(words.options);
  if (!options) return options.error();
  const auto scripts = FindScripts(words.folder);
  if (!scripts) return scripts.error();
  std::vector<std::string> names = NamesOf(words.alg);
  if (IsAll(words, names)) {
    names.clear();
    for (const auto metric : AllMsaccucmpMetrics()) {
      names.emplace_back(Name(metric));
    }
  }
  std::vector<OldAlgorithm> out;
  for (const std::string& word : names) {
    OldAlgorithm algorithm{.name = FullName(word),
                           .metric = MsaccucmpMetricNamed(word)};
    if (const auto script = scripts->find(algorithm.name);
        script != scripts->end()) {
      algorithm.metric.reset();
      algorithm.script = script->second;
    } else if (!algorithm.metric) {
      LogWarning(fmt::format("The algorithm \"{}\" is not known.", word));
      continue;
    }
    if (const auto own = options->find(algorithm.name); own != options->end()) {
      algorithm.options = own->second;
    }
    const auto same =
        std::ranges::find(out, algorithm.name, &OldAlgorithm::name);
    if (same == out.end()) out.push_back(std::move(algorithm));
  }
  if (auto fine = CheckScripts(out); !fine) return fine.error();
  if (out.empty()) {
    return Failure(OldCode::kAlgorithm, "There is no algorithm to compare.");
  }
  return out;
}

}  // namespace assay
