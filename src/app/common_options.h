#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/command.h"
#include "base/output_file.h"
#include "core/metrics.h"
#include "pipeline/measure.h"
#include "reports/report.h"
#include "sources/source.h"

namespace assay {

// Options that several commands share, read from their Args.
Result<OpenOptions> ReadOpenOptions(const Args& args);
Result<MeasureOptions> ReadMeasureOptions(const Args& args);
// "en" unless --lang says otherwise.
Result<std::string> ReadLanguage(const Args& args);
ReportOptions TerminalOptions();

// Reports asked for with -o: opened before the work starts.
class Outputs {
 public:
  static Result<Outputs> Open(std::span<const std::string> paths);
  Status Write(const Comparison& comparison, const ReportOptions& options);

 private:
  struct Entry {
    const Report* report;
    OutputFile file;
  };
  std::vector<Entry> entries_;
};

// Prints a text report to stdout. A reader that went away is no error.
Status PrintReport(std::string_view name, const Comparison& comparison,
                   const ReportOptions& options);

}  // namespace assay
