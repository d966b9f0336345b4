#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/comparison.h"
#include "judge/judge.h"
#include "pairing/strategy.h"
#include "pipeline/measure.h"
#include "pipeline/run_source.h"
#include "pipeline/talk.h"
#include "sources/source.h"

namespace assay {

struct Planned;

struct CompareOptions {
  std::string golden, target, noise;  // sources; noise may be empty
  // Graph files or folders of them; empty: those found beside the dumps.
  std::string graph, golden_graph;
  std::string quant;     // rule file of a quantiser; empty: none
  std::string name_log;  // printed lines about shortened names; empty: none
  OpenOptions open;
  ModelOptions models;  // for sources of the form EXECUTOR:MODEL
  PairOptions pair;
  MeasureOptions measure;
  JudgeOptions judge;
  std::vector<const Metric*> metrics;  // empty: every one-pass metric
  double min_coverage = 0;             // percent of the tensors of either side
  bool strict = false;
  size_t worst = 5;    // elements kept per bad row
  size_t details = 0;  // bad rows that get a RowDetail, for the page
  bool show_progress = false;
  ProgressCount* progress = nullptr;  // for those who watch without a terminal
  // Called for every row after judging, from several threads, of which large
  // rows may use some: old tools' numbers, which need the values once more.
  // `stats` is null where no values were measured.
  std::function<void(Planned&, const PairStats* stats, int threads)> row_pass;
};

// Opens, pairs, measures, judges, examines. An error: nothing could be
// compared at all. After `stop` the result holds what was finished.
Result<Comparison> Compare(const CompareOptions& options, const Talk& out,
                           const std::atomic<bool>& stop);

}  // namespace assay
