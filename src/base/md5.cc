#include "base/md5.h"

#include <bit>
#include <cmath>
#include <string>

namespace assay {
namespace {

constexpr int kTurns[4][4] = {
    {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

// floor(2^32 |sin(i + 1)|)
uint32_t Constant(int i) {
  return static_cast<uint32_t>(
      std::floor(std::abs(std::sin(i + 1.0)) * 4294967296.0));
}

uint32_t Word(std::string_view block, int i) {
  uint32_t word = 0;
  for (int k = 3; k >= 0; --k) {
    word =
        word << 8 | static_cast<uint8_t>(block[static_cast<size_t>(4 * i + k)]);
  }
  return word;
}

// What is mixed in at step i, and from which word of the block.
struct Step {
  uint32_t mix;
  int word;
};

Step StepAt(int i, uint32_t b, uint32_t c, uint32_t d) {
  if (i < 16) return {(b & c) | (~b & d), i};
  if (i < 32) return {(d & b) | (~d & c), (5 * i + 1) % 16};
  if (i < 48) return {b ^ c ^ d, (3 * i + 5) % 16};
  return {c ^ (b | ~d), 7 * i % 16};
}

void Mix(std::string_view block, std::array<uint32_t, 4>& state) {
  auto [a, b, c, d] = state;
  for (int i = 0; i < 64; ++i) {
    const Step step = StepAt(i, b, c, d);
    const uint32_t sum = a + step.mix + Constant(i) + Word(block, step.word);
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, kTurns[i / 16][i % 4]);
  }
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d};
}

}  // namespace

std::array<uint8_t, 16> Md5(std::string_view bytes) {
  std::string padded(bytes);
  padded += '\x80';
  padded.resize((padded.size() + 8 + 63) / 64 * 64 - 8);
  const uint64_t bits = uint64_t{bytes.size()} * 8;
  for (int i = 0; i < 8; ++i) padded += static_cast<char>(bits >> (8 * i));
  std::array<uint32_t, 4> state = {0x67452301, 0xefcdab89, 0x98badcfe,
                                   0x10325476};
  for (size_t at = 0; at < padded.size(); at += 64) {
    Mix(std::string_view(padded).substr(at, 64), state);
  }
  std::array<uint8_t, 16> out;
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<uint8_t>(state[i / 4] >> (8 * (i % 4)));
  }
  return out;
}

}  // namespace assay
