#include "app/page_runs.h"

#include "base/json_writer.h"
#include "base/parallel.h"
#include "executors/executor.h"
#include "pipeline/row_details.h"
#include "reports/detail_json.h"
#include "reports/page_data.h"
#include "reports/row_json.h"

namespace assay {
namespace {

const std::atomic<bool> kNeverStop = false;

// Files may have changed since they were compared.
Status CheckSame(const PairStats& stats, const Row& row) {
  for (const std::string_view name : {"count", "equal", "max_abs"}) {
    const auto saved = row.metrics.Get(name);
    const auto now = FindMetric(name)->value(stats, {});
    if (saved && (!now || now->AsDouble() != *saved)) {
      return Corrupt("the values are no longer those that were compared")
          .Hint("compare again");
    }
  }
  return Done{};
}

}  // namespace

size_t PageRuns::Add(std::string name, Comparison run,
                     const std::string& folder) {
  auto entry = std::make_shared<Entry>();
  entry->name = std::move(name);
  entry->run = std::move(run);
  entry->folder = folder;
  const std::lock_guard lock(mutex_);
  entries_.push_back(std::move(entry));
  return entries_.size() - 1;
}

Result<PageRuns::EntryRef> PageRuns::At(size_t number) const {
  const std::lock_guard lock(mutex_);
  if (number >= entries_.size()) return NotFound("there is no run {}", number);
  return entries_[number];
}

std::string PageRuns::ListJson() const {
  const std::lock_guard lock(mutex_);
  JsonWriter json;
  json.BeginArray();
  for (const EntryRef& entry : entries_) {
    json.BeginObject().Key("name").Text(entry->name);
    json.Key("verdict").Text(Name(entry->run.verdict));
    json.Key("golden").Text(entry->run.golden.source);
    json.Key("target").Text(entry->run.target.source).EndObject();
  }
  return json.EndArray().Take();
}

Result<std::string> PageRuns::Data(size_t number) {
  ASSIGN_OR_RETURN(const EntryRef entry, At(number));
  const std::lock_guard lock(entry->mutex);
  if (entry->data.empty()) {
    ASSIGN_OR_RETURN(entry->data, PageData(entry->run));
  }
  return entry->data;
}

Result<std::string> PageRuns::SourceOf(const Entry& entry,
                                       const SourceLabel& label) const {
  if (IsModelRun(label.source)) {
    return Unsupported("the tensors of {} were not kept", label.source)
        .Hint("'assay dump' it into a folder, and compare that");
  }
  const std::filesystem::path folder = entry.folder;
  return root_.TreeInside(folder / label.source);
}

// Opened once: a dump of 100 000 files takes seconds.
Result<std::shared_ptr<const RunDumps>> PageRuns::DumpsOf(Entry& entry) const {
  const std::lock_guard lock(entry.mutex);
  if (entry.dumps) return entry.dumps;
  Comparison places;
  ASSIGN_OR_RETURN(places.golden.source, SourceOf(entry, entry.run.golden));
  ASSIGN_OR_RETURN(places.target.source, SourceOf(entry, entry.run.target));
  OpenOptions open;
  open.threads = DefaultThreads();
  ASSIGN_OR_RETURN(RunDumps dumps, ReopenRun(places, open));
  entry.dumps = std::make_shared<const RunDumps>(std::move(dumps));
  return entry.dumps;
}

Result<RowDetail> PageRuns::Look(Entry& entry, const Row& row) const {
  ASSIGN_OR_RETURN(const auto dumps, DumpsOf(entry));
  ASSIGN_OR_RETURN(const MeasureJob job, JobOfRow(*dumps, row));
  for (const StoredView* side : {&job.golden, &job.target}) {
    for (const StoredPart& part : side->parts) {  // may have become a link
      RETURN_IF_ERROR(root_.Inside(part.path));
    }
  }
  MeasureOptions options{.threads = DefaultThreads(),
                         .kernels = AvailableKernels().front()};
  Progress none("", 0, Progress::Unit::kBytes, false);
  const std::vector<Measured> measured =
      Measure({&job, 1}, options, none, kNeverStop);
  if (measured[0].error) return *measured[0].error;
  RETURN_IF_ERROR(CheckSame(measured[0].stats, row));
  return DetailOf(job, measured[0].stats, WorkBuffers(), kNeverStop);
}

Result<std::string> PageRuns::RowJson(size_t number, size_t row) const {
  ASSIGN_OR_RETURN(const EntryRef entry, At(number));
  if (row >= entry->run.rows.size()) return NotFound("there is no row {}", row);
  const Row& found = entry->run.rows[row];
  ASSIGN_OR_RETURN(const RowDetail detail, Look(*entry, found));
  JsonWriter json;
  json.BeginObject().Key("row").Raw(assay::RowJson(found));
  return json.Key("detail").Raw(DetailJson(detail)).EndObject().Take();
}

}  // namespace assay
