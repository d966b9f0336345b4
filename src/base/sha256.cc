// FIPS 180-4.
#include "base/sha256.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace assay {
namespace {

using State = std::array<uint32_t, 8>;

constexpr size_t kRounds = 64, kBlock = 64;

constexpr std::array<uint32_t, kRounds> kConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using AddBlocks = void (*)(const unsigned char* data, size_t blocks,
                           State& state);

void AddBlock(const unsigned char* block, State& state) {
  std::array<uint32_t, kRounds> w;
  for (size_t i = 0; i < 16; ++i) {
    const unsigned char* p = block + 4 * i;
    w[i] = static_cast<uint32_t>(p[0]) << 24 | p[1] << 16 | p[2] << 8 | p[3];
  }
  for (size_t i = 16; i < kRounds; ++i) {
    const uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] +
           (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (size_t i = 0; i < kRounds; ++i) {
    const uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kConstants[i] + w[i];
    const uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const State add = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < state.size(); ++i) state[i] += add[i];
}

void AddPortably(const unsigned char* data, size_t blocks, State& state) {
  for (size_t i = 0; i < blocks; ++i) AddBlock(data + i * kBlock, state);
}

#ifdef __x86_64__

bool HasInstructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0;
}

// Ten times faster. The processor wants the state as (a, b, e, f) and
// (c, d, g, h), the first in the highest place, and does two rounds at a time.
__attribute__((target("sha,sse4.1"))) void AddByInstructions(
    const unsigned char* data, size_t blocks, State& state) {
  auto* const words = reinterpret_cast<__m128i*>(state.data());
  const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xB1);
  const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1B);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
  const __m128i big_endian =
      _mm_set_epi64x(0x0C0D0E0F08090A0B, 0x0405060700010203);
  for (; blocks > 0; --blocks, data += kBlock) {
    const __m128i old_abef = abef, old_cdgh = cdgh;
    __m128i w[kRounds / 4];
    for (size_t i = 0; i < kRounds / 4; ++i) {
      if (i < 4) {
        const auto* from = reinterpret_cast<const __m128i*>(data) + i;
        w[i] = _mm_shuffle_epi8(_mm_loadu_si128(from), big_endian);
      } else {
        const __m128i near = _mm_alignr_epi8(w[i - 1], w[i - 2], 4);
        const __m128i far = _mm_sha256msg1_epu32(w[i - 4], w[i - 3]);
        w[i] = _mm_sha256msg2_epu32(_mm_add_epi32(far, near), w[i - 1]);
      }
      const auto* constants =
          reinterpret_cast<const __m128i*>(kConstants.data()) + i;
      const __m128i sum = _mm_add_epi32(w[i], _mm_loadu_si128(constants));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
    }
    abef = _mm_add_epi32(abef, old_abef);
    cdgh = _mm_add_epi32(cdgh, old_cdgh);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128(words, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(words + 1, _mm_alignr_epi8(dchg, feba, 8));
}

AddBlocks Fastest() {
  return HasInstructions() ? AddByInstructions : AddPortably;
}

#else
AddBlocks Fastest() { return AddPortably; }
#endif

std::string Hash(std::string_view bytes, AddBlocks add) {
  State state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const size_t whole = bytes.size() / kBlock;
  add(reinterpret_cast<const unsigned char*>(bytes.data()), whole, state);
  std::string tail(bytes.substr(whole * kBlock));
  tail += '\x80';
  while (tail.size() % kBlock != kBlock - 8) tail += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) {
    tail += static_cast<char>(static_cast<uint64_t>(bytes.size()) * 8 >> shift);
  }
  add(reinterpret_cast<const unsigned char*>(tail.data()), tail.size() / kBlock,
      state);
  std::string text;
  for (const uint32_t word : state) text += fmt::format("{:08x}", word);
  return text;
}

}  // namespace

std::string Sha256(std::string_view bytes) { return Hash(bytes, Fastest()); }

std::string PortableSha256(std::string_view bytes) {
  return Hash(bytes, AddPortably);
}

}  // namespace assay
