#include "pipeline/dump_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/sha256.h"
#include "base/text.h"
#include "codecs/codec.h"
#include "core/numpy_name.h"
#include "sources/dump_info.h"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kIndent = 4;
constexpr std::string_view kTail = "\n    ]\n}\n";

Json Real(std::optional<double> value) {
  if (!value) return nullptr;
  if (std::isfinite(*value)) return *value;
  return std::isnan(*value) ? "nan" : *value > 0 ? "inf" : "-inf";
}

Json TensorJson(DType dtype, const Shape& shape, const TensorStats& stats) {
  return {{"dtype", NumpyName(dtype)}, {"shape", shape},
          {"has_nan", stats.has_nan},  {"has_inf", stats.has_inf},
          {"mean", Real(stats.mean)},  {"median", Real(stats.median)},
          {"min", Real(stats.min)},    {"max", Real(stats.max)}};
}

Json OutputsJson(const Unchanged& outputs) {
  Json json = {{"equal", nullptr}};
  if (outputs.equal) json["equal"] = *outputs.equal;
  if (!outputs.why.empty()) json["why"] = outputs.why;
  if (outputs.equal && !*outputs.equal) {
    json["max_abs"] = Real(outputs.max_abs);
    json["rel_l2"] = Real(outputs.rel_l2);
  }
  return json;
}

// Deeper by `levels`, without the indentation of the first line.
std::string Text(const Json& json, int levels) {
  std::string text =
      json.dump(kIndent, ' ', false, Json::error_handler_t::replace);
  const std::string pad = "\n" + std::string(levels * kIndent, ' ');
  for (size_t at = text.find('\n'); at != std::string::npos;
       at = text.find('\n', at + pad.size())) {
    text.replace(at, 1, pad);
  }
  return text;
}

Json NamesJson(const onnx::OnnxFile& file, const std::vector<NameId>& names) {
  Json json = Json::array();
  for (const NameId name : names) json.push_back(file.Text(name));
  return json;
}

std::vector<NameId> NamesOf(const std::vector<onnx::Value>& values) {
  std::vector<NameId> names;
  for (const onnx::Value& value : values) names.push_back(value.name);
  return names;
}

}  // namespace

// All of the document that stands before the taps.
std::string DumpRecord::Head(const RunRecord& run, bool complete) const {
  std::vector<NameId> taps, inputs;
  for (const onnx::Tap& tap : file_.taps()) taps.push_back(tap.name);
  for (const onnx::Value* value : file_.Inputs()) inputs.push_back(value->name);
  const std::string type =
      inputs_.empty() ? "" : std::string(NumpyName(inputs_[0].dtype));
  const RandomRange real = DefaultRange(DType::kF32, run.seed);
  const RandomRange whole = DefaultRange(DType::kI32, run.seed);
  Json head;
  head["meta_info"] = {
      {"date_time", run.started},
      {"model_name", file_.path()},
      {"model_dtype", type},
      {"default_seed", run.seed},
      {"default_float_min", real.low},
      {"default_float_max", real.high},
      {"default_int_min", static_cast<int64_t>(whole.low)},
      {"default_int_max", static_cast<int64_t>(whole.high)},
      {"executor", run.executor},
      {"extract_subgraph", run.isolated},
      {"input_names", NamesJson(file_, inputs)},
      {"output_names", NamesJson(file_, NamesOf(file_.graph().outputs))},
      {"node_output_names", NamesJson(file_, taps)}};
  head["assay"] = {{"schema", "assay.dump/1"},
                   {"complete", complete},
                   {"executor", {{"name", run.executor}, {"facts", run.facts}}},
                   {"options", run.options},
                   {"model",
                    {{"path", std::filesystem::absolute(file_.path()).string()},
                     {"sha256", run.model_hash}}},
                   {"outputs_unchanged", OutputsJson(run.outputs)},
                   {"notes", run.notes},
                   {"stderr", run.errors}};
  head["input_info"] = Json::array();
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const BoundInput& input = inputs_[i];
    head["input_info"].push_back(
        {{"input_name", input.name},
         {"seed", input.range.seed},
         {"low", Real(input.range.low)},
         {"high", Real(input.range.high)},
         {"use_external", !input.file.empty()},
         {"tensor_info", TensorJson(input.dtype, input.shape, input_stats_[i])},
         {"file", run.input_files[i]},
         {"external_file", input.file},
         {"sha256", Sha256(input.bytes)}});
  }
  std::string text = Text(head, 0);
  text.resize(text.size() - 2);  // its closing line
  return text + ",\n    \"node_output_info\": [";
}

std::string DumpRecord::Entry(const TapRecord& record) const {
  const onnx::Tap& tap = file_.taps()[record.tap];
  const onnx::Node& node = file_.graph().nodes[tap.node];
  Json json = {{"node_output_name", file_.Text(tap.name)}};
  if (record.error) json["error"] = record.error->what;
  json["node_name"] = file_.Text(node.name);
  json["node_type"] = file_.Text(node.type);
  json["node_input_name"] = NamesJson(file_, node.inputs);
  json["index"] = record.tap;
  json["output_index"] = tap.index;
  if (record.error) {
    if (!record.error->hint.empty()) json["error_hint"] = record.error->hint;
    return Text(json, 2);
  }
  json["tensor_info"] = TensorJson(record.dtype, record.shape, record.stats);
  json["file"] = record.file;
  if (!record.tensor.empty()) json["tensor"] = record.tensor;
  return Text(json, 2);
}

Result<DumpRecord> DumpRecord::Create(const std::string& folder,
                                      const onnx::OnnxFile& file,
                                      const std::vector<BoundInput>& inputs,
                                      const RunRecord& run) {
  DumpRecord record(fmt::format("{}/{}", folder, kDumpInfoName), file, inputs);
  const WorkBuffers buffers;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string path = folder + "/" + run.input_files[i];
    ASSIGN_OR_RETURN(const Listing listing, ListFile(path, {}));
    ASSIGN_OR_RETURN(TensorStats stats,
                     StatsOf(path, listing.tensors.at(0), buffers));
    record.input_stats_.push_back(stats);
  }
  record.out_.open(record.path_, std::ios::binary | std::ios::trunc);
  const std::string head = record.Head(run, false);
  record.out_ << head << kTail << std::flush;
  record.end_ = static_cast<std::streamoff>(head.size());
  if (record.out_) return record;
  return IoError("cannot write").At(record.path_);
}

Status DumpRecord::Add(const TapRecord& tap) {
  const std::string entry =
      fmt::format("{}\n        {}", first_ ? "" : ",", Entry(tap));
  first_ = false;
  out_.seekp(end_);
  out_ << entry << kTail << std::flush;
  end_ += static_cast<std::streamoff>(entry.size());
  if (out_) return Done{};
  return IoError("cannot write").At(path_);
}

Status DumpRecord::Finish(const RunRecord& run, std::vector<TapRecord> taps,
                          bool complete) {
  out_.close();
  std::ranges::sort(taps, {}, &TapRecord::tap);
  ASSIGN_OR_RETURN(OutputFile out, OutputFile::Create(path_));
  RETURN_IF_ERROR(out.Append(Head(run, complete)));
  for (size_t i = 0; i < taps.size(); ++i) {
    RETURN_IF_ERROR(out.Append(i > 0 ? ",\n        " : "\n        "));
    RETURN_IF_ERROR(out.Append(Entry(taps[i])));
  }
  RETURN_IF_ERROR(out.Append(kTail));
  return out.Commit();
}

}  // namespace assay
