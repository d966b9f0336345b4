// Names of dump files and the lines of mapping.csv.
#include <cstdlib>

#include "sources/array_name.h"
#include "sources/dump_name.h"
#include "sources/dump_place.h"
#include "sources/mapping_csv.h"

namespace {

// What a parser returns must be part of what it was given.
void ExpectInside(std::string_view part, std::string_view whole) {
  if (part.empty()) return;
  const bool inside = part.data() >= whole.data() &&
                      part.data() + part.size() <= whole.data() + whole.size();
  if (!inside) abort();
}

void ParseNames(std::string_view text) {
  if (const auto name = assay::ParseDumpName(text)) {
    if (name->type.empty() || name->op.empty()) abort();
    ExpectInside(name->type, text);
    ExpectInside(name->op, text);
    ExpectInside(assay::WithoutSliceMarks(name->op), name->op);
    if (assay::WithoutSliceMarks(name->op).empty()) abort();
  }
  if (const auto name = assay::ParseArrayName(text)) {
    if (name->op.empty() || name->index < 0 || name->call < 0) abort();
    ExpectInside(name->op, text);
  }
  if (const auto name = assay::ParseFxName(text)) {
    ExpectInside(name->tensor, text);
  }
  const auto place = assay::PlaceOf("20240501120000/0", text);
  ExpectInside(place.run, text);
  (void)assay::IsShortened(text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ParseNames(text.substr(0, text.find('\n')));
  const auto mapping = assay::ParseMapping(text, [](std::string_view name) {
    return !name.empty() && name.front() == '1';
  });
  for (const auto& [stored, original] : mapping.originals) {
    if (stored.find('/') != stored.npos || original == "..") abort();
    ParseNames(original);
  }
  return 0;
}
