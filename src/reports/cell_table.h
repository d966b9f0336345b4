#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/comparison.h"

namespace assay {

// A comparison as a table for spreadsheets: one line per row and per unpaired
// tensor, metrics as columns.
class CellTable {
 public:
  enum class Kind : uint8_t {
    kText,
    kNumber,  // that a spreadsheet can hold
    kWord,    // another: "inf", integers beyond 2^53
  };
  struct Cell {
    std::string text;
    Kind kind = Kind::kText;
  };
  using Line = std::vector<Cell>;

  explicit CellTable(const Comparison& c);

  Line Head() const;
  Line Of(const Row& row) const;
  Line Of(const UnpairedTensor& tensor) const;

 private:
  std::vector<std::string_view> metrics_;  // that some row holds
};

}  // namespace assay
