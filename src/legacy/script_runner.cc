#include "legacy/script_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "legacy/old_files.h"
#include "legacy/python_calls.h"

namespace assay {
namespace {

using Json = nlohmann::json;

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
    value, message = load(r["script"])(*arrays, types.SimpleNamespace(**r["args"]))
    if not (isinstance(value, str) and isinstance(message, str)):
        print("compare() of %s is to return two strings" % r["script"], file=sys.stderr)
        raise TypeError("compare")  # the old message
    return {"value": value, "message": message}
for line in sys.stdin:
    try:
        answer = ask(json.loads(line))
    except BaseException as error:
        answer = {"error": str(error) or type(error).__name__}
    out.write(json.dumps(answer) + "\n")
    out.flush()
)";

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
          if (RefusesBool(i, k)) {
            cells_[i][k] = {"NaN", NoBool(scripts_[k]->name)};
          } else if (wrote) {
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

  bool AreBool(size_t pair) const {
    const MeasureJob& job = pairs_[pair]->job;
    return !options_.bool_is_number && job.target.dtype() == DType::kBool &&
           job.golden.dtype() == DType::kBool;
  }

  // Of two algorithms the original thinks that they can do it.
  bool RefusesBool(size_t pair, size_t script) const {
    const auto metric = MsaccucmpMetricNamed(scripts_[script]->name);
    return AreBool(pair) && metric != MsaccucmpMetric::kCosineSimilarity &&
           metric != MsaccucmpMetric::kRelativeEuclideanDistance;
  }

  // Both arrays of a pair; how many bytes they are.
  Result<uint64_t> WriteArrays(size_t pair) {
    const MeasureJob& job = pairs_[pair]->job;
    const StoredView &my = job.target, &golden = job.golden;
    const bool both_bool = AreBool(pair);
    uint64_t bytes = 0;
    for (const StoredView* view : {&my, &golden}) {
      uint64_t count = ElementCount(view->shape).value_or(0);
      if (options_.first > 0) count = std::min(count, options_.first);
      ASSIGN_OR_RETURN(const OldArray array,
                       FlatArray(*view, count, both_bool));
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
    return request.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  void RunCalls(std::span<const Call> calls) {
    std::vector<PythonRequest> requests;
    for (const Call& call : calls) {
      requests.push_back({Request(call), call.script});
    }
    const auto answers = python_.Ask(requests);
    for (size_t i = 0; i < calls.size(); ++i) {
      cells_[calls[i].pair][calls[i].script] =
          Parse(answers[i], calls[i].script);
    }
    folder_.Clear();
  }

  MsaccucmpCell Parse(const PythonAnswer& got, size_t script) const {
    if (!got.failure.empty()) return Failed(got.failure, script);
    const Json answer = Json::parse(got.line, nullptr, false);
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
  PythonCalls python_{{kDriver, {}}};
  std::vector<const OldAlgorithm*> scripts_;
  std::vector<std::vector<MsaccucmpCell>> cells_;
};

}  // namespace

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
