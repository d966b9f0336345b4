#include "legacy/ask_algorithms.h"

#include <algorithm>
#include <optional>

#include "base/parallel.h"
#include "legacy/script_runner.h"

namespace assay {
namespace {

using Answers = std::vector<Result<MsaccucmpAnswer>>;

Answers AskBuiltIn(std::span<const AlgorithmPair> pairs,
                   const AlgorithmOptions& options) {
  std::vector<MsaccucmpMetric> metrics;
  for (const OldAlgorithm& algorithm : options.algorithms) {
    if (algorithm.metric) metrics.push_back(*algorithm.metric);
  }
  Answers answers(pairs.size(), Result<MsaccucmpAnswer>(MsaccucmpAnswer{}));
  std::vector<uint64_t> sizes;
  for (const AlgorithmPair& pair : pairs) {
    sizes.push_back(StoredBytes(pair.job));
  }
  ParallelBySize(sizes, options.threads, [&](size_t i, int threads) {
    answers[i] =
        AskMsaccucmp(pairs[i].job, {.metrics = metrics,
                                    .first = options.first,
                                    .my_file = pairs[i].my_file,
                                    .golden_file = pairs[i].golden_file,
                                    .bool_is_number = options.bool_is_number,
                                    .empty_has_type = options.empty_has_type,
                                    .threads = threads});
  });
  return answers;
}

// The cells of scripts go where their columns are.
void InsertCells(const std::vector<OldAlgorithm>& algorithms,
                 std::vector<MsaccucmpCell> scripts, MsaccucmpAnswer& answer) {
  std::vector<MsaccucmpCell> cells;
  size_t built_in = 0, script = 0;
  for (const OldAlgorithm& algorithm : algorithms) {
    cells.push_back(algorithm.metric ? std::move(answer.cells[built_in++])
                                     : std::move(scripts[script++]));
  }
  answer.cells = std::move(cells);
}

}  // namespace

Answers AskAlgorithms(std::span<const AlgorithmPair> pairs,
                      const AlgorithmOptions& options) {
  Answers answers = AskBuiltIn(pairs, options);
  const auto is_script = [](const OldAlgorithm& a) { return !a.metric; };
  if (std::ranges::none_of(options.algorithms, is_script)) return answers;
  std::vector<const AlgorithmPair*> measured;
  std::vector<MsaccucmpAnswer*> owners;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (!answers[i] || !answers[i]->refusal.empty()) continue;
    measured.push_back(&pairs[i]);
    owners.push_back(&*answers[i]);
  }
  auto cells = RunScripts(measured, options);
  for (size_t i = 0; i < owners.size(); ++i) {
    InsertCells(options.algorithms, std::move(cells[i]), *owners[i]);
  }
  return answers;
}

}  // namespace assay
