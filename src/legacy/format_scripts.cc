#include "legacy/format_scripts.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "legacy/old_files.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::json;

// Calls convert() for each line of its input. What scripts print goes to
// standard error.
constexpr std::string_view kDriver = R"(
import importlib.util, json, os, sys
out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
import numpy
def ask(r):
    spec = importlib.util.spec_from_file_location("convert_script", r["script"])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    words = [r["from"], r["to"], numpy.load(r["array"]).reshape(-1)]
    if r["groups"] > 1:
        words.append(r["groups"])
    got = module.convert(*words)
    if not isinstance(got, numpy.ndarray):
        raise TypeError("convert() is to return an array")
    numpy.save(r["result"], got)
for line in sys.stdin:
    try:
        ask(json.loads(line))
        answer = {}
    except BaseException as error:
        answer = {"error": str(error) or type(error).__name__}
    out.write(json.dumps(answer) + "\n")
    out.flush()
)";

// "NC1HWC0" and "ND" of "convert_NC1HWC0_to_ND.py".
std::optional<std::pair<Layout, Layout>> LayoutsOf(std::string file) {
  constexpr std::string_view kBegin = "convert_", kMiddle = "_to_";
  if (!file.starts_with(kBegin) || !file.ends_with(".py")) return std::nullopt;
  file = file.substr(kBegin.size(), file.rfind('.') - kBegin.size());
  const size_t middle = file.find(kMiddle);
  if (middle == std::string::npos) return std::nullopt;
  const auto from = ParseLayout(file.substr(0, middle));
  const auto to = ParseLayout(file.substr(middle + kMiddle.size()));
  if (!from || !to) return std::nullopt;
  return std::pair(*from, *to);
}

OldResult<OldArray> ReadResult(const std::string& path) {
  const auto dump = OpenDumpFile(path);
  if (!dump) return dump.error();
  return ReadArray(*dump, dump->tensors.at(0), std::nullopt);
}

}  // namespace

OldResult<FormatScripts> FormatScripts::Find(const std::string& folder) {
  FormatScripts out;
  if (folder.empty()) return out;
  std::error_code error;
  for (const auto& entry :
       fs::directory_iterator(folder + "/format_convert", error)) {
    const std::string file = entry.path().filename();
    if (!entry.is_regular_file(error)) continue;
    if (const auto layouts = LayoutsOf(file)) {
      out.scripts_[*layouts] = entry.path();
    } else {
      LogWarning(
          fmt::format("{} is not called convert_LAYOUT_to_LAYOUT.py.", file));
    }
  }
  if (!fs::is_directory(folder, error)) {
    return Failure(OldCode::kPath, "The path {} does not exist.", folder);
  }
  if (out.scripts_.empty()) return out;
  if (const auto can = CheckPython(); !can) {
    return Failure(OldCode::kConversion, "{}; {}", can.error().what,
                   can.error().hint);
  }
  return out;
}

bool FormatScripts::Has(Layout from, Layout to) const {
  return scripts_.contains({from, to});
}

OldResult<OldArray> FormatScripts::Run(const OldArray& array,
                                       const ScriptConversion& how) const {
  const auto scratch = ScratchFolder::Make();
  if (!scratch) return Failure(OldCode::kWrite, scratch.error());
  const std::string from = scratch->path() + "/array.npy";
  const std::string to = scratch->path() + "/result.npy";
  const auto wrote = WriteNpy(array, from);
  if (!wrote) return Failure(OldCode::kWrite, wrote.error());
  const std::string& script = scripts_.at({how.from, how.to});
  const Json request = {{"script", script}, {"from", array.shape},
                        {"to", how.wanted}, {"groups", how.groups},
                        {"array", from},    {"result", to}};
  const std::string line = request.dump();
  const PythonAnswer got = AskPython({kDriver, {}}, {&line, 1})[0];
  const Json answer = Json::parse(got.line, nullptr, false);
  std::string why = got.failure;
  if (why.empty() && !answer.is_object()) why = "its answer is garbage";
  if (why.empty()) why = answer.value("error", "");
  if (why.empty()) return ReadResult(to);
  return Failure(OldCode::kConversion,
                 "Failed to execute 'convert' in '{}'. {}",
                 fs::path(script).stem().string(), why);
}

}  // namespace assay
