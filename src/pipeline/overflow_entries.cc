#include "pipeline/overflow_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "base/parallel.h"
#include "codecs/ascend.h"
#include "codecs/codec.h"
#include "core/metrics.h"
#include "pipeline/align.h"
#include "pipeline/overflow_status.h"
#include "sources/plain_names.h"

namespace assay {
namespace {

// The record that stands in an output of a dump file.
Result<OverflowRecord> ReadRecord(const InputFile& file,
                                  const StoredTensor& tensor) {
  constexpr uint64_t kLongest = 64 << 10;
  if (tensor.error) return *tensor.error;
  const Extent& extent = tensor.extent;
  if (extent.encoding != Encoding::kRaw || extent.length > kLongest) {
    return Corrupt("{} bytes are no overflow record", extent.length)
        .At(file.path(), extent.offset)
        .Hint("its name says it is one; what wrote it?");
  }
  ASSIGN_OR_RETURN(const std::string bytes,
                   file.Text(extent.offset, extent.length));
  return ParseOverflowRecord(bytes, file.path(), extent.offset);
}

Result<std::vector<OverflowRecord>> ReadRecords(const std::string& path,
                                                const CodecHints& hints) {
  ASSIGN_OR_RETURN(const Listing listing, ListFile(path, hints));
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  std::vector<OverflowRecord> records;
  for (const StoredTensor& tensor : listing.tensors) {
    if (ParseSlot(tensor.name).port != Port::kOutput) continue;
    ASSIGN_OR_RETURN(OverflowRecord record, ReadRecord(file, tensor));
    records.push_back(std::move(record));
  }
  if (!records.empty()) return records;
  return Corrupt("no output in it, so no overflow record")
      .At(path)
      .Hint("was the dump interrupted?");
}

// What the record says; where it does not, its file's name.
int64_t IdOf(const UnitRecord& unit, std::string_view key, int64_t otherwise) {
  constexpr uint64_t kLargest = 0xffffffff;  // stands for -1
  const auto value = unit.Find(key);
  return value && *value < kLargest ? static_cast<int64_t>(*value) : otherwise;
}

std::string NoDump(const RecordTarget& target) {
  std::string text = fmt::format("no dump of task {}", target.task);
  if (target.stream >= 0) text += fmt::format(", stream {}", target.stream);
  return text + " in the folder of the record";
}

class Finder {
 public:
  Finder(const OverflowOptions& options, const OverflowFiles& files,
         OverflowEntries& out)
      : options_(options), files_(files), out_(out) {
    dump_.root = files.root();
    dump_.files = files.files();
  }

  void AddRecords(const std::atomic<bool>& stop) {
    const auto& records = files_.records();
    std::vector<std::optional<Result<std::vector<OverflowRecord>>>> read(
        records.size());
    ParallelFor(
        records.size(), options_.open.threads,
        [&](size_t i, size_t) {
          read[i] =
              ReadRecords(dump_.PathOf(records[i].file), options_.open.hints);
        },
        &stop);
    for (size_t i = 0; i < records.size(); ++i) {
      if (!read[i]) continue;  // interrupted
      if (!*read[i]) {
        out_.errors.push_back(read[i]->error());
        continue;
      }
      for (const OverflowRecord& record : **read[i]) AddRecord(i, record);
    }
  }

  void MeasureTensors(const std::atomic<bool>& stop) {
    const size_t n = std::min(options_.first, out_.records.size());
    for (size_t i = 0; i < n; ++i) ListTensors(out_.records[i]);
    std::vector<MeasureJob> jobs;
    uint64_t bytes = 0;
    for (const auto& [entry, tensor, info] : to_measure_) {
      const StoredView view = SeePlain(dump_, *info).view;
      jobs.push_back({view, view});
      bytes += 2 * view.stored_bytes();
    }
    Progress progress("reading", bytes, Progress::Unit::kBytes,
                      options_.show_progress);
    const auto measured = Measure(jobs, options_.measure, progress, stop);
    for (size_t i = 0; i < measured.size(); ++i) {
      const auto& [entry, tensor, info] = to_measure_[i];
      SetStatistics(measured[i], entry->tensors[tensor]);
    }
  }

 private:
  // Units that saw something; if none did, the last one stands for all.
  void AddRecord(size_t i, const OverflowRecord& record) {
    bool any = false;
    for (const UnitRecord& unit : record.units) {
      if (unit.HasOverflow()) AddEntry(i, unit);
      any |= unit.HasOverflow();
    }
    if (!any) AddEntry(i, record.units.back());
    for (const std::string& note : record.notes) {
      out_.notes.push_back({dump_.files[files_.records()[i].file], note});
    }
  }

