#include "kernel/hdf5_filters.h"

#include <gtest/gtest.h>
#include <zlib.h>

namespace assay {
namespace {

using namespace std::string_literals;

constexpr Hdf5Pipeline::Step kDeflate = {Hdf5Filter::kDeflate};
constexpr Hdf5Pipeline::Step kShuffle2 = {Hdf5Filter::kShuffle, 2};
constexpr Hdf5Pipeline::Step kSum = {Hdf5Filter::kFletcher32};

std::string Zlib(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  compress(reinterpret_cast<Bytef*>(out.data()), &size,
           reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  out.resize(size);
  return out;
}

std::string Decoded(std::string stored, std::vector<Hdf5Pipeline::Step> steps,
                    uint64_t chunk, uint32_t skipped = 0) {
  auto values =
      DecodeHdf5Chunk(std::move(stored), {std::move(steps), chunk}, skipped);
  return values ? *values : "error: " + values.error().what;
}

// The sum of "abcde": 0x6162 + 0x6364 + 0x6500.
const std::string kSummed = "abcde\xc7\x29\xf0\x4f"s;

TEST(Hdf5Filters, UndoWhatWasDone) {
  EXPECT_EQ(Decoded("abcd", {}, 4), "abcd");
  EXPECT_EQ(Decoded(Zlib("abcd"), {kDeflate}, 4), "abcd");
  EXPECT_EQ(Decoded("acbd", {kShuffle2}, 4), "abcd");
  EXPECT_EQ(Decoded("acbde", {kShuffle2}, 5), "abcde");  // a byte is left over
  EXPECT_EQ(Decoded(Zlib("acbd"), {kShuffle2, kDeflate}, 4), "abcd");
  EXPECT_EQ(Decoded("acbd", {kShuffle2, kDeflate}, 4, 2), "abcd");
  EXPECT_EQ(Decoded("abcd", {kShuffle2, kDeflate}, 4, 3), "abcd");
  EXPECT_EQ(Decoded(kSummed, {kSum}, 5), "abcde");
  EXPECT_EQ(Decoded(Zlib(kSummed), {kSum, kDeflate}, 5), "abcde");
}

TEST(Hdf5Filters, SayWhatIsWrong) {
  const std::string damaged = "error: a compressed chunk is damaged";
  EXPECT_EQ(Decoded("abc", {}, 4), "error: a chunk holds 3 bytes, 4 wanted");
  EXPECT_EQ(Decoded("garbage", {kDeflate}, 4), damaged);
  EXPECT_EQ(Decoded("", {kDeflate}, 4), damaged);
  EXPECT_EQ(Decoded(Zlib("abcd").substr(0, 9), {kDeflate}, 4), damaged);
  EXPECT_EQ(Decoded(Zlib("abc"), {kDeflate}, 4),
            "error: a chunk holds 3 bytes, 4 wanted");
  // A bomb is not unpacked.
  EXPECT_EQ(Decoded(Zlib(std::string(1 << 24, '\0')), {kDeflate}, 4), damaged);
  // Nor is room made for what cannot come.
  EXPECT_EQ(Decoded(Zlib("abcd"), {kDeflate}, uint64_t{1} << 40),
            "error: 12 compressed bytes cannot be a chunk of 1099511627780");
  EXPECT_EQ(Decoded("abc", {kSum}, 4), "error: a chunk lacks its checksum");
  std::string changed = kSummed;
  changed[0] = 'b';
  EXPECT_EQ(Decoded(changed, {kSum}, 5),
            "error: the checksum of a chunk does not match");
}

}  // namespace
}  // namespace assay
