// JUnit XML for CI systems: one test case per row and per unpaired tensor.
//   fail -> failure, unsure -> failure of type unsure, error -> error,
//   trivial, skipped, unpaired -> skipped
#include <algorithm>

#include "base/utf8.h"
#include "reports/report.h"
#include "reports/wording.h"

namespace assay {
namespace {

// One character, in attributes and text alike. XML has no way to write most
// control characters; they become U+FFFD.
std::string XmlCharacter(char32_t code, std::string_view bytes) {
  constexpr std::u32string_view kEscaped = U"&<>\"'\t\n\r";
  if (kEscaped.find(code) != std::u32string_view::npos) {
    return fmt::format("&#{};", static_cast<uint32_t>(code));
  }
  const bool forbidden = code < 0x20 || code == 0xfffe || code == 0xffff;
  return forbidden ? "\xef\xbf\xbd" : std::string(bytes);
}

std::string Xml(std::string_view text) {
  std::string xml;
  const std::string valid = ValidUtf8(text);
  for (std::string_view rest = valid; !rest.empty();) {
    const Rune rune = FirstRune(rest);
    xml += XmlCharacter(rune.code, rest.substr(0, rune.bytes));
    rest.remove_prefix(rune.bytes);
  }
  return xml;
}

struct Totals {
  uint64_t tests = 0, failures = 0, errors = 0, skipped = 0;
};

// A run that is not a success must not look like one: nothing compared, too
// little coverage, --strict.
bool NeedsOwnCase(const Comparison& c, const Totals& totals) {
  return c.exit != 0 && totals.failures + totals.errors == 0;
}

uint64_t Count(const Comparison& c, Verdict verdict) {
  return static_cast<uint64_t>(
      std::ranges::count(c.rows, verdict, &Row::verdict));
}

Totals Add(const Comparison& c) {
  const auto damaged = static_cast<uint64_t>(
      std::ranges::count(c.unpaired, "error", &UnpairedTensor::status));
  Totals totals{
      .tests = c.rows.size() + c.unpaired.size(),
      .failures = Count(c, Verdict::kFail) + Count(c, Verdict::kUnsure),
      .errors = Count(c, Verdict::kError) + damaged,
      .skipped = Count(c, Verdict::kTrivial) + Count(c, Verdict::kSkipped) +
                 c.unpaired.size() - damaged};
  if (!NeedsOwnCase(c, totals)) return totals;
  ++totals.tests;
  ++totals.errors;
  return totals;
}

// The operators to look at, where CI systems show them: on top.
std::string Origins(const Comparison& c) {
  if (c.origins.empty()) return "";
  std::string list = "<properties>";
  for (const std::string& op : c.origins) {
    list += fmt::format("<property name=\"origin\" value=\"{}\"/>", Xml(op));
  }
  return list + "</properties>\n";
}

std::string Head(const Totals& totals) {
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
                  totals.tests, totals.failures, totals.errors, totals.skipped);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"assay\" {0}>\n<testsuite name=\"assay\" {0}>\n",
      counts);
}

std::string Case(std::string_view op, std::string_view name,
                 std::string_view body) {
  const std::string open =
      fmt::format("<testcase classname=\"{}\" name=\"{}\"", Xml(op), Xml(name));
  if (body.empty()) return open + "/>\n";
  return fmt::format("{}>{}</testcase>\n", open, body);
}

std::string DetailText(const Row& row) {
  if (row.error) return row.error->Text();
  return fmt::format("cosine {}, rel_l2 {}, max_abs {}, floor {}, margin {}",
                     MetricCell(row, "cosine"), MetricCell(row, "rel_l2"),
                     MetricCell(row, "max_abs"), FloorCell(row),
                     MarginCell(row));
}

std::string Skipped(std::string_view status, std::string_view why) {
  return fmt::format("<skipped message=\"{}: {}\"/>", Xml(status), Xml(why));
}

std::string Body(const Row& row) {
  switch (row.verdict) {
    case Verdict::kPass:
      return "";
    case Verdict::kTrivial:
    case Verdict::kSkipped:
      return Skipped(Name(row.verdict), WhyText(row));
    case Verdict::kFail:
    case Verdict::kUnsure:
    case Verdict::kError:
      break;
  }
  const std::string_view element =
      row.verdict == Verdict::kError ? "error" : "failure";
  return fmt::format("<{0} type=\"{1}\" message=\"{2}\">{3}</{0}>", element,
                     Name(row.verdict), Xml(WhyText(row)),
                     Xml(DetailText(row)));
}

std::string UnpairedCase(const UnpairedTensor& tensor) {
  const std::string name =
      fmt::format("{} ({})", tensor.name, Name(tensor.side));
  if (tensor.status != "error") {
    return Case(tensor.name, name, Skipped(tensor.status, tensor.why));
  }
  return Case(
      tensor.name, name,
      fmt::format("<error type=\"error\" message=\"{}\"/>", Xml(tensor.why)));
}

std::string OwnCase(const Comparison& c) {
  const Language english("en");
  const std::string message =
      fmt::format("{} (exit {}); golden: {}; target: {}", Headline(c), c.exit,
                  CoverageText(c.golden_coverage, english),
                  CoverageText(c.target_coverage, english));
  return Case("assay", "comparison",
              fmt::format("<error type=\"{}\" message=\"{}\"/>",
                          Name(c.verdict), Xml(message)));
}

Status Print(const Comparison& c, const ReportOptions&, const Sink& sink) {
  const Totals totals = Add(c);
  const size_t listed = c.rows.size() + c.unpaired.size();
  RETURN_IF_ERROR(sink(Head(totals)));
  RETURN_IF_ERROR(sink(Origins(c)));
  if (totals.tests > listed) RETURN_IF_ERROR(sink(OwnCase(c)));
  for (const Row& row : c.rows) {
    RETURN_IF_ERROR(sink(Case(row.op, row.name, Body(row))));
  }
  for (const UnpairedTensor& tensor : c.unpaired) {
    RETURN_IF_ERROR(sink(UnpairedCase(tensor)));
  }
  return sink("</testsuite>\n</testsuites>\n");
}

}  // namespace

extern constinit const Report kJunitReport = {
    .name = "junit",
    .suffix = ".junit.xml",
    .summary = "JUnit XML for CI: one test case per row",
    .print = Print,
};

}  // namespace assay
