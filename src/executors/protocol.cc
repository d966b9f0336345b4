// What goes to an executor and comes back, as JSON.
#include "executors/protocol.h"

#include <nlohmann/json.hpp>

#include "base/json_writer.h"

namespace assay {
namespace {

using Json = nlohmann::json;
using Kind = Answer::Kind;

constexpr std::string_view kSchema = "assay.request/1";
constexpr size_t kMostDims = 64;

struct KindName {
  Kind kind;
  std::string_view name;
};
// "output" is a tensor too: told apart by RunTensor::output.
constexpr KindName kKinds[] = {{Kind::kTensor, "tap"}, {Kind::kIr, "ir"},
                               {Kind::kNote, "note"},  {Kind::kError, "error"},
                               {Kind::kDone, "done"},  {Kind::kCheck, "check"}};

void WriteTexts(const Texts& texts, JsonWriter& json) {
  json.BeginObject();
  for (const auto& [key, value] : texts) json.Key(key).Text(value);
  json.EndObject();
}

void WriteShape(const Shape& shape, JsonWriter& json) {
  json.BeginArray();
  for (const int64_t size : shape) json.Int(size);
  json.EndArray();
}

void WriteTensors(const std::vector<RunRequest::Tensor>& tensors,
                  JsonWriter& json) {
  json.BeginArray();
  for (const RunRequest::Tensor& tensor : tensors) {
    json.BeginObject().Key("name").Text(tensor.name);
    json.Key("file").Text(tensor.file);
    if (!tensor.model.empty()) json.Key("model").Text(tensor.model);
    if (!tensor.session.empty()) json.Key("session").Text(tensor.session);
    json.EndObject();
  }
  json.EndArray();
}

// Text, or nothing if it is not there or is something else.
std::string TextAt(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : "";
}

bool TruthAt(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_boolean() && at->get<bool>();
}

Texts TextsAt(const Json& object, const char* key) {
  Texts texts;
  const auto at = object.find(key);
  if (at == object.end() || !at->is_object()) return texts;
  for (const auto& [name, value] : at->items()) {
    texts[name] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return texts;
}

Result<Shape> ShapeAt(const Json& object) {
  const auto at = object.find("shape");
  if (at == object.end() || !at->is_array() || at->size() > kMostDims) {
    return Corrupt("it has no list 'shape'");
  }
  Shape shape;
  for (const Json& size : *at) {
    if (!size.is_number_integer() || size.get<int64_t>() < 0) {
      return Corrupt("its shape {} has something else than sizes", at->dump());
    }
    shape.push_back(size.get<int64_t>());
  }
  return shape;
}

Result<Json> ParseObject(std::string_view text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_object()) return json;
  return Corrupt("it is no JSON object");
}

const Json& ListAt(const Json& object, const char* key) {
  static const Json kNone = Json::array();
  const auto at = object.find(key);
  return at != object.end() && at->is_array() ? *at : kNone;
}

std::vector<RunRequest::Tensor> TensorsAt(const Json& object, const char* key) {
  std::vector<RunRequest::Tensor> tensors;
  for (const Json& entry : ListAt(object, key)) {
    if (!entry.is_object()) continue;
    tensors.push_back({.name = TextAt(entry, "name"),
                       .file = TextAt(entry, "file"),
                       .model = TextAt(entry, "model"),
                       .session = TextAt(entry, "session")});
  }
  return tensors;
}

Status ParseTensor(const Json& line, Answer& answer) {
  answer.kind = Kind::kTensor;
  answer.name = TextAt(line, "name");
  RunTensor& tensor = answer.tensor;
  if (line.contains("error")) {
    const std::string text = TextAt(line, "error");
    tensor.error = Unsupported("{}", text.empty() ? "no reason given" : text);
    return Done{};
  }
  tensor.file = TextAt(line, "file");
  tensor.dtype = TextAt(line, "dtype");
  ASSIGN_OR_RETURN(tensor.shape, ShapeAt(line));
  return Done{};
}

void WriteTensor(const Answer& answer, JsonWriter& json) {
  const RunTensor& tensor = answer.tensor;
  json.Key("name").Text(answer.name);
  if (tensor.error) {
    json.Key("error").Text(tensor.error->what);
    return;
  }
  json.Key("file").Text(tensor.file).Key("dtype").Text(tensor.dtype);
  WriteShape(tensor.shape, json.Key("shape"));
}

}  // namespace

std::string RequestJson(const RunRequest& request) {
  JsonWriter json;
  json.BeginObject().Key("schema").Text(kSchema);
  json.Key("executor").Text(request.executor);
  json.Key("model").Text(request.model).Key("folder").Text(request.folder);
  json.Key("inputs").BeginArray();
  for (const RunRequest::Input& input : request.inputs) {
    json.BeginObject().Key("name").Text(input.name);
    json.Key("file").Text(input.file).Key("dtype").Text(input.dtype);
    WriteShape(input.shape, json.Key("shape"));
    json.EndObject();
  }
  WriteTensors(request.taps, json.EndArray().Key("taps"));
  WriteTensors(request.outputs, json.Key("outputs"));
  WriteTexts(request.options, json.Key("options"));
  json.Key("max_memory").Uint(request.max_memory);
  json.Key("want_ir").Bool(request.want_ir);
  return json.EndObject().Take();
}

Result<RunRequest> ParseRequest(std::string_view text) {
  ASSIGN_OR_RETURN(const Json json, ParseObject(text));
  if (TextAt(json, "schema") != kSchema) {
    return Unsupported("the request is not of schema {}", kSchema);
  }
  RunRequest request{.executor = TextAt(json, "executor"),
                     .model = TextAt(json, "model"),
                     .folder = TextAt(json, "folder"),
                     .taps = TensorsAt(json, "taps"),
                     .outputs = TensorsAt(json, "outputs"),
                     .options = TextsAt(json, "options"),
                     .want_ir = TruthAt(json, "want_ir")};
  for (const Json& entry : ListAt(json, "inputs")) {
    if (!entry.is_object()) continue;
    RunRequest::Input input{.name = TextAt(entry, "name"),
                            .file = TextAt(entry, "file"),
                            .dtype = TextAt(entry, "dtype")};
    ASSIGN_OR_RETURN(input.shape, ShapeAt(entry));
    request.inputs.push_back(std::move(input));
  }
  const auto memory = json.find("max_memory");
  if (memory != json.end() && memory->is_number_unsigned()) {
    request.max_memory = memory->get<uint64_t>();
  }
  return request;
}

Result<Answer> ParseAnswer(std::string_view line) {
  ASSIGN_OR_RETURN(const Json json, ParseObject(line));
  const std::string kind = TextAt(json, "kind");
  Answer answer{.text = TextAt(json, "text"), .final = TruthAt(json, "final")};
  if (kind == "tap" || kind == "output") {
    answer.tensor.output = kind == "output";
    RETURN_IF_ERROR(ParseTensor(json, answer));
    return answer;
  }
  for (const KindName& known : kKinds) {
    if (known.name != kind) continue;
    answer.kind = known.kind;
    answer.facts = TextsAt(json, "facts");
    answer.state = {.usable = TruthAt(json, "usable"),
                    .version = TextAt(json, "version"),
                    .why = TextAt(json, "why")};
    return answer;
  }
  return Corrupt("its kind is '{}'", kind);
}

std::string AnswerJson(const Answer& answer) {
  JsonWriter json;
  json.BeginObject().Key("kind");
  for (const KindName& known : kKinds) {
    if (known.kind != answer.kind) continue;
    json.Text(answer.tensor.output ? "output" : known.name);
  }
  switch (answer.kind) {
    case Kind::kTensor:
      WriteTensor(answer, json);
      break;
    case Kind::kError:
      json.Key("final").Bool(answer.final);
      [[fallthrough]];
    case Kind::kIr:
    case Kind::kNote:
      json.Key("text").Text(answer.text);
      break;
    case Kind::kDone:
      WriteTexts(answer.facts, json.Key("facts"));
      break;
    case Kind::kCheck:
      json.Key("usable").Bool(answer.state.usable);
      json.Key("version").Text(answer.state.version);
      json.Key("why").Text(answer.state.why);
      break;
  }
  return json.EndObject().Take();
}

}  // namespace assay
