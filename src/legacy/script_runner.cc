#include "legacy/script_runner.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/child_lines.h"
#include "base/child_process.h"
#include "executors/python_words.h"
#include "kernel/value_stream.h"
#include "legacy/chunks.h"
#include "legacy/old_files.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr double kSeconds = 60;         // that one call may take
constexpr uint64_t kBatch = 256 << 20;  // bytes of arrays that one process gets

// Calls compare(my, golden, args) for each line of its input and answers with a
// line. What scripts print goes to standard error.
constexpr std::string_view kDriver = R"(
import importlib.util, inspect, json, os, sys, types
out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
import numpy
known = {}
def load(path):
    if path not in known:
        spec = importlib.util.spec_from_file_location("alg_%d" % len(known), path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        if len(inspect.signature(module.compare).parameters) != 3:
            raise TypeError("compare() is to have three parameters")
        known[path] = module.compare
    return known[path]
def ask(r):
    arrays = [numpy.load(r[side]) for side in ("my", "golden")]
    got = load(r["script"])(*arrays, types.SimpleNamespace(**r["args"]))
    if not (isinstance(got, (tuple, list)) and len(got) == 2
            and all(isinstance(text, str) for text in got)):
        raise TypeError("compare() is to return two strings")
    return {"value": got[0], "message": got[1]}
for line in sys.stdin:
    try:
        answer = ask(json.loads(line))
    except BaseException as error:
        answer = {"error": str(error) or type(error).__name__}
    out.write(json.dumps(answer) + "\n")
    out.flush()
)";

double SecondsOfCall() {
  const char* text = getenv("ASSAY_SCRIPT_SECONDS");
  const double seconds = text == nullptr ? 0 : strtod(text, nullptr);
  return seconds > 0 ? seconds : kSeconds;
}

// A folder that is gone when nobody needs it any more.
class ScratchFolder {
 public:
  static Result<ScratchFolder> Make() {
    std::string path = (fs::temp_directory_path() / "assay-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) {
      return IoError("cannot make a folder for the scripts' arrays").At(path);
    }
    return ScratchFolder(std::move(path));
  }
  ScratchFolder(ScratchFolder&& other) noexcept
      : path_(std::exchange(other.path_, "")) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// As the built-in algorithms see it: flat, float32 unless both are bool.
Result<OldArray> ArrayOf(const StoredView& view, uint64_t count,
                         bool keep_bool) {
  WorkBuffers buffers;
  OldArray array{.dtype = keep_bool ? DType::kBool : DType::kF32,
                 .shape = {static_cast<int64_t>(count)}};
  ASSIGN_OR_RETURN(const ChunkSide side, ChunkSide::Open(view));
  ASSIGN_OR_RETURN(auto reader,
                   ChunkReader<float>::Open(side, count, buffers.target()));
  for (uint64_t left = count; left > 0;) {
    const auto n = static_cast<size_t>(std::min<uint64_t>(left, kBlock));
    ASSIGN_OR_RETURN(const float* values, reader.Next());
    if (keep_bool) {
      for (size_t i = 0; i < n; ++i)
        array.bytes += values[i] != 0 ? '\1' : '\0';
    } else {
      array.bytes.append(reinterpret_cast<const char*>(values), n * 4);
    }
    left -= n;
  }
  RETURN_IF_ERROR(reader.Finish());
  return array;
}

class Runner {
 public:
  Runner(std::span<const AlgorithmPair* const> pairs,
         const AlgorithmOptions& options, ScratchFolder folder)
      : pairs_(pairs), options_(options), folder_(std::move(folder)) {
    for (const OldAlgorithm& algorithm : options.algorithms) {
      if (!algorithm.metric) scripts_.push_back(&algorithm);
    }
  }

  std::vector<std::vector<MsaccucmpCell>> Run() {
    cells_.resize(pairs_.size());
    for (size_t i = 0; i < pairs_.size();) {
      std::vector<Call> calls;
      uint64_t bytes = 0;
      for (; i < pairs_.size() && bytes < kBatch; ++i) {
        cells_[i].resize(scripts_.size());
        const auto wrote = WriteArrays(i);
        bytes += wrote ? *wrote : 0;
        for (size_t k = 0; k < scripts_.size(); ++k) {
          if (wrote) {
            calls.push_back({i, k});
          } else {
            cells_[i][k] = Failed(wrote.error().what, k);
          }
        }
      }
      RunCalls(calls);
    }
    return std::move(cells_);
  }

 private:
  struct Call {
    size_t pair, script;
  };

