#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/output_file.h"
#include "base/result.h"
#include "core/comparison.h"

namespace assay {

struct ReportOptions {
  std::string sort;         // metric name; empty: worst first
  size_t top = 20;          // rows that reports for people show
  bool color = false;       // terminal only
  int width = 100;          // columns of the terminal; 0: no limit
  std::string lang = "en";  // of what people read
};

// Takes the next piece of a text: into a file, a string, the standard output.
using Sink = std::function<Status(std::string_view)>;

// One output. Text goes piece by piece through `print`; what is not text has
// `write` instead.
struct Report {
  std::string_view name;
  std::string_view suffix;  // ".json"; picks the report of an output path
  std::string_view summary;
  Status (*print)(const Comparison&, const ReportOptions&, const Sink&);
  Status (*write)(const Comparison&, const ReportOptions&, OutputFile&);
  Status (*check)() = nullptr;  // an error: this build cannot write it
};

std::span<const Report* const> AllReports();
const Report* FindReport(std::string_view name);  // null for unknown
// By the longest suffix that fits, in upper or lower case.
Result<const Report*> ReportForPath(std::string_view path);

// Writes the whole report and commits the file.
Status WriteReport(const Report& report, const Comparison& comparison,
                   const ReportOptions& options, OutputFile& file);
// The whole text; only for reports that have `print`.
std::string ReportText(const Report& report, const Comparison& comparison,
                       const ReportOptions& options);

}  // namespace assay
