#include "pipeline/overflow_status.h"

#include <fmt/format.h>

namespace assay {
namespace {

constexpr struct {
  uint64_t bit;
  std::string_view meaning;
} kCoreBits[] = {
    {0x8, "negation of the most negative integer"},
    {0x10, "integer overflow in add, subtract or multiply"},
    {0x20, "float overflow"},
    {0x80, "negative float to unsigned integer"},
    {0x100, "overflow in float32 or int32 to float16"},
    {0x400, "cube accumulation overflow"},
};

// Of atomic additions. DHA counts them from 9, L2 from 1.
constexpr std::string_view kAtomicAdd[] = {
    "overflow in an atomic addition", "underflow in an atomic addition",
    "the source of an atomic addition is nan",
    "the destination of an atomic addition is nan",
    "source and destination of an atomic addition are nan"};

void AddCore(uint64_t word, std::string_view prefix,
             std::vector<std::string>& out) {
  for (const auto& [bit, meaning] : kCoreBits) {
    if ((word & bit) != 0) out.push_back(fmt::format("{}{}", prefix, meaning));
    word &= ~bit;
  }
  if (word != 0) {
    out.push_back(
        fmt::format("{}bits {:#x}, of unknown meaning", prefix, word));
  }
}

std::string AtomicAdd(uint64_t status, uint64_t code, uint64_t first) {
  if (code >= first && code - first < std::size(kAtomicAdd)) {
    return std::string(kAtomicAdd[code - first]);
  }
  return fmt::format("status {:#x}, of unknown meaning", status);
}

}  // namespace

std::vector<std::string> StatusMeanings(const UnitRecord& unit) {
  std::vector<std::string> out;
  const std::string_view name = unit.unit;
  const uint64_t word = unit.status.front();
  if (!unit.HasOverflow()) {
    out.emplace_back("no overflow recorded");
  } else if (name == "DHA Atomic Add") {
    out.push_back(AtomicAdd(word, word >> 8 & 0xff, 9));
  } else if (name == "L2 Atomic Add") {
    out.push_back(AtomicAdd(word, word >> 16 & 7, 1));
  } else if (name == "AICPU" || name == "SDMA") {
    out.push_back(
        fmt::format("overflow; what status {:#x} of {} means in "
                    "detail is not known",
                    word, name));
  } else if (unit.status.size() == 1) {
    AddCore(word, "", out);
  } else {
    for (size_t i = 0; i < unit.status.size(); ++i) {
      AddCore(unit.status[i], fmt::format("word {}: ", i), out);
    }
  }
  return out;
}

}  // namespace assay
