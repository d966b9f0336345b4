#include "kernel/byte_stream.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "kernel/base64_stream.h"
#include "kernel/hdf5_stream.h"

namespace assay {
namespace {

constexpr size_t kPiece = 256 << 10;

// Hands out the stored bytes of an extent piece by piece.
class Pieces {
 public:
  Pieces(const InputFile& file, const Extent& extent)
      : file_(file), at_(extent.offset), end_(extent.offset + extent.length) {}

  uint64_t at() const { return at_; }
  const InputFile& file() const { return file_; }

  // Empty at the end.
  Result<std::span<std::byte>> Next() {
    buffer_.resize(std::min<uint64_t>(kPiece, end_ - at_));
    const auto bytes = std::as_writable_bytes(std::span(buffer_));
    RETURN_IF_ERROR(file_.ReadAt(at_, bytes));
    at_ += bytes.size();
    return bytes;
  }

 private:
  const InputFile& file_;
  uint64_t at_, end_;
  std::string buffer_;
};

// A raw deflate stream, checked against its CRC when it ends.
class InflateStream : public ByteStream {
 public:
  InflateStream(const InputFile& file, const StoredTensor& tensor)
      : pieces_(file, tensor.extent), extent_(tensor.extent) {
    inflateInit2(&zlib_, -MAX_WBITS);
  }
  ~InflateStream() override { inflateEnd(&zlib_); }
  InflateStream(const InflateStream&) = delete;
  InflateStream& operator=(const InflateStream&) = delete;

  Status Read(std::span<std::byte> out) override {
    if (!started_) RETURN_IF_ERROR(SkipHeader());
    return Inflate(out);
  }

  Status Finish() override {
    if (!started_) RETURN_IF_ERROR(SkipHeader());
    std::byte extra;
    while (!ended_) {
      RETURN_IF_ERROR(Step({&extra, 1}));
      if (made_ > 0) return Damaged("more data than the header promises");
    }
    if (crc_ != extent_.crc) return Damaged("the checksum does not match");
    return Done{};
  }

 private:
  Status SkipHeader() {
    started_ = true;
    std::string header(extent_.skip, '\0');
    return Inflate(std::as_writable_bytes(std::span(header)));
  }

  Status Inflate(std::span<std::byte> out) {
    while (!out.empty()) {
      if (ended_) return Damaged("the compressed data end early");
      RETURN_IF_ERROR(Step(out.first(std::min<size_t>(out.size(), 1u << 30))));
      out = out.subspan(made_);
    }
    return Done{};
  }

  // One call of zlib; leaves the number of bytes made in `made_`.
  Status Step(std::span<std::byte> out) {
    if (zlib_.avail_in == 0) RETURN_IF_ERROR(Refill());
    auto* const bytes = reinterpret_cast<Bytef*>(out.data());
    zlib_.next_out = bytes;
    zlib_.avail_out = static_cast<uInt>(out.size());
    const int result = inflate(&zlib_, Z_NO_FLUSH);
    made_ = out.size() - zlib_.avail_out;
    crc_ = static_cast<uint32_t>(crc32(crc_, bytes, static_cast<uInt>(made_)));
    ended_ = result == Z_STREAM_END;
    if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR) {
      return Done{};
    }
    return Damaged("the compressed data are damaged");
  }

  Status Refill() {
    ASSIGN_OR_RETURN(const std::span<std::byte> piece, pieces_.Next());
    if (piece.empty()) return Damaged("the compressed data end early");
    zlib_.next_in = reinterpret_cast<Bytef*>(piece.data());
    zlib_.avail_in = static_cast<uInt>(piece.size());
    return Done{};
  }

  Error Damaged(std::string_view what) const {
    return Corrupt("{}", what)
        .At(pieces_.file().path(), pieces_.at() - zlib_.avail_in)
        .Hint("the archive is damaged; dump or copy it again");
  }

  Pieces pieces_;
  const Extent extent_;
  z_stream zlib_ = {};
  uint32_t crc_ = 0;
  size_t made_ = 0;
  bool started_ = false, ended_ = false;
};

// Packed varints; each becomes the low bytes of one element.
class VarintStream : public ByteStream {
 public:
  VarintStream(const InputFile& file, const StoredTensor& tensor)
      : pieces_(file, tensor.extent),
        width_(std::max<size_t>(1, Info(tensor.dtype).bits / 8)) {}

  Status Read(std::span<std::byte> out) override {
    for (size_t i = 0; i + width_ <= out.size(); i += width_) {
      ASSIGN_OR_RETURN(const uint64_t value, Varint());
      std::memcpy(out.data() + i, &value, width_);
    }
    return Done{};
  }

 private:
  Result<uint64_t> Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at_ == piece_.size()) {
        ASSIGN_OR_RETURN(piece_, pieces_.Next());
        at_ = 0;
        if (piece_.empty()) break;
      }
      const auto byte = std::to_integer<uint64_t>(piece_[at_++]);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return Corrupt("the packed values end early")
        .At(pieces_.file().path(), pieces_.at());
  }

  Pieces pieces_;
  size_t width_;
  std::span<std::byte> piece_;
  size_t at_ = 0;
};

}  // namespace

Result<std::unique_ptr<ByteStream>> OpenStream(const InputFile& file,
                                               const StoredTensor& tensor) {
  switch (tensor.extent.encoding) {
    case Encoding::kDeflate:
      return std::make_unique<InflateStream>(file, tensor);
    case Encoding::kVarint:
      return std::make_unique<VarintStream>(file, tensor);
    case Encoding::kBase64:
      return OpenBase64(file, tensor);
    case Encoding::kHdf5:
      return OpenHdf5Stream(file, tensor);
    case Encoding::kRaw:
      break;
  }
  return Internal("raw bytes need no stream");
}

}  // namespace assay
