#pragma once

#include <functional>
#include <optional>
#include <span>

#include "legacy/old_table.h"
#include "legacy/probe_rows.h"

namespace assay {

// Which columns a table of msprobe has.
struct ProbeColumns {
  ProbeMode mode = ProbeMode::kReal;
  bool stacks = false;  // where each call was made
};

std::span<const std::string_view> ProbeModeColumns(ProbeMode mode);
CsvRow ProbeHeader(const ProbeColumns& columns);
// The cells of a row with the last ones: its result, why, and its files.
CsvRow FinishProbeRow(const ProbeColumns& columns, ProbeRow row);

// Of two dumps of msprobe: all that the device's dump.json tells of, numbers
// and missing tensors too. `metrics` are the cells of a compared row. Nothing
// if they are not such dumps, or not alike.
std::optional<Sheet> MakeProbeSheet(
    const TableRequest& request,
    const std::function<std::vector<std::string>(const Row&)>& metrics);

}  // namespace assay
