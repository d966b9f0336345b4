#include "reports/detail_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json_writer.h"
#include "reports/elements_json.h"
#include "reports/json_reader.h"
#include "reports/json_text.h"

namespace assay {
namespace {

template <typename Counts>
void AppendCounts(std::string_view key, const Counts& counts,
                  JsonWriter& json) {
  json.Key(key).BeginArray();
  for (const auto count : counts) json.Uint(count);
  json.EndArray();
}

// Seven digits: a picture, nobody computes with it.
void AppendShort(double x, JsonWriter& json) {
  if (std::isfinite(x)) {
    json.Raw(fmt::format("{:.7g}", x));
  } else {
    json.Real(x);
  }
}

template <typename Counts>
void ReadCounts(const JsonReader& json, std::string_view key, Counts& counts) {
  const Shape list = json.Ints(key);
  for (size_t i = 0; i < std::min(list.size(), counts.size()); ++i) {
    counts[i] = static_cast<uint64_t>(list[i]);
  }
}

}  // namespace

std::string DetailJson(const RowDetail& detail) {
  const Spread& s = detail.spread;
  JsonWriter json;
  json.BeginObject().Key("max_ulp");
  AppendNumber(s.max_ulp, json);
  json.Key("zero").Uint(s.errors.zero);
  json.Key("not_finite").Uint(s.errors.not_finite);
  json.Key("first_decade").Int(LogHistogram::kFirst);
  AppendCounts("decades", s.errors.bins, json);
  json.Key("low");
  AppendNumber(s.values.low, json);
  json.Key("high");
  AppendNumber(s.values.high, json);
  AppendCounts("golden", s.values.golden, json);
  AppendCounts("target", s.values.target, json);
  json.Key("profile").BeginArray();
  for (const double x : s.profile) AppendShort(x, json);
  json.EndArray();
  AppendElements("absolute", detail.absolute, json);
  AppendElements("relative", detail.relative, json);
  return json.EndObject().Take();
}

Result<RowDetail> DetailFromJson(std::string_view text) {
  ASSIGN_OR_RETURN(const Json value, ParseJson(text));
  std::string problem;
  const JsonReader json(value, problem);
  RowDetail detail;
  Spread& s = detail.spread;
  s.max_ulp = json.Real("max_ulp").value_or(0);
  s.errors.zero = json.Uint("zero");
  s.errors.not_finite = json.Uint("not_finite");
  ReadCounts(json, "decades", s.errors.bins);
  s.values.low = json.Real("low").value_or(0);
  s.values.high = json.Real("high").value_or(0);
  ReadCounts(json, "golden", s.values.golden);
  ReadCounts(json, "target", s.values.target);
  const std::vector<double> profile = json.Reals("profile");
  std::copy_n(profile.begin(), std::min(profile.size(), s.profile.size()),
              s.profile.begin());
  detail.absolute = ReadElements(json, "absolute");
  detail.relative = ReadElements(json, "relative");
  if (!problem.empty()) return Corrupt("details: {}", problem);
  return detail;
}

}  // namespace assay
