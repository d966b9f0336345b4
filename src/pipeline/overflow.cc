#include "pipeline/overflow.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/text.h"
#include "sources/source.h"

namespace assay {
namespace {

using Talk = std::function<void(const std::string&)>;

// What was found and what was left out. The records were not: that is what
// this is about.
void Tell(const Dump& dump, const Talk& talk) {
  talk(fmt::format("{}: {} ({}), {} in {}", dump.source, dump.kind, dump.why,
                   Counted(dump.tensors.size(), "tensor"),
                   Counted(dump.files.size(), "file")));
  constexpr size_t kShown = 5;
  size_t told = 0;
  for (const DumpNote& note : dump.notes) {
    const auto name = ParseDumpName(NameIn(note.file));
    if (name && name->IsOverflowRecord()) continue;
    if (++told <= kShown) {
      talk(fmt::format("  not read: {}: {}", note.file, note.text));
    }
  }
  if (told > kShown) {
    talk(fmt::format("  not read: {} more", Counted(told - kShown, "file")));
  }
}

// A folder of nothing but records is no dump, nor is the file of one; that is
// no reason to fail.
Result<NonFiniteSearch> SearchDump(const OverflowOptions& options,
                                   bool has_records, const Talk& talk,
                                   const std::atomic<bool>& stop) {
  std::error_code ignored;
  if (has_records && !std::filesystem::is_directory(options.path, ignored)) {
    return NonFiniteSearch();
  }
  const auto dump = OpenSource(options.path, options.open);
  if (!dump) {
    if (!has_records) return dump.error();
    talk(fmt::format("no tensors to look at: {}", dump.error().what));
    return NonFiniteSearch();
  }
  Tell(*dump, talk);
  return FindFirstNonFinite(
      *dump,
      {.threads = options.open.threads, .show_progress = options.show_progress},
      stop);
}

// Both parts may have met the same damaged file.
void AddOnce(const OverflowReport& report, std::vector<Error>& out) {
  std::set<std::string> known;
  for (const auto* errors : {&report.overflows.errors, &report.search.errors}) {
    for (const Error& error : *errors) {
      if (known.insert(error.Text()).second) out.push_back(error);
    }
  }
}

}  // namespace

bool OverflowReport::FoundSomething() const {
  const auto saw = [](const OverflowEntry& entry) {
    return entry.unit.HasOverflow();
  };
  return search.in_output || std::ranges::any_of(overflows.records, saw);
}

Result<OverflowReport> FindOverflows(const OverflowOptions& options,
                                     const Talk& talk,
                                     const std::atomic<bool>& stop) {
  OverflowReport report;
  ASSIGN_OR_RETURN(const OverflowFiles files,
                   OverflowFiles::Find(options.path));
  report.overflows = ReadOverflows(files, options, stop);
  const bool has_records = !files.records().empty();
  ASSIGN_OR_RETURN(report.search, SearchDump(options, has_records, talk, stop));
  AddOnce(report, report.errors);
  report.interrupted = stop.load();
  return report;
}

}  // namespace assay
