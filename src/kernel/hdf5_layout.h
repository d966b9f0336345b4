#pragma once

#include "kernel/hdf5_dataset.h"

namespace assay {

// Set what the two messages say about a dataset whose shape and width are
// known.
Status ParseHdf5Layout(const Hdf5File& file, const Hdf5Message& message,
                       Hdf5Dataset& set);
Status ParseHdf5Filters(const Hdf5File& file, const Hdf5Message& message,
                        Hdf5Dataset& set);

Error ElsewhereError();  // the values are in another file

}  // namespace assay
