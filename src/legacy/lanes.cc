#include "legacy/lanes.h"

namespace assay {

void AddPieces(size_t n, PieceLengths& lengths) {
  if (n <= 128) {
    lengths.push_back(static_cast<uint8_t>(n));
    return;
  }
  const size_t half = n / 2 - n / 2 % kSumLanes;
  AddPieces(half, lengths);
  AddPieces(n - half, lengths);
}

}  // namespace assay
