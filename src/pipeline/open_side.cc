#include "pipeline/open_side.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace assay {

Result<Dump> OpenSide(std::string_view side, const std::string& source,
                      Sources& sources, const Talk& talk) {
  ASSIGN_OR_RETURN(Dump dump, sources.Open(side, source, talk));
  talk(fmt::format("{}: {} ({}), {} in {}", side, dump.kind, dump.why,
                   Counted(dump.tensors.size(), "tensor"),
                   Counted(dump.files.size(), "file")));
  constexpr size_t kShown = 5;
  for (size_t i = 0; i < std::min(kShown, dump.notes.size()); ++i) {
    talk(fmt::format("  not read: {}: {}", dump.notes[i].file,
                     dump.notes[i].text));
  }
  if (dump.notes.size() > kShown) {
    talk(fmt::format("  not read: {} more",
                     Counted(dump.notes.size() - kShown, "file")));
  }
  return dump;
}

}  // namespace assay
