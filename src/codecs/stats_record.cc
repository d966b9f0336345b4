// Dumps that `assay watch --keep stats` shrank to statistics: FILE_stats.json.
//   {"schema":"assay.stats/1","tensors":[{"name":"output:0","dtype":"f16",
//     "shape":[2,3],"min":-1.5,"max":2,"mean":0.1,"std":1.2,"l2":3.4,"nan":0,
//     "inf":0,"hash":"v1:...","sketch":[256 sums, see core/sketch.h]}]}
// What is not known is null; "nan", "inf" and "-inf" are texts.
#include "codecs/stats_record.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_writer.h"
#include "codecs/codec.h"
#include "core/sketch.h"

namespace assay {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kSchema = "assay.stats/1";
constexpr uint64_t kMostBytes = 64 << 20;  // an operator of 10 000 tensors

using Stat = std::optional<double> TensorSummary::*;
constexpr struct {
  const char* key;
  Stat stat;
} kReals[] = {{"min", &TensorSummary::min},
              {"max", &TensorSummary::max},
              {"mean", &TensorSummary::mean},
              {"std", &TensorSummary::std},
              {"l2", &TensorSummary::l2}};
constexpr struct {
  const char* key;
  std::optional<uint64_t> TensorSummary::*count;
} kCounts[] = {{"nan", &TensorSummary::nan}, {"inf", &TensorSummary::inf}};

void Append(const StoredTensor& tensor, JsonWriter& json) {
  const TensorSummary& s = *tensor.summary;
  json.BeginObject().Key("name").Text(tensor.name);
  json.Key("dtype").Text(Name(tensor.dtype)).Key("shape").BeginArray();
  for (const int64_t size : tensor.shape) json.Int(size);
  json.EndArray();
  for (const auto& [key, stat] : kReals) {
    json.Key(key);
    s.*stat ? json.Real(*(s.*stat)) : json.Null();
  }
  for (const auto& [key, count] : kCounts) {
    json.Key(key);
    s.*count ? json.Uint(*(s.*count)) : json.Null();
  }
  json.Key("hash").Text(s.hash).Key("sketch").BeginArray();
  for (const double sum : s.sketch) json.Real(sum);
  json.EndArray().EndObject();
}

// Null and what is no number: not known.
std::optional<double> Real(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "nan") return NAN;
  if (value == "inf") return INFINITY;
  if (value == "-inf") return -INFINITY;
  return std::nullopt;
}

// A member that may be missing.
const Json& At(const Json& object, const char* key) {
  static const Json kNone;
  const auto found = object.find(key);
  return found == object.end() ? kNone : *found;
}

Result<Shape> ReadShape(const Json& list) {
  Shape shape;
  if (!list.is_array()) return Corrupt("'shape' is no list");
  for (const Json& size : list) {
    if (!size.is_number_unsigned()) return Corrupt("a size is no number");
    shape.push_back(size.get<int64_t>());
  }
  if (!ElementCount(shape)) return Corrupt("the shape is too large");
  return shape;
}

Result<std::vector<double>> ReadSketch(const Json& list) {
  std::vector<double> sums;
  if (list.is_null()) return sums;
  if (!list.is_array() || (list.size() != kSketchBins && !list.empty())) {
    return Corrupt("'sketch' is no list of {} numbers", kSketchBins);
  }
  for (const Json& sum : list) {
    const auto value = Real(sum);
    if (!value) return Corrupt("'sketch' has something else than numbers");
    sums.push_back(*value);
  }
  return sums;
}

Result<StoredTensor> ReadTensor(const Json& json) {
  if (!json.is_object() || !At(json, "name").is_string() ||
      !At(json, "dtype").is_string()) {
    return Corrupt("a tensor has no 'name' or no 'dtype'");
  }
  StoredTensor tensor{.name = json["name"].get<std::string>()};
  const auto dtype = ParseDType(json["dtype"].get<std::string>());
  if (!dtype) return Corrupt("unknown type {}", json["dtype"].dump());
  tensor.dtype = *dtype;
  ASSIGN_OR_RETURN(tensor.shape, ReadShape(At(json, "shape")));
  TensorSummary summary;
  for (const auto& [key, stat] : kReals) summary.*stat = Real(At(json, key));
  for (const auto& [key, count] : kCounts) {
    const Json& value = At(json, key);
    if (value.is_number_unsigned()) summary.*count = value.get<uint64_t>();
  }
  const Json& hash = At(json, "hash");
  if (hash.is_string()) summary.hash = hash.get<std::string>();
  ASSIGN_OR_RETURN(summary.sketch, ReadSketch(At(json, "sketch")));
  tensor.summary = std::make_shared<const TensorSummary>(std::move(summary));
  return tensor;
}

Result<std::vector<StoredTensor>> ReadTensors(const InputFile& file) {
  if (file.size() > kMostBytes) {
    return Unsupported("a record of statistics of {} bytes", file.size());
  }
  ASSIGN_OR_RETURN(const std::string text, file.Text(0, file.size()));
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || At(json, "schema") != kSchema ||
      !At(json, "tensors").is_array()) {
    return Corrupt("it is no record of statistics ('{}')", kSchema)
        .Hint("was it cut off, or written by another program?");
  }
  std::vector<StoredTensor> tensors;
  for (const Json& entry : json["tensors"]) {
    ASSIGN_OR_RETURN(StoredTensor tensor, ReadTensor(entry));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

Result<std::vector<StoredTensor>> List(const InputFile& file,
                                       const CodecHints&) {
  auto tensors = ReadTensors(file);
  if (tensors) return tensors;
  return std::move(tensors).error().At(file.path());
}

bool IsRecord(const Sniff& file) {
  return file.path.ends_with(kStatsRecordSuffix);
}

}  // namespace

std::string StatsRecordText(std::span<const StoredTensor> tensors) {
  JsonWriter json;
  json.BeginObject().Key("schema").Text(kSchema).Key("tensors").BeginArray();
  for (const StoredTensor& tensor : tensors) Append(tensor, json);
  return json.EndArray().EndObject().Take() + "\n";
}

extern constinit const Codec kStatsRecord = {
    .name = "stats",
    .summary = "statistics that 'assay watch --keep stats' made of tensors",
    .extensions = kStatsRecordSuffix,
    .sniff = IsRecord,
    .list = List,
    .write = nullptr,
    .many = true,
};

}  // namespace assay
