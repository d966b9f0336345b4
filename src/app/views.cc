#include "app/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/utf8.h"
#include "reports/json_text.h"

namespace assay {
namespace {

// Whole numbers in full, others rounded.
std::string Short(const Number& number) {
  if (number.kind != NumberKind::kReal) return NumberText(number);
  const double x = number.raw.real;
  constexpr double kExact = 1e15;
  if (x == std::nearbyint(x) && std::fabs(x) < kExact) {
    return fmt::format("{:.0f}", x);
  }
  return RoundedText(x, 6);
}

std::string MetricShort(const PairStats& stats, std::string_view name) {
  const auto value = FindMetric(name)->value(stats, {});
  return value ? Short(*value) : "-";
}

std::string ShapeText(const StoredTensor& t) {
  return t.summary && !t.summary->shape_known ? "?" : ToText(t.shape);
}

// The layout, and the shape before packing, where there is something to say.
std::string LayoutText(const StoredTensor& t) {
  if (t.layout == Layout::kND) return {};
  std::string text = fmt::format(" {}", Name(t.layout));
  if (t.original && *t.original != t.shape) {
    text += fmt::format(" of {}", ToText(*t.original));
  }
  return text;
}

std::string Spec(const Dump& dump, const TensorInfo& t) {
  return fmt::format("{}  {} {}{}  in {}", Printable(dump.PlacedName(t)),
                     Name(t.stored.dtype), ShapeText(t.stored),
                     LayoutText(t.stored), Printable(dump.files[t.file]));
}

void SpecJson(const Dump& dump, const TensorInfo& t, JsonWriter& json) {
  json.Key("name").Text(dump.NameOf(t)).Key("file").Text(dump.files[t.file]);
  json.Key("tensor").Text(t.stored.name);
  json.Key("dtype").Text(Name(t.stored.dtype)).Key("shape").BeginArray();
  for (const int64_t dim : t.stored.shape) json.Int(dim);
  json.EndArray().Key("layout").Text(Name(t.stored.layout));
  if (t.stored.original) {
    json.Key("original_shape").BeginArray();
    for (const int64_t dim : *t.stored.original) json.Int(dim);
    json.EndArray();
  }
  if (t.id.rank >= 0) json.Key("rank").Int(t.id.rank);
  if (t.id.step >= 0) json.Key("step").Int(t.id.step);
}

// The statistics of one side under names without "_golden".
void StatsJson(const PairStats& stats, JsonWriter& json) {
  constexpr std::string_view kSide = "_golden";
  json.Key("count").Uint(stats.count);
  for (const Metric& metric : AllMetrics()) {
    if (!metric.name.ends_with(kSide)) continue;
    json.Key(metric.name.substr(0, metric.name.size() - kSide.size()));
    if (const auto value = metric.value(stats, {})) {
      AppendNumber(*value, json);
    } else {
      json.Null();
    }
  }
}

std::string Bar(uint64_t count, uint64_t most) {
  constexpr uint64_t kCells = 40;
  const uint64_t cells = most == 0 ? 0 : (count * kCells + most - 1) / most;
  return std::string(cells, '#');
}

std::string Padded(std::vector<std::vector<std::string>> table) {
  std::vector<size_t> width;
  for (const auto& line : table) {
    width.resize(std::max(width.size(), line.size()));
    for (size_t i = 0; i < line.size(); ++i) {
      width[i] = std::max(width[i], line[i].size());
    }
  }
  std::string text;
  for (const auto& line : table) {
    std::string out;
    for (size_t i = 0; i < line.size(); ++i) {
      const bool left = i < 3;  // name, type, shape
      out += left ? fmt::format("{:<{}}  ", line[i], width[i])
                  : fmt::format("{:>{}}  ", line[i], width[i]);
    }
    out.erase(out.find_last_not_of(' ') + 1);
    text += out + "\n";
  }
  return text;
}

std::string WorstText(const std::vector<Element>& worst) {
  std::string text;
  for (const Element& e : worst) {
    text += fmt::format("    {:<16} golden {:<14} target {}\n", ToText(e.index),
                        Short(e.golden), Short(e.target));
  }
  return text;
}

}  // namespace

std::string HistogramText(const LogHistogram& h, std::string_view label) {
  uint64_t most = std::max(h.zero, h.not_finite);
  for (const uint64_t n : h.bins) most = std::max(most, n);
  std::string text = fmt::format("  {}\n", label);
  const auto line = [&](const std::string& name, uint64_t n) {
    if (n > 0)
      text += fmt::format("    {:>6}  {:>10}  {}\n", name, n, Bar(n, most));
  };
  line("0", h.zero);
  for (size_t i = 0; i < h.bins.size(); ++i) {
    line(fmt::format("1e{:+03d}", LogHistogram::kFirst + static_cast<int>(i)),
         h.bins[i]);
  }
  line("nan/inf", h.not_finite);
  return text;
}

std::string SummaryText(const Dump& dump, const TensorInfo& tensor) {
  const TensorSummary& s = *tensor.stored.summary;
  std::string text = Spec(dump, tensor) + "\n  only statistics were kept:";
  const auto add = [&](std::string_view name, const std::optional<double>& x) {
    if (x) text += fmt::format("  {} {}", name, Short(Number(*x)));
  };
  add("min", s.min);
  add("max", s.max);
  add("mean", s.mean);
  add("l2", s.l2);
  if (s.nan) text += fmt::format("  nan {}", *s.nan);
  if (s.inf) text += fmt::format("  inf {}", *s.inf);
  if (!s.hash.empty()) text += fmt::format("  hash {}", s.hash);
  return text + "\n";
}

void SummaryJson(const Dump& dump, const TensorInfo& tensor, JsonWriter& json) {
  const TensorSummary& s = *tensor.stored.summary;
  json.BeginObject();
  SpecJson(dump, tensor, json);
  json.Key("evidence").Text(s.hash.empty() ? "summary" : "hash");
  const auto add = [&](std::string_view name, const std::optional<double>& x) {
    json.Key(name);
    x ? AppendNumber(Number(*x), json) : static_cast<void>(json.Null());
  };
  add("min", s.min);
  add("max", s.max);
  add("mean", s.mean);
  add("l2", s.l2);
  if (s.nan) json.Key("nan").Uint(*s.nan);
  if (s.inf) json.Key("inf").Uint(*s.inf);
  if (!s.hash.empty()) json.Key("hash").Text(s.hash);
  json.EndObject();
}

std::string TensorText(const Dump& dump, const TensorInfo& tensor,
                       const TensorLook& look) {
  const PairStats& s = look.stats;
  std::string text = Spec(dump, tensor) + "\n";
  text += fmt::format("  count {}  nan {}  inf {}  zero {}\n", s.count,
                      s.nan_golden, s.inf_golden, s.rel_undefined);
  text +=
      fmt::format("  min {}  max {}  mean {}  std {}  l2 {}\n",
                  MetricShort(s, "min_golden"), MetricShort(s, "max_golden"),
                  MetricShort(s, "mean_golden"), MetricShort(s, "std_golden"),
                  MetricShort(s, "l2_golden"));
  text += "  values ";
  for (const Number& value : look.values) text += " " + Short(value);
  if (s.count > look.values.size()) text += " …";
  return text + "\n" + HistogramText(look.magnitudes, "|x| by decade");
}

void TensorJson(const Dump& dump, const TensorInfo& tensor,
                const TensorLook& look, JsonWriter& json) {
  json.BeginObject();
  SpecJson(dump, tensor, json);
  StatsJson(look.stats, json);
  json.Key("zero").Uint(look.stats.rel_undefined).Key("values").BeginArray();
  for (const Number& value : look.values) AppendNumber(value, json);
  json.EndArray().Key("histogram").BeginObject();
  const LogHistogram& h = look.magnitudes;
  for (size_t i = 0; i < h.bins.size(); ++i) {
    if (h.bins[i] == 0) continue;
    json.Key(
        fmt::format("1e{:+03d}", LogHistogram::kFirst + static_cast<int>(i)));
    json.Uint(h.bins[i]);
  }
  json.EndObject().EndObject();
}

// What a statistics dump knows, in the columns of the table.
std::vector<std::string> SummaryCells(const TensorSummary& s) {
  const auto real = [](const std::optional<double>& x) {
    return x ? Short(Number(*x)) : std::string("-");
  };
  const auto count = [](const std::optional<uint64_t>& n) {
    return n ? fmt::format("{}", *n) : std::string("-");
  };
  return {real(s.min), real(s.max),  real(s.mean),
          "-",         count(s.nan), count(s.inf)};
}

std::vector<std::string> StatCells(const TensorLine& line) {
  if (line.tensor->stored.summary) {
    return SummaryCells(*line.tensor->stored.summary);
  }
  const PairStats& s = line.measured.stats;
  return {MetricShort(s, "min_golden"),    MetricShort(s, "max_golden"),
          MetricShort(s, "mean_golden"),   MetricShort(s, "std_golden"),
          fmt::format("{}", s.nan_golden), fmt::format("{}", s.inf_golden)};
}

std::string TensorTable(const Dump& dump,
                        const std::vector<TensorLine>& lines) {
  std::vector<std::vector<std::string>> table = {
      {"NAME", "TYPE", "SHAPE", "MIN", "MAX", "MEAN", "STD", "NAN", "INF"}};
  std::string troubles;
  for (const TensorLine& line : lines) {
    const auto& [tensor, measured] = line;
    const std::string name = Printable(dump.PlacedName(*tensor));
    if (measured.error) {
      table.push_back({name, "error"});
      troubles += measured.error->Text();
      continue;
    }
    table.push_back({name, std::string(Name(tensor->stored.dtype)),
                     ShapeText(tensor->stored)});
    for (std::string& cell : StatCells(line)) {
      table.back().push_back(std::move(cell));
    }
  }
  return Padded(std::move(table)) + troubles;
}

void TensorLineJson(const Dump& dump, const TensorLine& line,
                    JsonWriter& json) {
  if (line.tensor->stored.summary && !line.measured.error) {
    return SummaryJson(dump, *line.tensor, json);
  }
  json.BeginObject();
  SpecJson(dump, *line.tensor, json);
  if (line.measured.error) {
    json.Key("error").Text(line.measured.error->what);
  } else {
    StatsJson(line.measured.stats, json);
  }
  json.EndObject();
}

std::string RowText(const Row& row, const Detail* detail) {
  std::string text =
      fmt::format("row {}  {}  {}: {}\n", row.number, Printable(row.name),
                  Name(row.verdict), Printable(row.why));
  const auto side = [&](std::string_view name,
                        const std::vector<Operand>& parts) {
    for (const Operand& o : parts) {
      text +=
          fmt::format("  {}  {} {}  in {}{}{}\n", name, o.dtype,
                      ToText(o.shape), Printable(o.file),
                      o.tensor.empty() ? "" : ", tensor ", Printable(o.tensor));
    }
  };
  if (row.error) {
    const std::string where = row.error->Where();
    if (!where.empty()) text += fmt::format("  in      {}\n", Printable(where));
    if (!row.error->hint.empty())
      text += fmt::format("  hint    {}\n", Printable(row.error->hint));
  }
  side("golden", row.golden);
  side("target", row.target);
  for (const std::string& step : row.steps)
    text += fmt::format("  step    {}\n", Printable(step));
  if (row.floor && row.floor->value) {
    text += fmt::format("  floor   {} {} (level {})\n", row.floor->metric,
                        RoundedText(*row.floor->value), row.floor->level);
  }
  for (const auto& [name, value] : row.metrics.entries()) {
    text += fmt::format("    {:<16} {}\n", name, value ? Short(*value) : "-");
  }
  if (!row.worst.empty()) text += "  worst elements\n" + WorstText(row.worst);
  if (detail != nullptr) {
    text +=
        fmt::format("  max ulp  {}\n", RoundedText(detail->spread.max_ulp, 6));
    text += HistogramText(detail->spread.errors, "|target - golden| by decade");
  }
  return text;
}

}  // namespace assay
