#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/result.h"

namespace assay {

// Names for the arrays of a framework's run, as precision_tool and msaccucmp
// want them: NODE.INDEX.MICROSECONDS.npy, '/' in NODE replaced by '_'. No two
// are the same; one that is too long for a disk becomes a number, and
// mapping.csv says what it stands for.
class GoldenNames {
 public:
  static constexpr size_t kLongest = 210;

  // For files of this folder. What is in it keeps its name.
  explicit GoldenNames(std::string folder) : folder_(std::move(folder)) {}

  // "scope/node:0"; without a number it is output 0.
  std::string For(std::string_view tensor, int64_t time);
  // Adds the replaced names to mapping.csv.
  Status WriteMapping();

 private:
  bool Taken(const std::string& name) const;
  std::string FirstFree(std::string_view stem, int64_t time) const;

  std::string folder_;
  std::unordered_set<std::string> used_;
  int next_number_ = 0;
  std::string mapping_;  // lines not written yet
};

}  // namespace assay
