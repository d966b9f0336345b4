#include "base/field_reader.h"
#include "base/json_scan.h"
#include "graph_bytes.h"

namespace {

// The reader of fields goes over the text by itself: it must take exactly the
// objects that the scanner takes.
void CheckAgainstScanner(std::string_view json) {
  using namespace assay;  // NOLINT: a fuzz target is a program of its own
  const auto fields = ReadJsonFields(json, "fuzz");
  Field field;
  do {
    field = fields->Next();
    if (field.at > json.size()) abort();
  } while (field.kind != FieldKind::kDone && field.kind != FieldKind::kError);
  JsonScanner scan(json, "fuzz");
  const bool object = scan.Next().kind == JsonKind::kBeginObject;
  while (scan.ok() && scan.Next().kind != JsonKind::kEnd) {
  }
  if ((field.kind == FieldKind::kDone) != (object && scan.ok())) abort();
  if (field.kind == FieldKind::kError && fields->error().what.empty()) abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  CheckAgainstScanner({reinterpret_cast<const char*>(data), size});
  assay::ReadGraphBytes("ge-json", data, size);
  return 0;
}
