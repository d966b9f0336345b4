// What `assay graph` does to ONNX models: text, extract, mark.
#include <fmt/format.h>

#include "app/graph_actions.h"
#include "app/graph_json.h"
#include "base/text.h"
#include "graphs/onnx_cut.h"
#include "graphs/onnx_save.h"
#include "pipeline/onnx_text.h"

namespace assay {
namespace {

// Tensors of a list with commas; a name that has one stands alone.
Result<std::vector<NameId>> Tensors(const onnx::OnnxFile& file,
                                    const std::string& list) {
  std::vector<NameId> ids;
  if (list.empty()) return ids;
  if (const auto whole = onnx::FindTensor(file, list)) {
    return std::vector<NameId>{*whole};
  }
  for (const std::string_view name : Split(list, ',')) {
    ASSIGN_OR_RETURN(const NameId id, onnx::FindTensor(file, name));
    ids.push_back(id);
  }
  return ids;
}

Result<onnx::Cut> ReadCut(const onnx::OnnxFile& file, const Args& args) {
  onnx::Cut cut;
  ASSIGN_OR_RETURN(cut.from, Tensors(file, args.Text("from")));
  ASSIGN_OR_RETURN(cut.to, Tensors(file, args.Text("to")));
  return cut;
}

Status Save(const onnx::OnnxFile& file, std::string_view bytes,
            const Args& args) {
  if (!args.Has("out")) {
    return Usage("-o FILE is needed").Hint("the model that is written");
  }
  RETURN_IF_ERROR(file.Intact());
  return onnx::SaveModel(file, bytes, args.Text("out"));
}

}  // namespace

Result<int> GraphText(const Args& args) {
  ASSIGN_OR_RETURN(const onnx::OnnxFile file,
                   onnx::OnnxFile::Open(args.positionals[1]));
  ASSIGN_OR_RETURN(const onnx::Cut cut, ReadCut(file, args));
  ASSIGN_OR_RETURN(const std::string text, ModelText(file, cut));
  if (!args.Has("json")) {
    fmt::print("{}", text);
    return 0;
  }
  JsonWriter json;
  BeginGraphJson("text", json);
  fmt::print("{}\n", json.Key("text").Text(text).EndObject().text());
  return 0;
}

Result<int> GraphExtract(const Args& args) {
  ASSIGN_OR_RETURN(const onnx::OnnxFile file,
                   onnx::OnnxFile::Open(args.positionals[1]));
  ASSIGN_OR_RETURN(const onnx::Cut cut, ReadCut(file, args));
  ASSIGN_OR_RETURN(const std::string bytes, onnx::ExtractModel(file, cut));
  RETURN_IF_ERROR(Save(file, bytes, args));
  return 0;
}

Result<int> GraphMark(const Args& args) {
  ASSIGN_OR_RETURN(const onnx::OnnxFile file,
                   onnx::OnnxFile::Open(args.positionals[1]));
  ASSIGN_OR_RETURN(std::vector<NameId> names, Tensors(file, args.Text("to")));
  if (!args.Has("to")) {
    for (const onnx::Tap& tap : file.taps()) names.push_back(tap.name);
  }
  RETURN_IF_ERROR(Save(file, onnx::MarkOutputs(file, names), args));
  return 0;
}

}  // namespace assay
