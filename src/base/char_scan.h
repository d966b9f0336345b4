#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace assay {

// The inner loops of the readers of JSON and text: eight bytes at a time.
static_assert(std::endian::native == std::endian::little);

inline constexpr uint64_t kEightOnes = 0x0101010101010101;

inline uint64_t EightBytes(const char* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// Behind the spaces: half of an indented file is runs of them.
inline const char* PassSpaces(const char* at, const char* end) {
  for (; end - at >= 8; at += 8) {
    const uint64_t others = EightBytes(at) ^ kEightOnes * ' ';
    if (others != 0) return at + std::countr_zero(others) / 8;
  }
  while (at != end && *at == ' ') ++at;
  return at;
}

// The first quote, backslash or control character.
inline const char* FindStringStop(const char* at, const char* end, char quote) {
  // High bits set in the bytes that are zero; above the first such byte more
  // may be set.
  const auto zeros = [](uint64_t word) { return (word - kEightOnes) & ~word; };
  const uint64_t quotes = kEightOnes * static_cast<uint8_t>(quote);
  for (; end - at >= 8; at += 8) {
    const uint64_t word = EightBytes(at);
    const uint64_t control = (word - kEightOnes * 0x20) & ~word;
    const uint64_t stops =
        (zeros(word ^ quotes) | zeros(word ^ kEightOnes * '\\') | control) &
        kEightOnes << 7;
    if (stops != 0) return at + std::countr_zero(stops) / 8;
  }
  while (at != end && *at != quote && *at != '\\' &&
         static_cast<uint8_t>(*at) >= 0x20) {
    ++at;
  }
  return at;
}

}  // namespace assay
