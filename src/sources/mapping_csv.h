#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/dump.h"

namespace assay {

// mapping.csv lies beside files whose names were too long for the disk, and
// says what they are really called: STORED,ORIGINAL, no heading. Some writers
// have the two columns the other way round.
inline constexpr std::string_view kMappingFile = "mapping.csv";

struct NameMapping {
  std::unordered_map<std::string, std::string> originals;  // by stored name
  std::vector<std::string> problems;                       // lines not used
};
// `exists` tells which of two names is a file of the folder.
NameMapping ParseMapping(
    std::string_view text,
    const std::function<bool(std::string_view name)>& exists);

// Only digits, or 32 hexadecimal digits, perhaps with a suffix: the name says
// nothing without mapping.csv.
bool IsShortened(std::string_view name);

// The mapping.csv files of a whole tree.
class Mappings {
 public:
  // Reads those among `files`, which are sorted and relative to `root`.
  Mappings(const std::string& root, std::span<const std::string> files);

  // What a file is really called, without its folder; its own name if nothing
  // else is known.
  std::string_view OriginalName(std::string_view file) const;
  // What `stored` means in the folder of a file; empty if nothing.
  std::string_view Lookup(std::string_view file, std::string_view stored) const;
  // Is there a mapping in its folder that does not have its shortened name?
  bool Misses(std::string_view file) const;
  // The first original name that is `wanted`; empty if none is.
  std::string AnyOriginal(
      const std::function<bool(std::string_view name)>& wanted) const;
  std::vector<DumpNote>& notes() { return notes_; }

 private:
  const NameMapping* Of(std::string_view file) const;

  std::map<std::string, NameMapping, std::less<>> folders_;
  std::vector<DumpNote> notes_;
};

}  // namespace assay
