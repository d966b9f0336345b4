// GE model as protobuf text: ge_proto_*.txt holds a ModelDef, TorchAir's
// dynamo_*.txt a GraphDef that stands alone.
//   graph { name: "net" op { name: "conv1" type: "Conv2D" ... } }
#include "graphs/ge_model.h"
#include "graphs/ge_sniff.h"
#include "graphs/graph_kind.h"
#include "graphs/whole_file.h"

namespace assay {
namespace {

constexpr uint64_t kLarge = 4 << 20;

bool Sniff(std::string_view, std::string_view head) {
  return LooksLikeGe(*ReadTextFields(head, ""));
}

Result<Graph> Read(InputFile& file) {
  ASSIGN_OR_RETURN(const WholeFile whole, WholeFile::Map(file));
  Graph graph;
  graph.is_text = true;
  auto in = ReadTextFields(whole.bytes(), file.path());
  if (file.size() >= kLarge) in = ReadFieldsAhead(std::move(in), whole.bytes());
  graph.operators.reserve(file.size() / kGeOperatorBytes);
  const Status read = AddGeModel(*in, {}, graph);
  RETURN_IF_ERROR(whole.Intact(file));
  RETURN_IF_ERROR(read);
  return graph;
}

}  // namespace

extern constinit const GraphKind kGeText = {
    .name = "ge-text",
    .summary = "GE model as text (ge_proto_*, TorchAir dynamo_*)",
    .sniff = Sniff,
    .read = Read,
};

}  // namespace assay
