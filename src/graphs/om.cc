// Offline model: the graphs of its ModelDefs, and of the models inside of flow
// models and bundles.
#include <fmt/format.h>

#include "base/text.h"
#include "graphs/ge_model.h"
#include "graphs/ge_schema.h"
#include "graphs/graph_kind.h"
#include "graphs/om_attributes.h"
#include "graphs/om_file.h"
#include "graphs/whole_file.h"

namespace assay {
namespace {

constexpr int kDeepest = 8;  // models in models

constexpr SchemaField kSubModelFields[] = {
    {1, "model_name"},
    {3, "om_data"},
    {4, "graph"},
    {9, "path"},
};
constinit const Schema kSubModel = {kSubModelFields};

class OmReader {
 public:
  OmReader(std::string_view path, Graph& graph) : path_(path), graph_(graph) {}

  Status Add(std::string_view bytes, uint64_t base, int depth);
  void Warn();

 private:
  Status AddModels(const OmFile& om, std::string_view bytes, uint64_t base);
  Status AddInner(const OmFile& om, std::string_view bytes, uint64_t base,
                  int depth);
  Status AddModel(std::string_view bytes, uint64_t base, bool first);
  Status AddSubModel(std::string_view bytes, uint64_t base, int depth);

  std::string_view path_;
  Graph& graph_;
  std::optional<OmWords> first_words_;
  uint64_t failures_ = 0;
};

const OmPartition* ModelDefOf(const OmModel& model) {
  for (const OmPartition& part : model.partitions) {
    if (part.Is(OmPart::kModelDef)) return &part;
  }
  return nullptr;
}

Status OmReader::Add(std::string_view bytes, uint64_t base, int depth) {
  if (depth == kDeepest) {
    return Corrupt("models in models, {} deep", depth).At(path_, base);
  }
  ASSIGN_OR_RETURN(const OmFile om, ReadOmFile(bytes, path_, base));
  first_words_.reset();
  const bool bundle = om.Is(OmType::kBundle);
  if (!bundle) RETURN_IF_ERROR(AddModels(om, bytes, base));
  return AddInner(om, bytes, base, depth);
}

Status OmReader::AddModels(const OmFile& om, std::string_view bytes,
                           uint64_t base) {
  bool first = true;
  for (const OmModel& model : om.models) {
    const OmPartition* const part = ModelDefOf(model);
    if (part == nullptr && first) {
      return Unsupported("the model file has no graph in it")
          .At(path_, base + model.table_at)
          .Hint(
              "lite and nano models (.exeom) have none; give the .om they "
              "were made from");
    }
    if (part == nullptr) continue;
    RETURN_IF_ERROR(
        AddModel(bytes.substr(part->at, part->size), base + part->at, first));
    first = false;
  }
  return Done{};
}

// Later models repeat a subgraph of the first, and may use its words.
Status OmReader::AddModel(std::string_view bytes, uint64_t base, bool first) {
  const auto head = ReadWireFields(bytes, kGeModel, path_, base);
  ASSIGN_OR_RETURN(const std::optional<OmWords> own, OmWords::Read(*head));
  OmExpander expander(own ? &*own : nullptr,
                      first_words_ ? &*first_words_ : nullptr);
  const auto in = ReadWireFields(bytes, kGeModel, path_, base);
  RETURN_IF_ERROR(
      AddGeModel(*in, {.only_new = !first, .expander = &expander}, graph_));
  failures_ += expander.failures();
  if (first) first_words_ = own;
  return Done{};
}

Status OmReader::AddInner(const OmFile& om, std::string_view bytes,
                          uint64_t base, int depth) {
  for (const OmModel& model : om.models) {
    for (const OmPartition& part : model.partitions) {
      const std::string_view inner = bytes.substr(part.at, part.size);
      if (om.Is(OmType::kBundle) && part.Is(OmPart::kBundleModel)) {
        RETURN_IF_ERROR(Add(inner, base + part.at, depth + 1));
      } else if (om.Is(OmType::kFlow) && part.Is(OmPart::kFlowSubModel)) {
        RETURN_IF_ERROR(AddSubModel(inner, base + part.at, depth));
      }
    }
  }
  return Done{};
}

// The operators are in the .om inside; a function of the user has none, and
// its graph stands beside it.
Status OmReader::AddSubModel(std::string_view bytes, uint64_t base, int depth) {
  const auto in = ReadWireFields(bytes, kSubModel, path_, base);
  const auto place = [&](std::string_view inner) {
    return base + static_cast<uint64_t>(inner.data() - bytes.data());
  };
  std::string name;
  std::string_view om, graph;
  for (;;) {
    const Field field = in->Next();
    if (field.kind == FieldKind::kError) return in->error();
    if (field.kind == FieldKind::kDone) break;
    if (field.name == "model_name") name = field.Text();
    if (field.name == "om_data") om = field.text;
    if (field.name == "graph") graph = field.text;
    if (field.name == "path" && !field.text.empty()) {
      graph_.warnings.push_back(
          fmt::format("model '{}' is in another file: {}", name, field.Text()));
    }
  }
  if (LooksLikeOm(om)) return Add(om, place(om), depth + 1);
  if (graph.empty()) return Done{};
  const auto inner = ReadWireFields(graph, kGeGraph, path_, place(graph));
  return AddGeModel(*inner, {.only_new = true}, graph_);
}

void OmReader::Warn() {
  if (failures_ == 0) return;
  graph_.warnings.push_back(
      fmt::format("{} could not be expanded and stayed as it is",
                  Counted(failures_, "shortened attribute")));
}

bool Sniff(std::string_view file_name, std::string_view head) {
  const std::string name = Lower(file_name);
  return LooksLikeOm(head) || name.ends_with(".om") || name.ends_with(".om2");
}

Result<Graph> Read(InputFile& file) {
  ASSIGN_OR_RETURN(const WholeFile whole, WholeFile::Map(file));
  Graph graph;
  OmReader reader(file.path(), graph);
  const Status read = reader.Add(whole.bytes(), 0, 0);
  RETURN_IF_ERROR(whole.Intact(file));
  RETURN_IF_ERROR(read);
  reader.Warn();
  if (graph.parts.empty()) {
    return Unsupported("the model file has no graph in it").At(file.path());
  }
  return graph;
}

}  // namespace

extern constinit const GraphKind kOm = {
    .name = "om",
    .summary = "Ascend offline model (.om)",
    .sniff = Sniff,
    .read = Read,
};

}  // namespace assay
