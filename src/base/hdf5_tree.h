#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "base/hdf5_file.h"

namespace assay {

// The two kinds of trees that HDF5 keeps lists in. No node is read twice, so a
// damaged tree ends.

// Old trees: kind 0 holds groups, kind 1 chunks. Calls `visit` with each key of
// `key_bytes` bytes and the address that belongs to it.
Status ForEachInOldTree(
    const Hdf5File& file, uint64_t address, int kind, size_t key_bytes,
    const std::function<Status(std::string_view key, uint64_t child)>& visit);

// New trees: calls `visit` with each record.
Status ForEachInNewTree(
    const Hdf5File& file, uint64_t address, int kind,
    const std::function<Status(std::string_view record)>& visit);

}  // namespace assay
