#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/hdf5_file.h"

namespace assay {

// What is said about an object, one message per thing.
struct Hdf5Message {
  enum Type : uint16_t {
    kDataspace = 1,
    kLinkInfo = 2,
    kDatatype = 3,
    kOldFill = 4,
    kFill = 5,
    kLink = 6,
    kExternal = 7,
    kLayout = 8,
    kFilters = 11,
    kAttribute = 12,
    kContinuation = 16,
    kSymbolTable = 17,
    kAttributeInfo = 21,
  };

  uint16_t type = 0;
  bool shared = false;  // it stands elsewhere; these bytes say where
  std::string bytes;
  uint64_t address = 0;  // of the first byte
};

using Hdf5Header = std::vector<Hdf5Message>;

// The header of an object: all its messages.
Result<Hdf5Header> ReadHdf5Header(const Hdf5File& file, uint64_t address);

// The first message of a type; null if there is none.
const Hdf5Message* FindMessage(const Hdf5Header& header,
                               Hdf5Message::Type type);
// The message itself, wherever it stands.
Result<Hdf5Message> ResolveMessage(const Hdf5File& file,
                                   const Hdf5Message& message);

}  // namespace assay
