#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/hdf5_header.h"

namespace assay {

struct Hdf5Link {
  enum class Kind : uint8_t {
    kHard,   // an object of this file
    kSoft,   // another name for one
    kOther,  // in another file, or known to other programs only
  };

  std::string name;
  Kind kind = Kind::kHard;
  uint64_t address = 0;  // of a hard link: the object's header
};

// Is the object a group?
bool HasLinks(const Hdf5Header& header);
// The links of a group, however it keeps them.
Result<std::vector<Hdf5Link>> ReadLinks(const Hdf5File& file,
                                        const Hdf5Header& header);

}  // namespace assay
