#include "kernel/numpy_random.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace assay {
namespace {

using Words = std::array<uint32_t, 4>;

// A multiplicative hash whose constant moves on with every word.
struct WordHash {
  uint32_t state, factor;

  uint32_t operator()(uint32_t value) {
    value ^= state;
    state *= factor;
    value *= state;
    return value ^ value >> 16;
  }
};

uint32_t Mix(uint32_t x, uint32_t y) {
  const uint32_t mixed = 0xca01f9ddU * x - 0x4973f715U * y;
  return mixed ^ mixed >> 16;
}

Words SeedPool(uint64_t seed) {
  const Words entropy = {static_cast<uint32_t>(seed),
                         static_cast<uint32_t>(seed >> 32), 0, 0};
  WordHash hash{0x43b0d7e5U, 0x931e8875U};
  Words pool{};
  for (size_t i = 0; i < pool.size(); ++i) pool[i] = hash(entropy[i]);
  for (size_t from = 0; from < pool.size(); ++from) {
    for (size_t to = 0; to < pool.size(); ++to) {
      if (from != to) pool[to] = Mix(pool[to], hash(pool[from]));
    }
  }
  return pool;
}

unsigned __int128 Wide(uint64_t high, uint64_t low) {
  return static_cast<unsigned __int128>(high) << 64 | low;
}

constexpr uint64_t kFactorHigh = 0x2360ED051FC65DA4,
                   kFactorLow = 0x4385DF649FCCF645;

// IEEE half, rounded to nearest, ties to even.
uint16_t HalfBits(double value) {
  const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double size = std::fabs(value);
  if (std::isnan(value)) return sign | 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  if (size < 0x1p-14) {  // a denormal, or what becomes the first normal
    return sign | static_cast<uint16_t>(std::nearbyint(size * 0x1p24));
  }
  int exponent = 0;
  std::frexp(size, &exponent);  // size = f 2^exponent, f in [1/2, 1)
  const double steps = std::nearbyint(std::ldexp(size, 11 - exponent));
  // A carry into the exponent is the next power of two.
  return sign | static_cast<uint16_t>(((exponent + 13) << 10) +
                                      static_cast<int>(steps));
}

uint16_t BFloatBits(double value) {
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// Pieces of T from 32-bit draws, the lowest first.
template <typename T>
class Pieces {
 public:
  explicit Pieces(NumpyRandom& random) : random_(random) {}

  T Next() {
    if constexpr (sizeof(T) == 8) {
      return random_.Next64();
    } else if constexpr (sizeof(T) == 4) {
      return random_.Next32();
    } else {
      if (left_ == 0) {
        word_ = random_.Next32();
        left_ = 4 / sizeof(T);
      } else {
        word_ >>= 8 * sizeof(T);
      }
      --left_;
      return static_cast<T>(word_);
    }
  }

 private:
  NumpyRandom& random_;
  uint32_t word_ = 0;
  size_t left_ = 0;
};

// Lemire's method: a draw times the number of values; the upper half is the
// value, the lower half tells whether the draw was one too many.
template <typename T>
class Bounded {
 public:
  using Double = std::conditional_t<
      sizeof(T) == 8, unsigned __int128,
      std::conditional_t<sizeof(T) == 4, uint64_t, uint32_t>>;

  Bounded(NumpyRandom& random, T range) : pieces_(random), range_(range) {}

  T Next() {
    constexpr T kMost = std::numeric_limits<T>::max();
    if (range_ == 0) return 0;
    if (range_ == kMost) return pieces_.Next();
    const T values = static_cast<T>(range_ + 1);
    Double product = static_cast<Double>(pieces_.Next()) * values;
    if (static_cast<T>(product) < values) {
      const T limit = static_cast<T>(static_cast<T>(kMost - range_) % values);
      while (static_cast<T>(product) < limit) {
        product = static_cast<Double>(pieces_.Next()) * values;
      }
    }
    return static_cast<T>(product >> (8 * sizeof(T)));
  }

 private:
  Pieces<T> pieces_;
  T range_;
};

template <typename T, typename Draw>
void Fill(std::span<std::byte> out, const Draw& draw) {
  for (size_t at = 0; at + sizeof(T) <= out.size(); at += sizeof(T)) {
    const T value = draw();
    std::memcpy(out.data() + at, &value, sizeof(T));
  }
}

template <typename T>
Status FillIntegers(const RandomRange& range, std::span<std::byte> out) {
  using Limits = std::numeric_limits<T>;
  using Unsigned = std::make_unsigned_t<T>;
  const double past = std::ldexp(1.0, Limits::digits);  // max + 1
  const bool fits = range.low >= static_cast<double>(Limits::min()) &&
                    range.high < past && range.low <= range.high;
  if (!fits) {
    return Usage("the range {} to {} is not one of {}-bit integers", range.low,
                 range.high, 8 * sizeof(T));
  }
  const T low = static_cast<T>(range.low), high = static_cast<T>(range.high);
  const auto width = static_cast<Unsigned>(static_cast<Unsigned>(high) -
                                           static_cast<Unsigned>(low));
  NumpyRandom random(range.seed);
  const auto draw = [&](auto&& bounded) {
    Fill<Unsigned>(out, [&] {
      return static_cast<Unsigned>(static_cast<Unsigned>(low) + bounded.Next());
    });
    return Done{};
  };
  // 64-bit types draw 32 bits where those are enough.
  if (sizeof(T) == 8 && width <= std::numeric_limits<uint32_t>::max()) {
    return draw(Bounded<uint32_t>(random, static_cast<uint32_t>(width)));
  }
  return draw(Bounded<Unsigned>(random, width));
}

// Bits of 32-bit draws, the lowest first.
Status FillBools(const RandomRange& range, std::span<std::byte> out) {
  NumpyRandom random(range.seed);
  uint32_t word = 0;
  int left = 0;
  const bool both = range.low < 1 && range.high >= 1;
  Fill<uint8_t>(out, [&] {
    if (!both) return static_cast<uint8_t>(range.low >= 1);
    if (left == 0) {
      word = random.Next32();
      left = 32;
    } else {
      word >>= 1;
    }
    --left;
    return static_cast<uint8_t>(word & 1);
  });
  return Done{};
}

template <typename T, typename Cast>
Status FillReals(const RandomRange& range, std::span<std::byte> out,
                 const Cast& cast) {
  const double width = range.high - range.low;
  if (!std::isfinite(width)) {
    return Usage("the range {} to {} is not finite", range.low, range.high);
  }
  NumpyRandom random(range.seed);
  Fill<T>(out, [&] { return cast(range.low + width * random.Uniform()); });
  return Done{};
}

}  // namespace

NumpyRandom::NumpyRandom(uint64_t seed) {
  const Words pool = SeedPool(seed);
  WordHash hash{0x8b51f9ddU, 0x58f38dedU};
  uint64_t values[4] = {};
  for (size_t i = 0; i < 8; ++i) {
    values[i / 2] |= static_cast<uint64_t>(hash(pool[i % 4])) << 32 * (i % 2);
  }
  increment_ = Wide(values[2], values[3]) << 1 | 1;
  Step();
  state_ += Wide(values[0], values[1]);
  Step();
}

void NumpyRandom::Step() {
  state_ = state_ * Wide(kFactorHigh, kFactorLow) + increment_;
}

uint64_t NumpyRandom::Next64() {
  Step();
  const auto high = static_cast<uint64_t>(state_ >> 64);
  return std::rotr(high ^ static_cast<uint64_t>(state_),
                   static_cast<int>(high >> 58));
}

uint32_t NumpyRandom::Next32() {
  has_kept_ = !has_kept_;
  if (!has_kept_) return kept_;
  const uint64_t both = Next64();
  kept_ = static_cast<uint32_t>(both >> 32);
  return static_cast<uint32_t>(both);
}

RandomRange DefaultRange(DType dtype, uint64_t seed) {
  const bool integer = Info(dtype).kind == DKind::kInteger;
  return {.seed = seed, .low = 0, .high = integer ? 100.0 : 1.0};
}

Status FillRandom(DType dtype, const RandomRange& range,
                  std::span<std::byte> out) {
  switch (dtype) {
    case DType::kF64:
      return FillReals<double>(range, out, [](double x) { return x; });
    case DType::kF32:
      return FillReals<float>(range, out,
                              [](double x) { return static_cast<float>(x); });
    case DType::kF16:
      return FillReals<uint16_t>(range, out, HalfBits);
    case DType::kBF16:
      return FillReals<uint16_t>(range, out, BFloatBits);
    case DType::kI64:
      return FillIntegers<int64_t>(range, out);
    case DType::kI32:
      return FillIntegers<int32_t>(range, out);
    case DType::kI16:
      return FillIntegers<int16_t>(range, out);
    case DType::kI8:
      return FillIntegers<int8_t>(range, out);
    case DType::kU64:
      return FillIntegers<uint64_t>(range, out);
    case DType::kU32:
      return FillIntegers<uint32_t>(range, out);
    case DType::kU16:
      return FillIntegers<uint16_t>(range, out);
    case DType::kU8:
      return FillIntegers<uint8_t>(range, out);
    case DType::kBool:
      return FillBools(range, out);
    default:
      return Unsupported("no random values of type {}", Name(dtype))
          .Hint("give a file with them: --input NAME=FILE");
  }
}

}  // namespace assay
