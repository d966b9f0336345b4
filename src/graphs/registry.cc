#include <algorithm>

#include "base/field_reader.h"
#include "graphs/graph_faults.h"
#include "graphs/graph_kind.h"
#include "graphs/saved_model.h"
#include "graphs/whole_file.h"

namespace assay {

extern const GraphKind kOm, kGeJson, kGeOnnx, kGeText, kTensorFlow, kOnnxGraph;

namespace {

constinit const GraphKind* const kKinds[] = {
    &kOm, &kGeJson, &kGeOnnx, &kGeText, &kTensorFlow, &kOnnxGraph};

constexpr size_t kHead = 64 << 10;
constexpr std::string_view kOtherJson = "other JSON";

std::string_view FileName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string_view WhatItSeems(std::string_view head) {
  const size_t first = head.find_first_not_of(" \t\r\n");
  if (head.empty()) return "an empty file";
  if (head.starts_with("PK\x03\x04")) return "a ZIP archive";
  if (head.starts_with("\x93NUMPY")) return "a NumPy array";
  if (first != head.npos && head[first] == '{') return kOtherJson;
  if (first != head.npos && head[first] == '[') return "a JSON list";
  const bool text = std::all_of(head.begin(), head.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t' ||
           c == '\r';
  });
  return text ? "other text" : "other bytes";
}

// What the content says counts more than the name.
const GraphKind* KindOf(std::string_view file_name, std::string_view head) {
  for (const std::string_view name : {std::string_view(), file_name}) {
    for (const GraphKind* kind : kKinds) {
      if (kind->sniff(name, head)) return kind;
    }
  }
  return nullptr;
}

// Where JSON breaks or ends, if that is why it says nothing of a graph.
std::optional<Error> DamageIn(std::string_view json, const std::string& path,
                              uint64_t file_size) {
  const auto in = ReadJsonFields(json, path);
  FieldKind kind = FieldKind::kNull;
  while (kind != FieldKind::kDone && kind != FieldKind::kError) {
    kind = in->Next().kind;
  }
  if (kind == FieldKind::kDone) return std::nullopt;
  Error error = in->error();
  const bool cut_by_us = error.offset >= json.size() && json.size() < file_size;
  return cut_by_us ? std::nullopt : std::optional(std::move(error));
}

Error NotAGraph(const std::string& path, std::string_view head,
                uint64_t file_size) {
  const std::string_view seems = WhatItSeems(head);
  if (seems == kOtherJson) {
    if (auto damage = DamageIn(head, path, file_size)) return *damage;
  }
  std::string kinds;
  for (const GraphKind* kind : kKinds) {
    if (!kinds.empty()) kinds += ", ";
    kinds += kind->name;
  }
  return Unsupported("not a graph file; it looks like {}", seems)
      .At(path)
      .Hint("graph files are " + kinds);
}

}  // namespace

std::span<const GraphKind* const> AllGraphKinds() { return kKinds; }

bool IsGraphFile(const std::string& path) {
  if (HasGraphName(FileName(path))) return true;
  if (!path.ends_with(".json")) return false;
  const auto file = InputFile::Open(path);
  if (!file) return false;
  const auto head = file->Head(kHead);
  return head && KindOf(FileName(path), *head) != nullptr;
}

Result<Graph> OpenGraph(const std::string& path) {
  ASSIGN_OR_RETURN(InputFile file, InputFile::Open(InsideSavedModel(path)));
  ASSIGN_OR_RETURN(const std::string head, file.Head(kHead));
  const GraphKind* const kind = KindOf(FileName(file.path()), head);
  if (kind == nullptr) return NotAGraph(path, head, file.size());
  ASSIGN_OR_RETURN(Graph graph, kind->read(file));
  graph.file = path;
  graph.kind = kind->name;
  graph.Finish();
  for (Error& fault : graph.faults) fault.file = path;
  ASSIGN_OR_RETURN(const WholeFile whole, WholeFile::Map(file));
  FindGraphFaults({.text = graph.is_text ? whole.bytes() : std::string_view(),
                   .shared_names = kind->shared_names},
                  graph);
  RETURN_IF_ERROR(whole.Intact(file));
  return graph;
}

}  // namespace assay
