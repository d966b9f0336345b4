#include "legacy/llm_custom.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/child_process.h"
#include "base/json_writer.h"
#include "base/output_file.h"
#include "base/text.h"
#include "legacy/chunks.h"
#include "pipeline/align.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// Reads lines ["golden.npy", "my.npy"], answers lines ["value", "message"].
// The user's own prints go to the standard error. The first call, with ones,
// shows whether the function is what it should be.
constexpr std::string_view kScript = R"(
import importlib.util, json, sys
answers, sys.stdout = sys.stdout, sys.stderr
import numpy
try:
    from torch import from_numpy as wrap
except ImportError:
    wrap = lambda array: array
file, function = sys.argv[1:]
spec = importlib.util.spec_from_file_location("custom_metric", file)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
compare = getattr(module, function)

def ask(golden, my):
    value, message = compare(wrap(golden), wrap(my))
    if not isinstance(value, (int, float, str)) or not isinstance(message, str):
        raise TypeError("it must return a number or text, and a message")
    return str(value), message

ask(numpy.ones(1, numpy.float32), numpy.ones(1, numpy.float32))
for line in sys.stdin:
    try:
        answer = ask(*map(numpy.load, json.loads(line)))
    except Exception as error:
        answer = "", f"{type(error).__name__}: {error}"
    print(json.dumps(answer), file=answers, flush=True)
)";

// A folder that goes when it is no longer needed.
class Scratch {
 public:
  Scratch() : path_(fs::temp_directory_path() / Name()) {
    fs::create_directories(path_);
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string operator/(const std::string& name) const { return path_ / name; }

 private:
  std::string Name() const {
    return fmt::format("assay-{}-{}", getpid(), static_cast<const void*>(this));
  }
  fs::path path_;
};

std::string NpyHeader(uint64_t count) {
  std::string dict = fmt::format(
      "{{'descr': '<f4', 'fortran_order': False, 'shape': ({},), }}", count);
  dict.resize((dict.size() + 11 + 63) / 64 * 64 - 11, ' ');
  dict += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(dict.size() & 0xff);
  out += static_cast<char>(dict.size() >> 8);
  return out + dict;
}

Status SaveFlat(const TensorOf& side, const std::string& path) {
  const StoredView view = SeePlain(*side.dump, *side.tensor).view;
  const MeasureJob itself = {view, view};
  ASSIGN_OR_RETURN(const PairChunks chunks, PairChunks::Open(itself));
  ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path));
  RETURN_IF_ERROR(file.Append(NpyHeader(chunks.my_count())));
  Status written = Done{};
  RETURN_IF_ERROR(
      chunks.ForEach<float>(chunks.my_count(), [&](const ChunkPair<float>& c) {
        if (!written) return;
        written = file.Append(
            {reinterpret_cast<const char*>(c.my), c.n * sizeof(float)});
      }));
  RETURN_IF_ERROR(std::move(written));
  return file.Commit();
}

// Files for so many rows are on the disk at a time.
constexpr size_t kAtOnce = 32;

class Asker {
 public:
  Asker(const CustomMetric& metric, const std::vector<LlmRow>& rows)
      : metric_(metric), rows_(rows) {}

  // Adds [value, message] of the next rows.
  Status Ask(size_t begin, size_t end,
             std::vector<std::pair<std::string, std::string>>& answers) {
    const Scratch scratch;
    std::string input;
    for (size_t i = begin; i < end; ++i) {
      const std::string golden = scratch / fmt::format("golden{}.npy", i);
      const std::string my = scratch / fmt::format("my{}.npy", i);
      RETURN_IF_ERROR(SaveFlat(rows_[i].pair.golden, golden));
      RETURN_IF_ERROR(SaveFlat(rows_[i].pair.my, my));
      input += fmt::format("[{},{}]\n", JsonQuoted(golden), JsonQuoted(my));
    }
    ASSIGN_OR_RETURN(const ChildResult child, Start(input));
    size_t answered = 0;
    for (const std::string_view line : Split(child.out, '\n')) {
      const auto json = nlohmann::json::parse(line, nullptr, false);
      if (!json.is_array() || json.size() != 2) continue;
      answers.emplace_back(json[0].get<std::string>(),
                           json[1].get<std::string>());
      ++answered;
    }
    if (child.exit == 0 && answered == end - begin) return Done{};
    return Unsupported("'{}' cannot be used", metric_.function)
        .At(metric_.file)
        .Hint(std::string(LastLine(child.err)));
  }

 private:
  Result<ChildResult> Start(const std::string& input) const {
    Result<ChildResult> child = RunChild(
        {"python3", "-c", std::string(kScript), metric_.file, metric_.function},
        input);
    if (child || child.error().code != ErrorCode::kNotFound) return child;
    return Unsupported("an own metric needs python3, which is not here")
        .At(metric_.file)
        .Hint("install python3 with NumPy, or leave -alg out");
  }

  static std::string_view LastLine(std::string_view text) {
    text = Trim(text);
    return text.substr(text.rfind('\n') + 1);
  }

  const CustomMetric& metric_;
  const std::vector<LlmRow>& rows_;
};

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
  return metric;
}

Result<std::vector<std::string>> AskCustom(
    const CustomMetric& metric, const std::vector<LlmRow>& rows,
    const std::function<void(const std::string&)>& say) {
  std::vector<std::pair<std::string, std::string>> answers;
  Asker asker(metric, rows);
  for (size_t at = 0; at < rows.size(); at += kAtOnce) {
    RETURN_IF_ERROR(
        asker.Ask(at, std::min(at + kAtOnce, rows.size()), answers));
  }
  std::vector<std::string> values;
  for (size_t i = 0; i < answers.size(); ++i) {
    auto& [value, message] = answers[i];
    if (!message.empty()) {
      say(fmt::format("{} of {}: {}", metric.function, rows[i].pair.my_path,
                      message));
    }
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace assay
