#include <fmt/ranges.h>

#include <vector>

#include "base/text.h"
#include "reports/report.h"

namespace assay {

extern const Report kRunReport, kJsonReport, kJsonlReport, kCsvReport,
    kXlsxReport, kMarkdownReport, kJunitReport, kHtmlReport, kTextReport;

namespace {

constinit const Report* const kReports[] = {
    &kRunReport,      &kJsonReport,  &kJsonlReport, &kCsvReport,  &kXlsxReport,
    &kMarkdownReport, &kJunitReport, &kHtmlReport,  &kTextReport,
};

Error UnknownSuffix(std::string_view path) {
  std::vector<std::string_view> known;
  for (const Report* report : kReports) known.push_back(report->suffix);
  const std::string_view file = path.substr(path.rfind('/') + 1);
  const size_t dot = file.rfind('.');
  const std::string_view suffix =
      dot == std::string_view::npos ? "" : file.substr(dot);
  return Usage("no report has the suffix of '{}'", path)
      .Hint(DidYouMean(
          suffix, known,
          fmt::format("the suffixes are {}", fmt::join(known, " "))));
}

}  // namespace

std::span<const Report* const> AllReports() { return kReports; }

const Report* FindReport(std::string_view name) {
  for (const Report* report : kReports) {
    if (report->name == name) return report;
  }
  return nullptr;
}

Result<const Report*> ReportForPath(std::string_view path) {
  const Report* best = nullptr;
  const std::string lower = Lower(path);
  for (const Report* report : kReports) {
    if (!lower.ends_with(report->suffix)) continue;
    if (best && best->suffix.size() >= report->suffix.size()) continue;
    best = report;
  }
  if (!best) return UnknownSuffix(path);
  return best;
}

Status WriteReport(const Report& report, const Comparison& comparison,
                   const ReportOptions& options, OutputFile& file) {
  if (report.write) {
    RETURN_IF_ERROR(report.write(comparison, options, file));
    return file.Commit();
  }
  constexpr size_t kBuffer = 1 << 16;  // rows are short, system calls are not
  std::string buffer;
  const auto append = [&](std::string_view piece) -> Status {
    buffer += piece;
    if (buffer.size() < kBuffer) return Done{};
    Status status = file.Append(buffer);
    buffer.clear();
    return status;
  };
  RETURN_IF_ERROR(report.print(comparison, options, append));
  RETURN_IF_ERROR(file.Append(buffer));
  return file.Commit();
}

std::string ReportText(const Report& report, const Comparison& comparison,
                       const ReportOptions& options) {
  std::string text;
  if (!report.print) return text;
  const auto append = [&](std::string_view piece) -> Status {
    text += piece;
    return Done{};
  };
  // A string takes everything: no report fails here.
  static_cast<void>(report.print(comparison, options, append));
  return text;
}

}  // namespace assay
