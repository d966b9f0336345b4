// ONNX model (.onnx): a protobuf ModelProto. Weights, in the file or beside
// it, are passed over.
//   1 ir_version  2 producer_name  7 graph  8 opset_import  25 functions
#include "base/text.h"
#include "graphs/graph_kind.h"
#include "graphs/onnx_graph.h"
#include "graphs/whole_file.h"

namespace assay {
namespace {

constexpr char kIrVersion = 0x08;
constexpr char kNewestIr = 64;

// A model begins with its version: a small number, then another field.
bool Sniff(std::string_view file_name, std::string_view head) {
  if (Lower(file_name).ends_with(".onnx")) return true;
  if (head.size() < 4 || head[0] != kIrVersion) return false;
  if (head[1] < 1 || head[1] > kNewestIr) return false;
  // 2 producer_name is text, which a SavedModel has not in this place.
  const bool producer = head[2] == 0x12 && head.size() > 4 && head[4] >= ' ';
  return producer || head[2] == 0x3a || head[2] == 0x42;
}

Result<Graph> Read(InputFile& file) {
  ASSIGN_OR_RETURN(const WholeFile whole, WholeFile::Map(file));
  const auto in =
      ReadWireFields(whole.bytes(), onnx::kModelSchema, file.path());
  Result<onnx::Model> model = onnx::ReadModel(*in);
  if (model) {
    Graph graph = onnx::ToGraph(*std::move(model));
    RETURN_IF_ERROR(whole.Intact(file));
    return graph;
  }
  RETURN_IF_ERROR(whole.Intact(file));
  Error error = std::move(model).error();
  return error.file.empty() ? std::move(error).At(file.path(), 0) : error;
}

}  // namespace

extern constinit const GraphKind kOnnxGraph = {
    .name = "onnx",
    .summary = "ONNX model (.onnx), without its weights",
    .sniff = Sniff,
    .read = Read,
    .shared_names = true,
};

}  // namespace assay
