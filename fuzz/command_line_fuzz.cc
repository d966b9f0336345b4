#include <cstdlib>

#include "app/shell/command_line.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto commands = assay::SplitCommands(text);
  for (size_t i = 0; commands && i < commands->size(); ++i) {
    if ((*commands)[i].words.empty()) abort();
  }
  if (assay::LastWord(text).begin > size) abort();
  // A word that was escaped reads back as it was.
  if (text.empty() || text.find_first_of("\r\n") != text.npos) return 0;
  const auto again = assay::SplitCommands(assay::Escaped(text));
  if (!again || again->size() != 1 || (*again)[0].words.size() != 1 ||
      (*again)[0].words[0] != text) {
    abort();
  }
  return 0;
}
