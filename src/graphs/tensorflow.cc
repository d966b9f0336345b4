// TensorFlow graph: a frozen GraphDef (.pb, .pbtxt), a SavedModel
// (saved_model.pb, saved_model.pbtxt), a checkpoint's .meta or the graph in a
// dump of the debugger. Weights are passed over.
//   GraphDef      1 node { 1 name  2 op  3 input  5 attr }  2 library
//   MetaGraphDef  1 meta_info_def  2 graph_def
//   SavedModel    1 schema version  2 meta_graphs
//   Event         1 wall_time  4 graph_def: as TensorFlow's debugger saw it run
#include "base/text.h"
#include "graphs/graph_kind.h"
#include "graphs/tf_debug.h"
#include "graphs/tf_graph.h"
#include "graphs/tf_schema.h"
#include "graphs/whole_file.h"

namespace assay {
namespace {

enum class Form { kNone, kGraph, kMeta, kSaved, kText, kEvent };

// Takes a tag and its length off the front of a head that may be cut.
std::string_view TakeField(std::string_view head, char tag) {
  if (head.empty() || head[0] != tag) return {};
  size_t length = 0, at = 1;
  for (unsigned shift = 0; at < head.size() && shift < 35; shift += 7) {
    const auto byte = static_cast<uint8_t>(head[at++]);
    length |= static_cast<size_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return head.substr(at, length);
  }
  return {};
}

bool IsName(std::string_view text) {
  if (text.empty()) return false;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ') return false;
  }
  return true;
}

// node { name: "..." op: "..." }
bool HasNode(std::string_view head) {
  const std::string_view node = TakeField(head, 0x0a);
  const std::string_view name = TakeField(node, 0x0a);
  if (!IsName(name)) return false;
  const auto used = static_cast<size_t>(name.data() - node.data());
  return IsName(TakeField(node.substr(used + name.size()), 0x12));
}

bool IsEvent(std::string_view head) {
  constexpr size_t kTime = 9;  // tag and double
  return head.size() > kTime && head[0] == 0x09 &&
         HasNode(TakeField(head.substr(kTime), 0x22));
}

bool HasWord(std::string_view head, std::string_view word) {
  for (size_t at = head.find(word); at != head.npos;
       at = head.find(word, at + 1)) {
    const size_t next = head.find_first_not_of(" \t", at + word.size());
    const bool starts = at == 0 || head[at - 1] == '\n' || head[at - 1] == ' ';
    if (starts && next != head.npos && head[next] == '{') return true;
  }
  return false;
}

bool IsText(std::string_view head) {
  return head.find('\0') == head.npos && !head.empty() && head[0] >= '\n' &&
         (HasWord(head, "node") || HasWord(head, "meta_graphs") ||
          HasWord(head, "meta_info_def")) &&
         head.find("op_type") == head.npos;
}

Form FormOf(std::string_view file_name, std::string_view head) {
  const std::string name = Lower(file_name);
  if (HasNode(head)) return Form::kGraph;
  if (IsEvent(head)) return Form::kEvent;
  if (IsText(head)) return Form::kText;
  if (name.ends_with(".meta") && head.starts_with('\x0a')) return Form::kMeta;
  // saved_model_schema_version: 1, then the first graph's meta_info_def.
  const bool saved = head.starts_with("\x08\x01\x12") &&
                     TakeField(head.substr(2), 0x12).starts_with('\x0a');
  return saved ? Form::kSaved : Form::kNone;
}

bool Sniff(std::string_view file_name, std::string_view head) {
  return FormOf(file_name, head) != Form::kNone;
}

const Schema& SchemaOf(Form form) {
  if (form == Form::kSaved) return tf::kSavedModel;
  if (form == Form::kEvent) return tf::kEvent;
  return form == Form::kMeta ? tf::kMetaGraph : tf::kGraphDef;
}

Result<Graph> Read(InputFile& file) {
  ASSIGN_OR_RETURN(const WholeFile whole, WholeFile::Map(file));
  const std::string_view bytes = whole.bytes();
  const std::string_view head = bytes.substr(0, 64 << 10);
  const Form form = FormOf(file.path(), head);
  const auto in = form == Form::kText
                      ? ReadTextFields(bytes, file.path())
                      : ReadWireFields(bytes, SchemaOf(form), file.path());
  Result<Graph> graph = tf::ReadGraph(*in);
  RETURN_IF_ERROR(whole.Intact(file));
  if (graph && form == Form::kEvent) tf::RemoveDebugNodes(*graph);
  if (graph) graph->is_text = form == Form::kText;
  if (graph) return graph;
  Error error = std::move(graph).error();
  return error.file.empty() ? std::move(error).At(file.path(), 0) : error;
}

}  // namespace

extern constinit const GraphKind kTensorFlow = {
    .name = "tensorflow",
    .summary =
        "TensorFlow graph (.pb, .pbtxt, SavedModel, .meta, tfdbg's), names "
        "and edges",
    .sniff = Sniff,
    .read = Read,
};

}  // namespace assay
