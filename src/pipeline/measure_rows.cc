#include "pipeline/measure_rows.h"

#include "base/parallel.h"

namespace assay {
namespace {

uint64_t TotalBytes(const std::vector<MeasureJob>& jobs) {
  uint64_t bytes = 0;
  for (const MeasureJob& job : jobs) {
    bytes += StoredBytes(job);
  }
  return bytes;
}

}  // namespace

std::vector<Measured> MeasureAll(const std::vector<MeasureJob>& jobs,
                                 const CompareOptions& options,
                                 const std::string& what,
                                 const std::atomic<bool>& stop) {
  const uint64_t passes = options.measure.extras.any() ? 2 : 1;
  Progress progress(what, TotalBytes(jobs) * passes, Progress::Unit::kBytes,
                    options.show_progress, options.progress);
  return Measure(jobs, options.measure, progress, stop);
}

// The jobs are lent: of 100 000 rows a copy takes 40 MB.
std::vector<Measured> MeasureRows(std::vector<Planned>& planned,
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

void PassOverRows(const CompareOptions& options,
                  const std::vector<Planned*>& owners,
                  const std::vector<Measured>& measured,
                  const std::atomic<bool>& stop,
                  std::vector<Planned>& planned) {
  if (!options.row_pass) return;
  std::vector<const PairStats*> stats(planned.size());
  for (size_t i = 0; i < owners.size(); ++i) {
    if (measured[i].error || !measured[i].done) continue;
    stats[static_cast<size_t>(owners[i] - planned.data())] = &measured[i].stats;
  }
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
        if (!grid) options.row_pass(planned[i], stats[i], threads);
      },
      &stop);
}

}  // namespace assay
