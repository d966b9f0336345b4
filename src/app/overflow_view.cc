#include "app/overflow_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json_writer.h"
#include "base/text.h"
#include "reports/json_text.h"

namespace assay {
namespace {

std::string Short(const std::optional<Number>& number) {
  if (!number) return "-";
  if (number->kind != NumberKind::kReal) return NumberText(*number);
  return RoundedText(number->raw.real, 6);
}

std::string Count(const std::optional<uint64_t>& count) {
  return count ? fmt::format("{}", *count) : "-";
}

std::string Joined(const std::vector<std::string>& parts,
                   std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

std::string StatusText(const std::vector<uint64_t>& words) {
  std::vector<std::string> parts;
  for (const uint64_t word : words) parts.push_back(fmt::format("{}", word));
  return Joined(parts, " ");
}

std::string TensorText(const OverflowTensor& t) {
  std::string text =
      fmt::format("      {}  {} {}", t.name, t.dtype, ToText(t.shape));
  if (t.error) return fmt::format("{}  error: {}\n", text, t.error->what);
  return fmt::format("{}  min {}  max {}  mean {}  nan {}  inf {}\n", text,
                     Short(t.min), Short(t.max), Short(t.mean), Count(t.nan),
                     Count(t.inf));
}

std::string RecordText(size_t number, const OverflowEntry& e) {
  const std::string who =
      e.op.empty() ? "unknown operator" : fmt::format("{} {}", e.type, e.op);
  std::string text =
      fmt::format("[{}] {}  {} task {}", number, who, e.unit.unit, e.task);
  if (e.stream >= 0) text += fmt::format(" stream {}", e.stream);
  text += fmt::format("  status {}: {}\n", StatusText(e.unit.status),
                      Joined(e.meanings, ", "));
  text += fmt::format("      recorded in {}\n", e.file);
  if (!e.why.empty()) text += fmt::format("      {}\n", e.why);
  for (const OverflowTensor& tensor : e.tensors) text += TensorText(tensor);
  return text;
}

std::string Values(const std::vector<double>& values) {
  std::vector<std::string> parts;
  for (const double value : values) parts.push_back(RoundedText(value, 6));
  return Joined(parts, " ");
}

// "… 1 2 [nan] 3 4 …": the element among its neighbours.
std::string Surroundings(const NonFinite& found) {
  std::string text = Values(found.before);
  if (!text.empty()) text += ' ';
  text += fmt::format("[{}]", ShortestText(found.value));
  if (!found.after.empty()) text += ' ' + Values(found.after);
  return text;
}

// A name with rank and step is one argument.
std::string AsArgument(const std::string& name) {
  return name.find(' ') == name.npos ? name : fmt::format("'{}'", name);
}

std::string NonFiniteText(std::string_view title, const NonFinite& found,
                          const std::string& source) {
  std::string text = fmt::format("{} in ", title);
  if (!found.type.empty()) text += found.type + " ";
  text += fmt::format("{}: {}\n", found.op, found.why);
  text += fmt::format("      {}  {} {}", found.placed, found.dtype,
                      ToText(found.shape));
  if (found.index) {
    text += fmt::format("  {} at {}, among {}\n", ShortestText(found.value),
                        ToText(*found.index), Surroundings(found));
  } else {
    text += fmt::format("  holds {}\n", ShortestText(found.value));
  }
  return text + fmt::format("      next: assay show {} {}\n", source,
                            AsArgument(found.placed));
}

std::string SearchText(const NonFiniteSearch& search,
                       const std::string& source) {
  if (!search.finished) return "interrupted before all was looked at\n";
  if (search.operators == 0) return "";
  if (!search.first) {
    return fmt::format(
        "no nan or inf in the floats of {}{}\n",
        Counted(search.operators, "operator"),
        search.errors.empty() ? "" : ", as far as they could be read");
  }
  std::string text =
      NonFiniteText(search.seen        ? "first nan or inf made"
                    : search.in_output ? "first nan or inf"
                                       : "nan or inf in inputs only",
                    *search.first, source);
  if (search.seen) {
    text += NonFiniteText("seen before, from outside,", *search.seen, source);
  }
  return text + fmt::format("order of execution: by {}\n", search.order);
}

void IdJson(std::string_view key, int64_t value, JsonWriter& json) {
  json.Key(key);
  value < 0 ? json.Null() : json.Int(value);
}

void NumberJson(std::string_view key, const std::optional<Number>& value,
                JsonWriter& json) {
  json.Key(key);
  value ? AppendNumber(*value, json) : static_cast<void>(json.Null());
}

void CountJson(std::string_view key, const std::optional<uint64_t>& value,
               JsonWriter& json) {
  json.Key(key);
  value ? json.Uint(*value) : json.Null();
}

void ShapeJson(std::string_view key, const Shape& shape, JsonWriter& json) {
  json.Key(key).BeginArray();
  for (const int64_t dim : shape) json.Int(dim);
  json.EndArray();
}

void ErrorJson(const Error& error, JsonWriter& json) {
  json.BeginObject().Key("code").Text(Name(error.code));
  json.Key("what").Text(error.what).Key("where").TextOrNull(error.Where());
  json.Key("hint").TextOrNull(error.hint).EndObject();
}

void TensorJson(const OverflowTensor& t, JsonWriter& json) {
  json.BeginObject().Key("name").Text(t.name).Key("dtype").Text(t.dtype);
  ShapeJson("shape", t.shape, json);
  NumberJson("min", t.min, json);
  NumberJson("max", t.max, json);
  NumberJson("mean", t.mean, json);
  CountJson("nan", t.nan, json);
  CountJson("inf", t.inf, json);
  json.Key("layout").Text(t.layout);
  if (t.error) ErrorJson(*t.error, json.Key("error"));
  json.EndObject();
}

void StatusJson(const std::vector<uint64_t>& words, JsonWriter& json) {
  json.Key("status");
  if (words.size() == 1) {
    json.Uint(words[0]);
    return;
  }
  json.BeginArray();
  for (const uint64_t word : words) json.Uint(word);
  json.EndArray();
}

void FieldsJson(const UnitRecord& unit, JsonWriter& json) {
  json.Key("fields").BeginObject();
  for (const RecordField& field : unit.fields) {
    json.Key(field.key);
    if (IsAddress(field.key)) {
      json.Text(fmt::format("{:#x}", field.value));
    } else {
      json.Uint(field.value);
    }
  }
  json.EndObject();
}

void RecordToJson(const OverflowEntry& e, JsonWriter& json) {
  json.BeginObject().Key("op").TextOrNull(e.op).Key("type").TextOrNull(e.type);
  json.Key("unit").Text(e.unit.unit);
  IdJson("task", e.task, json);
  IdJson("stream", e.stream, json);
  StatusJson(e.unit.status, json);
  json.Key("meanings").BeginArray();
  for (const std::string& meaning : e.meanings) json.Text(meaning);
  json.EndArray().Key("tensors").BeginArray();
  for (const OverflowTensor& tensor : e.tensors) TensorJson(tensor, json);
  json.EndArray().Key("file").Text(e.file);
  IdJson("timestamp", e.time, json);
  json.Key("dump").TextOrNull(e.dump).Key("why").TextOrNull(e.why);
  FieldsJson(e.unit, json);
  json.EndObject();
}

void ValuesJson(std::string_view key, const std::vector<double>& values,
                JsonWriter& json) {
  json.Key(key).BeginArray();
  for (const double value : values) json.Real(value);
  json.EndArray();
}

void NonFiniteJson(std::string_view key, const std::optional<NonFinite>& found,
                   JsonWriter& json) {
  json.Key(key);
  if (!found) {
    json.Null();
    return;
  }
  json.BeginObject().Key("op").Text(found->op);
  json.Key("tensor").Text(found->tensor);
  if (found->index) {
    ShapeJson("index", *found->index, json);
  } else {
    json.Key("index").Null();
  }
  json.Key("value").Real(found->value).Key("why").Text(found->why);
  json.Key("type").TextOrNull(found->type).Key("dtype").Text(found->dtype);
  ShapeJson("shape", found->shape, json);
  json.Key("file").Text(found->file);
  IdJson("rank", found->rank, json);
  IdJson("step", found->step, json);
  ValuesJson("before", found->before, json);
  ValuesJson("after", found->after, json);
  json.EndObject();
}

}  // namespace

std::string OverflowText(const OverflowReport& report,
                         const std::string& source, size_t first) {
  const auto& records = report.overflows.records;
  std::string text = "no overflow records\n";
  if (!records.empty()) {
    text = Counted(records.size(), "overflow record") + "\n";
  } else if (!report.overflows.errors.empty()) {
    text = "no overflow record that could be read\n";
  }
  const size_t shown = std::min(first, records.size());
  for (size_t i = 0; i < shown; ++i) text += RecordText(i + 1, records[i]);
  if (shown < records.size()) {
    text +=
        fmt::format("… and {} more; -n shows them\n", records.size() - shown);
  }
  return text + SearchText(report.search, source);
}

std::string OverflowJson(const OverflowReport& report,
                         const std::string& source, size_t first) {
  const auto& records = report.overflows.records;
  JsonWriter json;
  json.BeginObject().Key("schema").Text("assay.overflow/1");
  json.Key("records").BeginArray();
  for (size_t i = 0; i < std::min(first, records.size()); ++i) {
    RecordToJson(records[i], json);
  }
  json.EndArray();
  NonFiniteJson("first_nonfinite", report.search.first, json);
  NonFiniteJson("first_made",
                report.search.seen ? report.search.first : std::nullopt, json);
  NonFiniteJson("first_seen", report.search.seen, json);
  json.Key("source").Text(source);
  json.Key("order_from").TextOrNull(report.search.order);
  json.Key("operators").Uint(report.search.operators);
  json.Key("errors").BeginArray();
  for (const Error& error : report.errors) ErrorJson(error, json);
  return json.EndArray().EndObject().Take();
}

}  // namespace assay
