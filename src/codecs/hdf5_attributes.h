#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/hdf5_header.h"

namespace assay {

// The attributes of an object that are integers, one or a short list.
using Hdf5Attributes = std::map<std::string, std::vector<int64_t>>;
Result<Hdf5Attributes> ReadHdf5Attributes(const Hdf5File& file,
                                          const Hdf5Header& header);

}  // namespace assay
