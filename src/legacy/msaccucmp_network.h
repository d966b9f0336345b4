#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/dump.h"
#include "legacy/converted_copies.h"
#include "legacy/msaccucmp_log.h"
#include "legacy/msaccucmp_table.h"
#include "legacy/old_operators.h"

namespace assay {

// What msaccucmp's compare is asked about two folders.
struct NetworkRequest {
  std::string my, golden;            // folders
  std::string fusion, close, quant;  // rule files; empty: none
  std::string scripts;               // folder of users' scripts (-c)
  std::string out = ".";
  std::string range, select;  // -r, -s
  bool has_range = false, has_select = false;
  bool mapping = false;
  bool ffts = false;          // slices stay apart
  std::string result_prefix;  // before "result_"
  OldTableOptions table;
};

// Two folders with their rule, opened and found to go together.
struct Network {
  Dump my, golden;
  std::unique_ptr<OldOperators> my_ops, golden_ops;
  std::unique_ptr<FusionRule> rule;  // null: by name
  OldAlignment alignment = OldAlignment::kByRule;
  bool unfused = false, quantised = false;
  std::vector<std::string> input_nodes;  // operators of type Data

  std::unique_ptr<ConvertedCopies> copies;

  OldSides sides() const { return {my, golden, copies.get()}; }
};

// `network` keeps addresses of itself: it must stay where it is.
OldStatus OpenNetwork(const NetworkRequest& request, Network& network);

// By its rule; there is one.
RulePlan PlanOf(const Network& network);

OldRows RowsOf(const Network& network,
               std::optional<std::set<uint32_t>> wanted = std::nullopt,
               bool every_member = false);

// The columns that go with these folders.
OldTableOptions TableOptionsOf(const NetworkRequest& request,
                               const Network& network);

struct NetworkTable {
  std::string path;
  TableRows table;
  OldCode code = OldCode::kOk;  // what the command ends with
  bool matched = false;         // some operator has data on both sides
};
// Writes result_TIME.csv, or mapping_TIME.csv.
OldResult<NetworkTable> CompareNetwork(const NetworkRequest& request,
                                       const Network& network);

// A file that the old tools would write; mode 0600.
OldStatus WriteOldFile(const std::string& path, std::string_view text);

}  // namespace assay
