#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/json_scan.h"

// Reads all tokens; stops the fuzzer if one leaves the text, if an error says
// nothing, or if a text that another reader accepts is refused.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay;  // NOLINT: a fuzz target is a program of its own
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  JsonScanner scan(json, "fuzz");
  uint64_t least = 0;
  for (;;) {
    const JsonToken token = scan.Next();
    if (token.at < least || token.at > size) abort();
    if (token.text.size() > size - token.at) abort();
    least = token.at;
    if (token.Text().size() > token.text.size()) abort();
    (void)token.Integer(), (void)token.Real();
    if (token.kind == JsonKind::kEnd || token.kind == JsonKind::kError) break;
  }
  JsonScanner again(json, "fuzz");
  again.SkipValue();
  if (scan.ok() && !again.ok()) abort();
  if (scan.ok()) return 0;
  const Error error = scan.error();
  if (error.what.empty() || !error.offset || !error.line) abort();
  const bool deep = error.what.starts_with("nested deeper");
  // The other reader ends at a zero byte and passes over a byte order mark.
  const bool other =
      json.find('\0') != json.npos || json.starts_with("\xef\xbb\xbf");
  if (deep || other) return 0;
  if (nlohmann::json::accept(json.begin(), json.end())) abort();
  return 0;
}
