#pragma once

#include "legacy/msaccucmp_network.h"

namespace assay {

// The ways of `compare` that are not about two folders; the exit code.

// Two files: a line of names and a line of values, nothing written.
OldResult<int> CompareTwoFiles(const NetworkRequest& request);
// Two HDF5 files of PyTorch; their table, which is written. `extract_bad`
// writes what is bad, and the tensors of that, into a folder beside it.
OldResult<TableRows> CompareHdf5(const NetworkRequest& request,
                                 bool extract_bad);
// A folder of graphs, and a dump tree with all its models.
OldResult<int> CompareBatch(const NetworkRequest& request);

}  // namespace assay