  void AddEntry(size_t i, const UnitRecord& unit) {
    const NamedDump& record = files_.records()[i];
    const DumpName& name = record.name;
    const RecordTarget target = {
        .task = IdOf(unit, "task_id", name.task),
        .stream = IdOf(unit, "stream_id", name.stream),
        .context = IdOf(unit, "context_id", name.context),
        .thread = IdOf(unit, "thread_id", name.thread)};
    OverflowEntry& entry = out_.records.emplace_back();
    entry.file = dump_.files[record.file];
    entry.time = name.time;
    entry.unit = unit;
    entry.task = target.task;
    entry.stream = target.stream;
    entry.meanings = StatusMeanings(unit);
    const NamedDump* dump = files_.DumpOf(record, target);
    if (dump == nullptr) {
      entry.why = NoDump(target);
    } else {
      entry.op = WithoutSliceMarks(dump->name.op);
      entry.type = dump->name.type;
      entry.dump = dump_.files[dump->file];
    }
    dumps_.push_back(dump);
  }

  void ListTensors(OverflowEntry& entry) {
    const NamedDump* dump =
        dumps_[static_cast<size_t>(&entry - out_.records.data())];
    if (dump == nullptr) return;
    auto tensors = TensorsOf(*dump);
    if (!tensors) {
      out_.errors.push_back(std::move(tensors).error());
      return;
    }
    for (StoredTensor& stored : *tensors) {
      if (ParseSlot(stored.name).port != Port::kNone) {
        AddTensor(*dump, std::move(stored), entry);
      }
    }
  }

  // A slice's shape depends on its thread, which only the real name tells.
  Result<std::vector<StoredTensor>> TensorsOf(const NamedDump& dump) const {
    const std::string path = dump_.PathOf(dump.file);
    if (dump.name.IsSlice() && !dump.name.summary) {
      ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
      ASSIGN_OR_RETURN(const AscendHeader header,
                       ReadAscendHeader(file, dump.original));
      return StoredTensors(header, path);
    }
    ASSIGN_OR_RETURN(Listing listing, ListFile(path, options_.open.hints));
    return std::move(listing.tensors);
  }

  void AddTensor(const NamedDump& dump, StoredTensor stored,
                 OverflowEntry& entry) {
    TensorInfo& info = infos_.emplace_back();
    info.file = dump.file;
    info.stored = std::move(stored);
    OverflowTensor& tensor = entry.tensors.emplace_back();
    tensor.name = fmt::format("{}:{}", entry.op, info.stored.name);
    tensor.dtype = Name(info.stored.dtype);
    tensor.layout = Name(info.stored.layout);
    tensor.shape = info.stored.shape;
    tensor.error = info.stored.error;
    if (tensor.error) {
      out_.errors.push_back(*tensor.error);
    } else if (info.stored.summary) {
      SetSummary(*info.stored.summary, tensor);
    } else if (HasNumbers(info.stored)) {
      tensor.shape = SeePlain(dump_, info).view.shape;
      to_measure_.push_back({&entry, entry.tensors.size() - 1, &info});
    }
  }

  static void SetSummary(const TensorSummary& summary, OverflowTensor& tensor) {
    tensor.min = summary.min;
    tensor.max = summary.max;
    tensor.mean = summary.mean;
    tensor.nan = summary.nan;
    tensor.inf = summary.inf;
  }

  void SetStatistics(const Measured& measured, OverflowTensor& tensor) {
    tensor.error = measured.error;
    if (measured.error) out_.errors.push_back(*measured.error);
    if (measured.error || !measured.done) return;
    const auto value = [&](std::string_view metric) {
      return FindMetric(metric)->value(measured.stats, {});
    };
    tensor.min = value("min_golden");
    tensor.max = value("max_golden");
    tensor.mean = value("mean_golden");
    tensor.nan = measured.stats.nan_golden;
    tensor.inf = measured.stats.inf_golden;
  }

  struct ToMeasure {
    OverflowEntry* entry;
    size_t tensor;
    const TensorInfo* info;
  };

  const OverflowOptions& options_;
  const OverflowFiles& files_;
  OverflowEntries& out_;
  Dump dump_;                            // for paths
  std::deque<TensorInfo> infos_;         // never moves what it holds
  std::vector<const NamedDump*> dumps_;  // of each entry, null if none
  std::vector<ToMeasure> to_measure_;
};

}  // namespace

OverflowEntries ReadOverflows(const OverflowFiles& files,
                              const OverflowOptions& options,
                              const std::atomic<bool>& stop) {
  OverflowEntries out;
  Finder finder(options, files, out);
  finder.AddRecords(stop);
  finder.MeasureTensors(stop);
  return out;
}

}  // namespace assay
