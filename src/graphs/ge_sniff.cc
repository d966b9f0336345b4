#include "graphs/ge_sniff.h"

#include "base/name_key.h"

namespace assay {
namespace {

enum class Guess : uint8_t { kNo, kMaybe, kYes };

Guess ByName(const Field& field) {
  switch (NameKey(field.name)) {
    case NameKey("op"):
      return Guess::kYes;
    case NameKey("graph"):
    case NameKey("attr"):
    case NameKey("attr_groups"):
    case NameKey("name"):
    case NameKey("version"):
    case NameKey("custom_version"):
    case NameKey("input"):
    case NameKey("output"):
      return Guess::kMaybe;
    default:
      return Guess::kNo;
  }
}

}  // namespace

// ONNX has its nodes in a graph, too, but as "node".
bool LooksLikeGe(FieldReader& head) {
  bool any = false;
  for (;;) {
    const Field field = head.Next();
    if (field.kind == FieldKind::kError || field.kind == FieldKind::kDone) {
      return any;
    }
    if (field.kind == FieldKind::kEnd) continue;
    const Guess guess = ByName(field);
    if (guess != Guess::kMaybe) return guess == Guess::kYes;
    any = true;
    if (field.name != "graph") head.Skip(field);
  }
}

}  // namespace assay
