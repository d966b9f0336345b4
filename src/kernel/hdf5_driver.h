#pragma once

#include "kernel/hdf5_guard.h"

namespace assay {

// Properties for opening `file` with libhdf5. All it reads comes through the
// InputFile, which outlives whatever was opened: no second descriptor, no lock,
// no shared state, and no byte beyond the end. Under a guard.
Hdf5Id Hdf5Access(const InputFile& file);

}  // namespace assay
