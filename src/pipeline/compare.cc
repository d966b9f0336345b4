#include "pipeline/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_map>

#include "advice/rule.h"
#include "base/parallel.h"
#include "base/text.h"
#include "graphs/graph_kind.h"
#include "judge/by_summary.h"
#include "judge/summary_limits.h"
#include "pairing/name_log.h"
#include "pipeline/attribute.h"
#include "pipeline/choose_graphs.h"
#include "pipeline/fingerprint.h"
#include "pipeline/large_weights.h"
#include "pipeline/look_closer.h"
#include "pipeline/name_by_onnx.h"
#include "pipeline/outline_graphs.h"
#include "pipeline/plan.h"
#include "pipeline/record.h"
#include "pipeline/row_details.h"
#include "pipeline/second_look.h"
#include "pipeline/summary.h"

namespace assay {
namespace {

// How the sides are paired is what people look for first; what was opened
// before that is told after it.
class PairingFirst {
 public:
  explicit PairingFirst(const Talk& out) : out_(out) {}
  ~PairingFirst() { Flush(); }

  void Say(const std::string& line) {
    held_ ? held_->push_back(line) : out_(line);
  }
  void Pairing(const assay::Pairing& pairing) {
    out_(
        fmt::format("pairing: {} (because {})", pairing.strategy, pairing.why));
    Flush();
  }

 private:
  void Flush() {
    if (!held_) return;
    for (const std::string& line : *held_) out_(line);
    held_.reset();
  }

