// GE model as JSON, as atc writes it from an .om or a ge_proto file, and rules
// of quantised models, which have the same form:
//   {"graph":[{"name":"net","op":[{"name":"conv1","type":"Conv2D",...}]}]}
#include "graphs/ge_model.h"
#include "graphs/ge_sniff.h"
#include "graphs/graph_kind.h"
#include "graphs/whole_file.h"

namespace assay {
namespace {

constexpr uint64_t kLarge = 4 << 20;

bool Sniff(std::string_view, std::string_view head) {
  const std::string_view first =
      head.substr(std::min(head.find_first_not_of(" \t\r\n"), head.size()), 1);
  return first == "{" && LooksLikeGe(*ReadJsonFields(head, ""));
}

Result<Graph> Read(InputFile& file) {
  ASSIGN_OR_RETURN(const WholeFile whole, WholeFile::Map(file));
  Graph graph;
  graph.is_text = true;
  auto in = ReadJsonFields(whole.bytes(), file.path());
  if (file.size() >= kLarge) in = ReadFieldsAhead(std::move(in), whole.bytes());
  graph.operators.reserve(file.size() / kGeOperatorBytes);
  const Status read = AddGeModel(*in, {.c_escapes = true}, graph);
  RETURN_IF_ERROR(whole.Intact(file));
  RETURN_IF_ERROR(read);
  return graph;
}

}  // namespace

extern constinit const GraphKind kGeJson = {
    .name = "ge-json",
    .summary = "GE model or quantisation rule as JSON (atc --mode=1, 5)",
    .sniff = Sniff,
    .read = Read,
};

}  // namespace assay
