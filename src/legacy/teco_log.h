#pragma once

#include <optional>
#include <string>
#include <vector>

#include "legacy/teco_metrics.h"
#include "legacy/xlsx_table.h"

namespace assay {

// The comparison of dump_tools.py: what a device wrote (S), a run to compare it
// with (C), and a reference to judge both by (G).
struct TecoFolders {
  std::string device, compare;
  std::string golden;  // empty: none
  double tag = 10;     // S may be so many times worse than C
  double th1 = 1e-6;   // of diff3 and all_close
  double th2 = 1e-3;   // diff2 above it is listed
};

// What is known of one file that all folders have.
struct TecoFile {
  std::string name;
  std::string mismatch;  // shapes differ: nothing else counts
  TecoNumbers compared;  // S against C
  std::optional<TecoNumbers> device, reference;  // S and C against G
  bool nan_inf = false;
};

struct TecoResult {
  TecoFolders folders;
  std::vector<TecoFile> files;  // by name
  std::vector<std::string> only_device, only_compare, only_golden;
};

// A folder that is there, or none at all.
Status CheckTecoFolder(const std::string& path);

Result<TecoResult> CompareTeco(const TecoFolders& folders);

// compare_result.log: a line per file, then what is in one folder only and
// what is bad.
std::vector<std::string> TecoLines(const TecoResult& result);
std::string TecoLog(const TecoResult& result);
// compare_results.xlsx
std::vector<Sheet> TecoSheets(const TecoResult& result);

}  // namespace assay
