#include "kernel/hdf5_filters.h"

#include <zlib.h>

#include <algorithm>

namespace assay {
namespace {

constexpr size_t kSumBytes = 4;  // what kFletcher32 puts behind the values

Result<std::string> Inflate(const std::string& in, size_t limit) {
  constexpr size_t kMostPerByte = 1032;
  if (limit / kMostPerByte > in.size()) {
    return Corrupt("{} compressed bytes cannot be a chunk of {}", in.size(),
                   limit);
  }
  std::string out(limit, '\0');
  z_stream zlib = {};
  inflateInit(&zlib);
  zlib.next_in =
      reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));  // NOLINT
  zlib.avail_in = static_cast<uInt>(in.size());
  zlib.next_out = reinterpret_cast<Bytef*>(out.data());
  zlib.avail_out = static_cast<uInt>(out.size());
  const int result = inflate(&zlib, Z_FINISH);
  out.resize(zlib.total_out);
  inflateEnd(&zlib);
  if (result != Z_STREAM_END) return Corrupt("a compressed chunk is damaged");
  return out;
}

// Stored are all first bytes of the elements, then all second ones; bytes that
// make no whole element follow as they are.
std::string Unshuffle(const std::string& in, size_t width) {
  const size_t count = width > 0 ? in.size() / width : 0;
  std::string out = in;
  for (size_t k = 0; k < width && count > 1; ++k) {
    for (size_t i = 0; i < count; ++i) out[i * width + k] = in[k * count + i];
  }
  return out;
}

// Sums of big-endian 16-bit words, modulo 65535.
uint32_t Fletcher32(const std::string& in, size_t size) {
  uint64_t low = 0, high = 0;
  for (size_t i = 0; i < size; i += 2) {
    const auto first = static_cast<uint8_t>(in[i]);
    const auto second = i + 1 < size ? static_cast<uint8_t>(in[i + 1]) : 0;
    low = (low + (first << 8 | second)) % 65535;
    high = (high + low) % 65535;
  }
  return static_cast<uint32_t>(high << 16 | low);
}

// The library's own sums say 65535 where ours say 0.
bool SameSum(uint32_t a, uint32_t b) {
  return (a & 0xffff) % 65535 == (b & 0xffff) % 65535 &&
         (a >> 16) % 65535 == (b >> 16) % 65535;
}

Result<std::string> CheckSum(std::string in) {
  if (in.size() < kSumBytes) return Corrupt("a chunk lacks its checksum");
  const size_t size = in.size() - kSumBytes;
  uint32_t sum = 0;
  for (size_t i = 0; i < kSumBytes; ++i) {
    sum |= static_cast<uint32_t>(static_cast<uint8_t>(in[size + i])) << 8 * i;
  }
  if (!SameSum(sum, Fletcher32(in, size))) {
    return Corrupt("the checksum of a chunk does not match");
  }
  in.resize(size);
  return in;
}

Result<std::string> Undo(Hdf5Pipeline::Step step, std::string in,
                         size_t limit) {
  switch (step.filter) {
    case Hdf5Filter::kDeflate:
      return Inflate(in, limit);
    case Hdf5Filter::kShuffle:
      return Unshuffle(in, step.width);
    case Hdf5Filter::kFletcher32:
      return CheckSum(std::move(in));
  }
  return Internal("no such filter");
}

}  // namespace

Result<std::string> DecodeHdf5Chunk(std::string stored,
                                    const Hdf5Pipeline& pipeline,
                                    uint32_t skipped) {
  // Checksums of earlier steps still stand behind the values.
  const size_t limit = pipeline.chunk + kSumBytes * pipeline.steps.size();
  for (size_t i = pipeline.steps.size(); i-- > 0;) {
    if (i < 32 && (skipped >> i & 1) != 0) continue;
    ASSIGN_OR_RETURN(stored, Undo(pipeline.steps[i], std::move(stored), limit));
  }
  if (stored.size() == pipeline.chunk) return stored;
  return Corrupt("a chunk holds {} bytes, {} wanted", stored.size(),
                 pipeline.chunk);
}

}  // namespace assay
