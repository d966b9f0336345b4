#include "reports/page_data.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cmath>
#include <limits>

#include "base/json_writer.h"
#include "reports/detail_json.h"
#include "reports/document_json.h"
#include "reports/page_columns.h"
#include "reports/page_graph.h"
#include "reports/row_json.h"
#include "reports/wording.h"
#include "reports/worst_first.h"

namespace assay {
namespace {

constexpr size_t kFullRows = 1000;  // rows that come with all there is
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

using Texts = std::vector<std::string_view>;
using Reals = std::vector<double>;

template <typename Get>
void AddTexts(std::string_view name, const Comparison& c, PageColumns& columns,
              const Get& get) {
  Texts texts;
  for (const Row& row : c.rows) texts.push_back(get(row));
  columns.Texts(name, texts);
}

template <typename Get>
void AddReals(std::string_view name, const Comparison& c, PageColumns& columns,
              const Get& get) {
  Reals reals;
  for (const Row& row : c.rows) {
    const auto value = get(row);
    reals.push_back(value ? static_cast<double>(*value) : kNone);
  }
  columns.Reals(name, reals);
}

void AddIdentity(const Comparison& c, PageColumns& columns) {
  const std::pair<std::string_view, std::string Row::*> texts[] = {
      {"name", &Row::name},
      {"op", &Row::op},
      {"type", &Row::type},
      {"port", &Row::port},
      {"why_paired", &Row::why_paired}};
  for (const auto& [name, member] : texts) {
    AddTexts(
        name, c, columns, [m = member](const Row& r) -> auto& { return r.*m; });
  }
  const std::pair<std::string_view, std::optional<int64_t> Row::*> numbers[] = {
      {"index", &Row::index},
      {"rank", &Row::rank},
      {"step", &Row::step},
      {"order", &Row::order}};
  for (const auto& [name, member] : numbers) {
    AddReals(name, c, columns, [m = member](const Row& r) { return r.*m; });
  }
}

void AddJudgement(const Comparison& c, PageColumns& columns) {
  std::vector<uint8_t> verdicts, causes;
  for (const Row& row : c.rows) {
    verdicts.push_back(static_cast<uint8_t>(row.verdict));
    causes.push_back(static_cast<uint8_t>(row.cause));
  }
  columns.Bytes("verdict", verdicts);
  columns.Bytes("cause", causes);
  AddTexts("why", c, columns, WhyText);
  AddTexts("floor_level", c, columns, [](const Row& r) {
    return r.floor ? std::string_view(r.floor->level) : "";
  });
  AddTexts("floor_metric", c, columns, [](const Row& r) {
    return r.floor ? std::string_view(r.floor->metric) : "";
  });
  AddReals("floor", c, columns, [](const Row& r) {
    return r.floor ? r.floor->value : std::nullopt;
  });
  AddReals("margin", c, columns, [](const Row& r) {
    return r.floor ? r.floor->margin : std::nullopt;
  });
}

void AddOperands(std::string_view side, std::vector<Operand> Row::*operands,
                 const Comparison& c, PageColumns& columns) {
  std::vector<std::string> shapes;
  Texts dtypes, files;
  for (const Row& row : c.rows) {
    const bool none = (row.*operands).empty();
    const Operand* first = none ? nullptr : &(row.*operands)[0];
    shapes.push_back(first ? ToText(first->shape) : "");
    dtypes.push_back(first ? std::string_view(first->dtype) : "");
    files.push_back(first ? std::string_view(first->file) : "");
  }
  columns.Texts(fmt::format("{}_shape", side),
                Texts(shapes.begin(), shapes.end()));
  columns.Texts(fmt::format("{}_dtype", side), dtypes);
  columns.Texts(fmt::format("{}_file", side), files);
}

std::string_view Better(const Metric& metric) {
  using enum assay::Better;
  if (metric.better == kNeither) return "neither";
  return metric.better == kSmaller ? "smaller" : "larger";
}

// Metrics that no row has are left out.
void AddMetrics(const Comparison& c, PageColumns& columns, JsonWriter& json) {
  json.Key("metrics").BeginArray();
  for (const Metric& metric : AllMetrics()) {
    bool any = false;
    AddReals("metric." + std::string(metric.name), c, columns,
             [&](const Row& row) {
               const auto value = row.metrics.Get(metric.name);
               any = any || value;
               return value;
             });
    if (!any) continue;
    json.BeginObject().Key("name").Text(metric.name);
    json.Key("formula").Text(metric.formula);
    json.Key("better").Text(Better(metric)).EndObject();
  }
  json.EndArray();
}

void AddUnpaired(const Comparison& c, PageColumns& columns) {
  std::vector<uint8_t> sides;
  Texts names, files, statuses, whys;
  for (const UnpairedTensor& tensor : c.unpaired) {
    sides.push_back(static_cast<uint8_t>(tensor.side));
    names.push_back(tensor.name);
    files.push_back(tensor.file);
    statuses.push_back(tensor.status);
    whys.push_back(tensor.why);
  }
  columns.Bytes("unpaired.side", sides);
  columns.Texts("unpaired.name", names);
  columns.Texts("unpaired.file", files);
  columns.Texts("unpaired.status", statuses);
  columns.Texts("unpaired.why", whys);
}

void AddSuspects(const Comparison& c, JsonWriter& json) {
  json.Key("headline").Text(Headline(c)).Key("suspects").BeginArray();
  for (const Row* row : Suspects(c, 20)) json.Uint(row->number);
  json.EndArray();
}

// The worst rows with all there is, and those that were looked at closely.
void AddFullRows(const Comparison& c, JsonWriter& json) {
  json.Key("full").BeginObject();
  size_t left = kFullRows;
  for (const Row* row : WorstFirst(c)) {
    if (left == 0 && !row->detail) continue;
    left -= left > 0;
    json.Key(fmt::format("{}", row->number)).BeginObject();
    json.Key("row").Raw(RowJson(*row));
    if (row->detail) json.Key("detail").Raw(DetailJson(*row->detail));
    json.EndObject();
  }
  json.EndObject();
}

Result<std::string> Compressed(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  const int status =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), 6);
  if (status != Z_OK) return Internal("zlib cannot compress: {}", status);
  out.resize(size);
  return out;
}

}  // namespace

Result<std::string> PageData(const Comparison& c) {
  PageColumns columns;
  JsonWriter json;
  json.BeginObject().Key("schema").Text("assay.page/1");
  json.Key("document").Raw(HeaderJson(c)).Key("rows").Uint(c.rows.size());
  AddSuspects(c, json);
  AddIdentity(c, columns);
  AddJudgement(c, columns);
  AddOperands("golden", &Row::golden, c, columns);
  AddOperands("target", &Row::target, c, columns);
  AddMetrics(c, columns, json);
  AddUnpaired(c, columns);
  AddFullRows(c, json);
  json.Key("graphs").BeginObject();
  AppendGraph("golden", c.golden_graph.get(), columns, json);
  AppendGraph("target", c.target_graph.get(), columns, json);
  json.EndObject();
  const std::string numbers = std::move(columns).Finish(json);
  std::string text = json.EndObject().Take();
  text.resize((text.size() + 4 + 7) / 8 * 8 - 4, ' ');
  std::string bytes;
  for (int i = 0; i < 4; ++i) {
    bytes += static_cast<char>(text.size() >> (8 * i));
  }
  return Compressed(bytes + text + numbers);
}

}  // namespace assay
