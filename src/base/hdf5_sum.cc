// The checksum of HDF5's newer structures: Bob Jenkins' lookup3.
#include <array>
#include <bit>
#include <initializer_list>

#include "base/hdf5_file.h"

namespace assay {
namespace {

using Words = std::array<uint32_t, 3>;

// Twelve bytes, little-endian; what is missing counts as zero.
void Add(std::string_view bytes, Words& words) {
  for (size_t i = 0; i < bytes.size(); ++i) {
    words[i / 4] += static_cast<uint32_t>(static_cast<uint8_t>(bytes[i]))
                    << 8 * (i % 4);
  }
}

void Mix(Words& w) {
  size_t i = 0;
  for (const int turn : {4, 6, 8, 16, 19, 4}) {
    uint32_t &a = w[i], &b = w[(i + 1) % 3], &c = w[(i + 2) % 3];
    a -= c;
    a ^= std::rotl(c, turn);
    c += b;
    i = (i + 1) % 3;
  }
}

uint32_t Finish(Words w) {
  size_t i = 2;
  for (const int turn : {14, 11, 25, 16, 4, 14, 24}) {
    w[i] ^= w[(i + 2) % 3];
    w[i] -= std::rotl(w[(i + 2) % 3], turn);
    i = (i + 1) % 3;
  }
  return w[2];
}

}  // namespace

uint32_t Hdf5Sum(std::string_view bytes) {
  const uint32_t start = 0xdeadbeef + static_cast<uint32_t>(bytes.size());
  Words words = {start, start, start};
  constexpr size_t kStep = 12;
  for (; bytes.size() > kStep; bytes.remove_prefix(kStep)) {
    Add(bytes.substr(0, kStep), words);
    Mix(words);
  }
  if (bytes.empty()) return words[2];
  Add(bytes, words);
  return Finish(words);
}

}  // namespace assay