  const Talk& out_;
  std::optional<std::vector<std::string>> held_{std::in_place};
};

Result<Dump> OpenSide(std::string_view side, const std::string& source,
                      Sources& sources, const Talk& talk) {
  ASSIGN_OR_RETURN(Dump dump, sources.Open(side, source, talk));
  talk(fmt::format("{}: {} ({}), {} in {}", side, dump.kind, dump.why,
                   Counted(dump.tensors.size(), "tensor"),
                   Counted(dump.files.size(), "file")));
  constexpr size_t kShown = 5;
  for (size_t i = 0; i < std::min(kShown, dump.notes.size()); ++i) {
    talk(fmt::format("  not read: {}: {}", dump.notes[i].file,
                     dump.notes[i].text));
  }
  if (dump.notes.size() > kShown) {
    talk(fmt::format("  not read: {} more",
                     Counted(dump.notes.size() - kShown, "file")));
  }
  return dump;
}

Status UseNameLog(const std::string& path, const Talk& talk, Dump& golden) {
  if (path.empty()) return Done{};
  ASSIGN_OR_RETURN(const uint32_t renamed, ApplyNameLog(path, golden));
  talk(fmt::format("name log: {} got its name back",
                   Counted(renamed, "golden tensor")));
  return Done{};
}

const Graph* OnnxOf(const Dump& dump) {
  for (const auto& graph : dump.graphs) {
    if (graph->kind == "onnx") return graph.get();
  }
  return nullptr;
}

using GraphRef = std::shared_ptr<const Graph>;

// A quantiser's rules were given as the graph of a framework's arrays: the
// operators have originals, and no order as those of a compiler have.
GraphRef TakeRules(const std::string& asked, const Talk& talk, Dump& dump) {
  if (asked.empty() || dump.kind != "plain" || dump.graphs.size() != 1) {
    return nullptr;
  }
  const std::vector<Operator>& ops = dump.graphs[0]->operators;
  const auto ordered = [](const Operator& op) { return op.id != 0; };
  const auto made = [](const Operator& op) {
    return op.originals && !op.originals->empty();
  };
  if (std::ranges::any_of(ops, ordered) || std::ranges::none_of(ops, made)) {
    return nullptr;
  }
  talk(fmt::format("  {} is read as the rules of a quantiser", asked));
  GraphRef rules = std::move(dump.graphs[0]);
  dump.graphs.clear();
  return rules;
}

// Those of --quant, else those that stand for a graph; null: there are none.
Result<GraphRef> LoadRules(const CompareOptions& options, const Talk& talk,
                           Dump& golden, Dump& target) {
  if (!options.quant.empty()) {
    ASSIGN_OR_RETURN(Graph quant, OpenGraph(options.quant));
    return std::make_shared<const Graph>(std::move(quant));
  }
  GraphRef rules = TakeRules(options.golden_graph, talk, golden);
  return rules ? rules : TakeRules(options.graph, talk, target);
}

// Each side by its own model where it has one: equal names may mean other
// tensors in another model.
Status LoadGraphs(const CompareOptions& options, const Talk& talk, Dump& golden,
                  Dump& target, GraphRef& rules) {
  RETURN_IF_ERROR(ChooseGraphs(options.golden_graph, "golden", golden, talk));
  RETURN_IF_ERROR(ChooseGraphs(options.graph, "target", target, talk));
  ASSIGN_OR_RETURN(rules, LoadRules(options, talk, golden, target));
  NameByGraphs(golden);
  NameByGraphs(target);
  if (!target.graphs.empty() || rules != nullptr) {
    NameAsOutputs(golden);
    NameAsOutputs(target);
  }
  const Graph *g = OnnxOf(golden), *t = OnnxOf(target);
  if (g == nullptr && t == nullptr) return Done{};
  NameByOnnx(g != nullptr ? *g : *t, golden);
  NameByOnnx(t != nullptr ? *t : *g, target);
  return Done{};
}

uint64_t TotalBytes(const std::vector<MeasureJob>& jobs) {
  uint64_t bytes = 0;
  for (const MeasureJob& job : jobs) {
    bytes += StoredBytes(job);
  }
  return bytes;
}

std::vector<Measured> MeasureAll(const std::vector<MeasureJob>& jobs,
                                 const CompareOptions& options,
                                 const std::string& what,
                                 const std::atomic<bool>& stop) {
  const uint64_t passes = options.measure.extras.any() ? 2 : 1;
  Progress progress(what, TotalBytes(jobs) * passes, Progress::Unit::kBytes,
                    options.show_progress, options.progress);
  return Measure(jobs, options.measure, progress, stop);
}

// rel_l2 of a trusted run against golden, by golden tensor.
using Noise = std::unordered_map<uint32_t, double>;

Result<Noise> MeasureNoise(const Dump& golden, const CompareOptions& options,
                           const Talk& talk, const std::atomic<bool>& stop) {
  if (options.noise.empty()) return Noise();
  Sources sources(options.models, options.open, stop);
  ASSIGN_OR_RETURN(const Dump noise,
                   OpenSide("noise", options.noise, sources, talk));
  PairOptions pair = options.pair;
  pair.map_file.clear();  // it names target tensors
  ASSIGN_OR_RETURN(const Pairing pairing, PairDumps(golden, noise, pair));
  std::vector<MeasureJob> jobs;
  std::vector<uint32_t> owners;
  const int threads = options.measure.threads;
  for (const Planned& planned : PlanRows(golden, noise, pairing, threads)) {
    if (!planned.job || planned.golden_is_target) continue;
    jobs.push_back(*planned.job);
    owners.push_back(planned.golden);
  }
  const std::vector<Measured> measured =
      MeasureAll(jobs, options, "measuring the noise", stop);
  Noise out;
  for (size_t i = 0; i < jobs.size(); ++i) {
    if (measured[i].error || !measured[i].done) continue;
    const auto rel = FindMetric("rel_l2")->value(measured[i].stats, {});
    if (rel) out[owners[i]] = rel->AsDouble();
  }
  const auto differ = std::ranges::count_if(
      out, [](const auto& entry) { return entry.second > 0; });
  talk(fmt::format("noise: {} measured, {} differ from golden and give a floor",
                   Counted(out.size(), "tensor"), differ));
  return out;
}

void SetMetrics(const Measured& measured, const CompareOptions& options,
                Row& row) {
  const auto& asked = options.metrics;
  const auto wanted = [&](const Metric& metric) {
    if (asked.empty()) return metric.pass == Pass::kFirst;
    return std::find(asked.begin(), asked.end(), &metric) != asked.end();
  };
  row.metrics.Reserve(
      static_cast<size_t>(std::ranges::count_if(AllMetrics(), wanted)));
  for (const Metric& metric : AllMetrics()) {
    if (!wanted(metric)) continue;
    row.metrics.Set(metric, metric.value(measured.stats, measured.extra));
  }
}

// Metrics without a value have their reason in `why`.
void SayWhatIsMissing(const PairStats& stats, Row& row) {
  const std::string reason = UndefinedReason(stats);
  if (!reason.empty() && row.why.find(reason) == std::string::npos) {
    row.why += "; some metrics have no value: " + reason;
  }
}

// What a statistics dump would tell of the side that has values.
TensorSummary Describe(const Planned& planned, const Measured& measured,
                       const CompareOptions& options) {
  const auto &g = planned.golden_summary, &t = planned.target_summary;
  if (!(g ? g : t)->sketch.empty()) {
    auto whole = SummariseView(planned.job->golden, options.measure, {});
    if (whole) return *std::move(whole);
  }
  TensorSummary full = Describe(measured.stats);
  // Dumps tell of the magnitudes of complex numbers, this of their parts.
  if (IsComplex(planned.golden_type)) full.min = full.max = full.mean = {};
  return full;
}

void JudgeSummary(const Planned& planned, const Measured& measured,
                  const CompareOptions& options, Row& row) {
  const TensorSummary full = Describe(planned, measured, options);
  const auto &g = planned.golden_summary, &t = planned.target_summary;
  JudgeBySummary(
      {g ? *g : full, t ? *t : full, planned.golden_type, planned.target_type},
      row);
}

void JudgeRow(const Planned& planned, const Measured& measured,
              std::optional<double> noise, const CompareOptions& options,
              Row& row) {
  if (measured.error) {
    row.verdict = Verdict::kError;
    row.error = measured.error;
    row.why = measured.error->what;
    return;
  }
  if (!measured.done) {
    row.verdict = Verdict::kSkipped;
    row.why = "interrupted before it was measured";
    return;
  }
  if (planned.BySummary()) return JudgeSummary(planned, measured, options, row);
  SetMetrics(measured, options, row);
  Judgement judgement = Judge({.golden = planned.job->golden.dtype(),
                               .target = planned.job->target.dtype(),
                               .stats = measured.stats,
                               .extra = measured.extra,
                               .noise = noise,
                               .step = planned.step},
                              options.judge);
  row.verdict = judgement.verdict;
  row.why = std::move(judgement.why);
  row.floor = std::move(judgement.floor);
  const Shape &g = planned.job->golden.shape, &t = planned.job->target.shape;
  if (g != t) {
    row.why +=
        fmt::format("; shapes differ, compared flat: golden {}, target {}",
                    ToText(g), ToText(t));
  }
  SayWhatIsMissing(measured.stats, row);
}

bool IsBad(const Row& row) {
  return row.verdict == Verdict::kFail || row.verdict == Verdict::kUnsure;
}

// Sums that agree although the elements do not: perhaps only the order differs.
bool MaybeReordered(const PairStats& s) {
  const auto near = [](double a, double b) {
    return std::fabs(a - b) <= 1e-6 * (std::fabs(a) + std::fabs(b));
  };
  return s.used == s.count && s.count >= kEnoughForOrder &&
         !Less(s.min_golden, s.min_target, s.golden_kind) &&
         !Less(s.min_target, s.min_golden, s.golden_kind) &&
         near(s.SumSquaresGolden(), s.SumSquaresTarget());
}

// Bad rows get their worst elements, and a second chance to be understood.
void ExamineRow(const MeasureJob& job, const PairStats& stats, size_t worst,
                const WorkBuffers& buffers, const std::atomic<bool>& stop,
                Row& row) {
  const bool reordered =
      row.verdict == Verdict::kUnsure && MaybeReordered(stats);
  const Result<Detail> detail = LookCloser(
      job, {.worst = worst, .same_values = reordered}, buffers, stop);
  if (!detail) return;  // the row keeps what the first pass found
  for (const ElementAt& at : detail->worst) {
    row.worst.push_back(
        {ElementIndex(at.index, job.golden), at.golden, at.target});
  }
  if (!detail->same_values) return;
  row.verdict = Verdict::kFail;
  row.why = "the same values in another order";
}

void ExamineBadRows(const std::vector<Planned*>& owners,
                    const std::vector<Measured>& measured,
                    const CompareOptions& options,
                    const std::atomic<bool>& stop) {
  std::vector<std::pair<Planned*, const Measured*>> bad;
  for (size_t i = 0; i < owners.size(); ++i) {
    if (IsBad(owners[i]->row) && !owners[i]->BySummary())
      bad.emplace_back(owners[i], &measured[i]);
  }
  // Largest first, so that no thread is left alone with a large one.
  std::stable_sort(bad.begin(), bad.end(), [](const auto& a, const auto& b) {
    return StoredBytes(*a.first->job) > StoredBytes(*b.first->job);
  });
  WorkerBuffers buffers(options.measure.threads);
  ParallelFor(
      bad.size(), options.measure.threads,
      [&](size_t i, size_t worker) {
        const auto& [p, m] = bad[i];
        ExamineRow(*p->job, m->stats, options.worst, buffers.Of(worker), stop,
                   p->row);
      },
      &stop);
  for (const auto& [p, m] : bad) p->row.cause = Cause::kUnknown;
}

// Measures the rows that have jobs. The jobs are lent: of 100 000 rows a copy
// takes 40 MB.
std::vector<Measured> MeasurePlanned(std::vector<Planned>& planned,
                                     const CompareOptions& options,
                                     const std::atomic<bool>& stop,
                                     std::vector<Planned*>& owners) {
  std::vector<MeasureJob> jobs;
  for (Planned& p : planned) {
    if (!p.job) continue;
    owners.push_back(&p);
    jobs.push_back(std::move(*p.job));
  }
  std::vector<Measured> measured = MeasureAll(jobs, options, "measuring", stop);
  for (size_t i = 0; i < jobs.size(); ++i) *owners[i]->job = std::move(jobs[i]);
  return measured;
}

void PassOverRows(const CompareOptions& options, const std::atomic<bool>& stop,
                  std::vector<Planned>& planned) {
  if (!options.row_pass) return;
  std::vector<uint64_t> sizes;
  for (const Planned& row : planned) {
    sizes.push_back(row.job ? StoredBytes(*row.job) : 0);
  }
  ParallelBySize(
      sizes, options.measure.threads,
      [&](size_t i, int threads) {
        // Old tools know nothing of what quantised numbers stand for.
        const auto& job = planned[i].job;
        const bool grid = job && (job->golden.grid || job->target.grid);
        if (!grid) options.row_pass(planned[i], threads);
      },
      &stop);
}

}  // namespace

Result<Comparison> Compare(const CompareOptions& options, const Talk& out,
                           const std::atomic<bool>& stop) {
  RETURN_IF_ERROR(CheckPairOptions(options.pair));
  PairingFirst first(out);
  const Talk talk = [&](const std::string& line) { first.Say(line); };
  Sources sources(options.models, options.open, stop);
  // Nobody waits for the target's files to hear that golden is not there.
  std::error_code ignored;
  if (std::filesystem::exists(options.golden, ignored)) {
    sources.OpenAhead(options.target);
  }
  ASSIGN_OR_RETURN(Dump golden,
                   OpenSide("golden", options.golden, sources, talk));
  ASSIGN_OR_RETURN(Dump target,
                   OpenSide("target", options.target, sources, talk));
  RETURN_IF_ERROR(UseNameLog(options.name_log, talk, golden));
  PairOptions pair_options = options.pair;
  RETURN_IF_ERROR(
      LoadGraphs(options, talk, golden, target, pair_options.quant));
  pair_options.graph_folder = IsGraphFolder(options.graph);
  pair_options.fingerprints = [&](const Dump& dump) {
    return TakeFingerprints(dump, options.measure, options.show_progress, stop);
  };
  ASSIGN_OR_RETURN(const Pairing pairing,
                   PairDumps(golden, target, pair_options));
  first.Pairing(pairing);
  ASSIGN_OR_RETURN(const Noise noise,
                   MeasureNoise(golden, options, talk, stop));

  std::vector<Planned> planned =
      PlanRows(golden, target, pairing, options.measure.threads);
  std::vector<Planned*> owners;  // of the jobs
  std::vector<Measured> measured =
      MeasurePlanned(planned, options, stop, owners);
  ParallelFor(owners.size(), options.measure.threads, [&](size_t i, size_t) {
    const auto floor = noise.find(owners[i]->golden);
    JudgeRow(*owners[i], measured[i],
             floor == noise.end() ? std::nullopt : std::optional(floor->second),
             options, owners[i]->row);
  });
  for (Planned& p : planned) LimitSummaryRow(options.judge, p.row);
  ExamineBadRows(owners, measured, options, stop);
  std::vector<std::string> origins = Attribute(
      golden, target, {owners, measured, options.measure, stop}, planned);
  PassOverRows(options, stop, planned);
  NoteLargeWeights(golden, target, owners, measured);
  LookAgain(owners, measured, options.measure, stop);
  KeepDetails(owners, measured, options.details, options.measure.threads, stop);
  measured = {};
  Comparison c = Summarise(golden, target, pairing, planned, options, stop);
  OutlineGraphs(golden, target, planned, c);
  c.origins = std::move(origins);
  c.findings = Advise(c);
  return c;
}

}  // namespace assay
