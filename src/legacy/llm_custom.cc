#include "legacy/llm_custom.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/json_writer.h"
#include "legacy/old_files.h"
#include "legacy/python_calls.h"
#include "pipeline/align.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// Reads lines ["golden.npy", "my.npy"], answers lines ["value", "message"] or
// ["why not"]. An empty line asks whether there is such a function. What the
// user prints goes to the standard error.
constexpr std::string_view kDriver = R"(
import importlib.util, json, os, sys
out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
import numpy
try:
    from torch import from_numpy as wrap
except ImportError:
    wrap = lambda array: array
file, function = sys.argv[1:]
known = []
def load():
    if not known:
        spec = importlib.util.spec_from_file_location("custom_metric", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        known.append(getattr(module, function))
    return known[0]
def ask(line):
    compare = load()
    if not line.strip():
        return "", ""
    value, message = compare(*(wrap(numpy.load(path)) for path in json.loads(line)))
    if not isinstance(value, (int, float, str)) or not isinstance(message, str):
        raise TypeError("it must return a number or text, and a message")
    return str(value), message
for line in sys.stdin:
    try:
        answer = ask(line)
    except BaseException as error:
        answer = (f"{type(error).__name__}: {error}",)
    print(json.dumps(answer), file=out, flush=True)
)";

PythonDriver DriverOf(const CustomMetric& metric) {
  return {kDriver, {metric.file, metric.function}};
}

CustomCell CellOf(const PythonAnswer& answer) {
  if (!answer.failure.empty()) return {"NaN", answer.failure};
  const Json json = Json::parse(answer.line, nullptr, false);
  const auto text = [&](size_t i) {
    return i < json.size() && json[i].is_string() ? json[i].get<std::string>()
                                                  : std::string();
  };
  if (!json.is_array()) return {"NaN", "its answer is garbage"};
  if (json.size() == 2) return {text(0), text(1)};
  return {"NaN", text(0)};
}

Status SaveFlat(const TensorOf& side, const std::string& path) {
  const StoredView view = SeePlain(*side.dump, *side.tensor).view;
  const uint64_t count = ElementCount(view.shape).value_or(0);
  ASSIGN_OR_RETURN(const OldArray array, FlatArray(view, count, false));
  return WriteNpy(array, path);
}

// The line that asks about a row, whose arrays are written for it.
Result<std::string> Request(const LlmRow& row, const std::string& stem) {
  const std::string golden = stem + "_golden.npy", my = stem + "_my.npy";
  if (row.pair.golden.tensor == nullptr) {
    return NotFound("the golden side was not dumped");
  }
  RETURN_IF_ERROR(SaveFlat(row.pair.golden, golden));
  RETURN_IF_ERROR(SaveFlat(row.pair.my, my));
  return fmt::format("[{},{}]", JsonQuoted(golden), JsonQuoted(my));
}

// Files for so many rows are on the disk at a time.
constexpr size_t kAtOnce = 32;

void AskSome(PythonCalls& python, std::span<const LlmRow> rows,
             const ScratchFolder& scratch, std::span<CustomCell> cells) {
  std::vector<PythonRequest> requests;
  std::vector<size_t> asked;
  for (size_t i = 0; i < rows.size(); ++i) {
    auto request = Request(rows[i], fmt::format("{}/{}", scratch.path(), i));
    if (request) {
      requests.push_back({*std::move(request)});
      asked.push_back(i);
    } else {
      cells[i] = {"NaN", request.error().what};
    }
  }
  const auto answers = python.Ask(requests);
  for (size_t i = 0; i < asked.size(); ++i) {
    cells[asked[i]] = CellOf(answers[i]);
  }
  scratch.Clear();
}

}  // namespace

Result<CustomMetric> CustomMetric::Parse(const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == text.npos || colon == 0 || colon + 1 == text.size()) {
    return Usage("'{}' is not of the form file.py:function", text);
  }
  CustomMetric metric = {text.substr(0, colon), text.substr(colon + 1)};
  if (!fs::is_regular_file(metric.file)) {
    return NotFound("no such file").At(metric.file);
  }
  const auto group_writes = fs::status(metric.file).permissions() &
                            (fs::perms::group_write | fs::perms::others_write);
  if (group_writes != fs::perms::none) {
    return Usage("others may write to this file, so it is not run")
        .At(metric.file)
        .Hint("chmod go-w " + metric.file);
  }
  RETURN_IF_ERROR(CheckPython());
  const std::string nothing;
  const PythonAnswer there = AskPython(DriverOf(metric), {&nothing, 1})[0];
  const CustomCell cell = CellOf(there);
  if (cell.value.empty()) return metric;
  return Unsupported("'{}' cannot be used", metric.function)
      .At(metric.file)
      .Hint(cell.message);
}

std::vector<CustomCell> AskCustom(const CustomMetric& metric,
                                  const std::vector<LlmRow>& rows) {
  std::vector<CustomCell> cells(rows.size());
  const auto scratch = ScratchFolder::Make();
  if (!scratch) {
    std::ranges::fill(cells, CustomCell{"NaN", scratch.error().what});
    return cells;
  }
  PythonCalls python(DriverOf(metric));
  for (size_t at = 0; at < rows.size(); at += kAtOnce) {
    const size_t n = std::min(kAtOnce, rows.size() - at);
    AskSome(python, std::span(rows).subspan(at, n), *scratch,
            std::span(cells).subspan(at, n));
  }
  return cells;
}

}  // namespace assay