  // Both arrays of a pair; how many bytes they are.
  Result<uint64_t> WriteArrays(size_t pair) {
    const MeasureJob& job = pairs_[pair]->job;
    const StoredView &my = job.target, &golden = job.golden;
    const bool both_bool =
        my.dtype() == DType::kBool && golden.dtype() == DType::kBool;
    uint64_t bytes = 0;
    for (const StoredView* view : {&my, &golden}) {
      uint64_t count = ElementCount(view->shape).value_or(0);
      if (options_.first > 0) count = std::min(count, options_.first);
      ASSIGN_OR_RETURN(const OldArray array, ArrayOf(*view, count, both_bool));
      RETURN_IF_ERROR(
          WriteNpy(array, PathOf(view == &my ? "my" : "golden", pair)));
      bytes += array.bytes.size();
    }
    return bytes;
  }

  std::string PathOf(std::string_view side, size_t pair) const {
    return fmt::format("{}/{}_{}.npy", folder_.path(), side, pair);
  }

  std::string Request(const Call& call) const {
    const OldAlgorithm& script = *scripts_[call.script];
    const AlgorithmPair& pair = *pairs_[call.pair];
    Json args = Json::object();
    for (const auto& [key, value] : script.options) args[key] = value;
    args["my_output_dump_file"] = pair.my_file;
    args["ground_truth_dump_file"] = pair.golden_file;
    args["shape_type"] = pair.job.target.shape.empty() ? "scalar" : "tensor";
    const Json request = {{"script", script.script},
                          {"my", PathOf("my", call.pair)},
                          {"golden", PathOf("golden", call.pair)},
                          {"args", args}};
    return request.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

  // One process for all calls; after one that did not end, another process goes
  // on with the next.
  void RunCalls(std::span<const Call> calls) {
    while (!calls.empty()) {
      calls = calls.subspan(RunSome(calls));
    }
    std::error_code ignored;
    for (const auto& file : fs::directory_iterator(folder_.path(), ignored)) {
      fs::remove(file.path(), ignored);
    }
  }

  // How many calls are done then.
  size_t RunSome(std::span<const Call> calls) {
    std::string requests;
    for (const Call& call : calls) requests += Request(call);
    auto child =
        ChildLines::Start(PythonWords({"-c", std::string(kDriver)}), requests);
    const std::atomic<bool> never = false;
    for (size_t i = 0; i < calls.size(); ++i) {
      MsaccucmpCell& cell = cells_[calls[i].pair][calls[i].script];
      const auto line =
          child ? child->Next(SecondsOfCall(), never) : std::nullopt;
      if (!line) {
        const bool hangs = child && child->why() == ChildLines::End::kTimeout;
        cell = Failed(
            hangs ? fmt::format("it took more than {} seconds", SecondsOfCall())
                  : std::string("Python ended"),
            calls[i].script);
        return i + 1;
      }
      cell = Parse(*line, calls[i].script);
    }
    return calls.size();
  }

  MsaccucmpCell Parse(const std::string& line, size_t script) const {
    const Json answer = Json::parse(line, nullptr, false);
    if (!answer.is_object()) return Failed("its answer is garbage", script);
    if (answer.contains("error")) {
      return Failed(answer.value("error", ""), script);
    }
    return {answer.value("value", ""), answer.value("message", "")};
  }

  MsaccucmpCell Failed(const std::string& why, size_t script) const {
    return {"NaN", fmt::format("Failed to execute 'compare' in '{}'. {}",
                               scripts_[script]->name, why)};
  }

  std::span<const AlgorithmPair* const> pairs_;
  const AlgorithmOptions& options_;
  ScratchFolder folder_;
  std::vector<const OldAlgorithm*> scripts_;
  std::vector<std::vector<MsaccucmpCell>> cells_;
};

}  // namespace

Status CheckScripts() {
  const auto done = RunChild(PythonWords({"-c", "import numpy"}), "");
  if (!done || done->exit == 127) {
    return Unsupported("scripts of algorithms need python3, and there is none")
        .Hint("leave -c out, or install Python with NumPy");
  }
  if (done->exit == 0) return Done{};
  return Unsupported("scripts of algorithms need NumPy, and Python has none")
      .Hint("leave -c out, or install numpy");
}

std::vector<std::vector<MsaccucmpCell>> RunScripts(
    std::span<const AlgorithmPair* const> pairs,
    const AlgorithmOptions& options) {
  auto folder = ScratchFolder::Make();
  if (folder) return Runner(pairs, options, *std::move(folder)).Run();
  size_t scripts = 0;
  for (const OldAlgorithm& a : options.algorithms) scripts += a.metric ? 0 : 1;
  return {pairs.size(),
          std::vector<MsaccucmpCell>(scripts, {"NaN", folder.error().what})};
}

}  // namespace assay
