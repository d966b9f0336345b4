#pragma once

#include <fmt/format.h>

#include <string>

#include "codecs/ascend_builder.h"
#include "sources/source.h"
#include "temp_tree.h"

namespace assay {

// A dump of so many float inputs and outputs of shape [2].
inline std::string DumpBytes(int inputs, int outputs) {
  std::string fields;
  for (int i = 0; i < outputs; ++i) fields += Output(1, {2}, 8);
  for (int i = 0; i < inputs; ++i) fields += Input(1, {2}, 8);
  return Dump2(
      fields, 8 * (static_cast<size_t>(inputs) + static_cast<size_t>(outputs)));
}

// Everything that tells a tensor from others: "r0 s1 net#0 Add add:output:0".
inline std::string Told(const Dump& dump, const TensorInfo& t) {
  std::string text;
  if (t.id.rank >= 0) text += fmt::format("r{} ", t.id.rank);
  if (t.id.step >= 0) text += fmt::format("s{} ", t.id.step);
  if (t.id.graph != kNoName) text += fmt::format("{} ", dump.names[t.id.graph]);
  if (t.id.call > 0) text += fmt::format("#{} ", t.id.call);
  if (t.id.type != kNoName) text += fmt::format("{} ", dump.names[t.id.type]);
  text += dump.names[t.id.op];
  if (t.id.port != Port::kNone) {
    text += fmt::format(":{}:{}", Name(t.id.port), t.id.index);
  }
  return text + (t.error() ? "!" : "");
}

// "KIND: tensor, tensor"; or "error: what".
inline std::string Told(const std::string& path) {
  const auto dump = OpenSource(path, {});
  if (!dump) return "error: " + dump.error().what;
  std::string text = dump->kind + ":";
  for (const TensorInfo& t : dump->tensors) {
    text +=
        fmt::format("{} {}", text.ends_with(':') ? "" : ",", Told(*dump, t));
  }
  return text;
}

// "file: text; file: text".
inline std::string NotesOf(const std::string& path) {
  const auto dump = OpenSource(path, {});
  if (!dump) return "error: " + dump.error().what;
  std::string text;
  for (const DumpNote& note : dump->notes) {
    text +=
        fmt::format("{}{}: {}", text.empty() ? "" : "; ", note.file, note.text);
  }
  return text;
}

}  // namespace assay
