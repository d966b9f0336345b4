#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "codecs/codec.h"
#include "sources/source.h"

namespace assay {

struct ConvertOptions {
  std::vector<std::string> sources;
  const Codec* to = nullptr;
  std::string tensor;  // only this one of each file: "output:0"
  // Device layouts are kept unless something else is asked for.
  enum class Layouts { kKeep, kHost, kOne } layouts = Layouts::kKeep;
  Layout layout = Layout::kND;  // kOne
  std::optional<Shape> shape;   // wanted extents, in the order of `layout`
  std::string out;              // folder
  bool force = false;
  OpenOptions open;
  bool show_progress = false;
};

struct ConvertResult {
  std::vector<std::string> written;  // relative to `out`, sorted
  std::vector<std::string> notes;    // changes of type, tensors left out
  std::vector<Error> failures;
};

// Writes every tensor of the sources in another format. A source that cannot
// be opened or a tensor that cannot be converted is listed and the rest goes
// on.
Result<ConvertResult> Convert(const ConvertOptions& options,
                              const std::atomic<bool>& stop);

}  // namespace assay
