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

// High bits set in the bytes that are `c`; above the first such byte more may
// be set.
inline uint64_t BytesEqual(uint64_t word, char c) {
  const uint64_t zeros = word ^ kEightOnes * static_cast<uint8_t>(c);
  return (zeros - kEightOnes) & ~zeros;
}

// The same for quotes, backslashes and control characters.
inline uint64_t StringStops(uint64_t word, char quote) {
  const uint64_t control = (word - kEightOnes * 0x20) & ~word;
  return BytesEqual(word, quote) | BytesEqual(word, '\\') | control;
}

// The first quote, backslash or control character.
inline const char* FindStringStop(const char* at, const char* end, char quote) {
  for (; end - at >= 8; at += 8) {
    const uint64_t stops = StringStops(EightBytes(at), quote) & kEightOnes << 7;
    if (stops != 0) return at + std::countr_zero(stops) / 8;
  }
  while (at != end && *at != quote && *at != '\\' &&
         static_cast<uint8_t>(*at) >= 0x20) {
    ++at;
  }
  return at;
}

// What JSON writes as it is.
inline bool IsPlain(char c) {
  return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

// The first character that is not plain.
inline const char* PassPlain(const char* at, const char* end) {
  for (; end - at >= 8; at += 8) {
    const uint64_t word = EightBytes(at);
    const uint64_t stops =
        (StringStops(word, '"') | BytesEqual(word, 0x7f) | word) & kEightOnes
                                                                       << 7;
    if (stops != 0) return at + std::countr_zero(stops) / 8;
  }
  while (at != end && IsPlain(*at)) ++at;
  return at;
}

}  // namespace assay
