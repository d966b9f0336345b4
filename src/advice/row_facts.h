#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/comparison.h"
#include "core/dtype.h"

namespace assay {

// What the rules share: reading rows, and wording.

inline constexpr size_t kMostPerRule = 5;

bool IsBad(const Row& row);
// Bad, and no input explains it: worth a word of its own.
bool IsSuspect(const Row& row);
// The suspects that meet `test`, in the order of the report; at most
// kMostPerRule.
std::vector<const Row*> SuspectsThat(const Comparison& c,
                                     bool (*test)(const Row& row));

double MetricOr(const Row& row, std::string_view metric, double fallback);
// Types of the first operand of each side; nothing if they are not known.
std::optional<DType> GoldenType(const Row& row);
std::optional<DType> TargetType(const Row& row);
// Largest finite number of a type; nothing for those that have no use for it.
std::optional<double> LargestOf(DType type);
std::optional<double> SmallestOf(DType type);

// A weight or an input of the graph: frameworks do not dump them.
bool IsUsuallyMissing(const UnpairedTensor& tensor);

// The rows are in the order of execution.
bool HasOrder(const Comparison& c);
// The last row of that rank and step that is not an input.
const Row& LastLike(const Row& row, const Comparison& c);
// The row is what the operator of that last row makes.
bool MakesLast(const Row& row, const Row& last);

// "assay show run.assay conv1:output:0".
std::string ShowCommand(std::string_view name);
// "assay compare golden npu".
std::string CompareCommand(const Comparison& c);
// A number of a metric as text, rounded.
std::string MetricText(const Row& row, std::string_view metric);
std::string RankAndStep(const Row& row);

}  // namespace assay
