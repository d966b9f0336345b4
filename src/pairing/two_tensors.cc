// Two files with one tensor each: whatever they are called, they are meant.
// Folders are not: a name that is missing there is a tensor that is missing.
#include "pairing/strategy.h"

namespace assay {
namespace {

bool IsOneTensor(const Dump& dump) {
  return dump.files.size() == 1 && dump.tensors.size() == 1;
}

// Whoever speaks of names wants them to count.
bool SpeaksOfNames(const PairOptions& options) {
  return !options.map_file.empty() || !options.only.empty();
}

std::string Fits(const Dump& golden, const Dump& target,
                 const PairOptions& options) {
  return golden.one_file && target.one_file && IsOneTensor(golden) &&
                 IsOneTensor(target) && !SpeaksOfNames(options)
             ? "each side is one file with one tensor"
             : "";
}

Result<Pairing> DoPair(const Dump& golden, const Dump& target,
                       const PairOptions&) {
  if (!IsOneTensor(golden) || !IsOneTensor(target)) {
    return Usage(
        "pairing 'two-tensors' needs one tensor on each side, here are "
        "{} and {}",
        golden.tensors.size(), target.tensors.size());
  }
  Pairing pairing;
  pairing.pairs.push_back({.golden = {0},
                           .target = {0},
                           .why = std::make_shared<const std::string>(
                               "the only tensor of each side")});
  return pairing;
}

}  // namespace

extern constinit const Strategy kTwoTensors = {
    .name = "two-tensors",
    .summary = "two files with one tensor each, whatever their names",
    .fits = Fits,
    .pair = DoPair,
};

}  // namespace assay
