#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "base/input_file.h"
#include "core/stored_view.h"
#include "kernel/block_source.h"
#include "temp_file.h"

namespace assay {

inline std::string Deflated(std::string bytes, int level = 6) {
  z_stream zlib = {};
  deflateInit2(&zlib, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&zlib, bytes.size()), '\0');
  zlib.next_in = reinterpret_cast<Bytef*>(bytes.data());
  zlib.avail_in = static_cast<uInt>(bytes.size());
  zlib.next_out = reinterpret_cast<Bytef*>(out.data());
  zlib.avail_out = static_cast<uInt>(out.size());
  deflate(&zlib, Z_FINISH);
  out.resize(zlib.total_out);
  deflateEnd(&zlib);
  return out;
}

inline uint32_t Crc(const std::string& bytes) {
  return static_cast<uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()),
            static_cast<uInt>(bytes.size())));
}

inline std::string Varint(uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}

// Elements of `width` bytes, each as a varint.
inline std::string Varints(const std::string& bytes, size_t width) {
  std::string out;
  for (size_t at = 0; at < bytes.size(); at += width) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, width);
    out += Varint(value);
  }
  return out;
}

inline std::string Swapped(std::string bytes, size_t width) {
  for (size_t at = 0; at + width <= bytes.size(); at += width) {
    std::reverse(bytes.data() + at, bytes.data() + at + width);
  }
  return bytes;
}

// Row-major elements of a matrix in column-major order.
inline std::string Transposed(const std::string& bytes, size_t rows,
                              size_t columns, size_t width) {
  std::string out;
  for (size_t c = 0; c < columns; ++c) {
    for (size_t r = 0; r < rows; ++r) {
      out += bytes.substr((r * columns + c) * width, width);
    }
  }
  return out;
}

// A tensor in a file of its own, `before` bytes into it.
class Stored {
 public:
  Stored(DType dtype, Shape shape, const std::string& bytes, size_t before = 8)
      : temp_(std::make_unique<TempFile>(
            ".bin", std::string(before, 'h') + bytes + "tail")),
        input_(*InputFile::Open(temp_->path())) {
    tensor.dtype = dtype;
    tensor.shape = std::move(shape);
    tensor.extent = {.offset = before, .length = bytes.size()};
  }

  // The same tensor after a few bytes of a header, compressed.
  static Stored Compressed(DType dtype, Shape shape, const std::string& bytes) {
    Stored out(dtype, std::move(shape), Deflated("head" + bytes));
    out.tensor.extent.encoding = Encoding::kDeflate;
    out.tensor.extent.skip = 4;
    out.tensor.extent.crc = Crc("head" + bytes);
    return out;
  }
  static Stored Packed(DType dtype, Shape shape, const std::string& bytes) {
    const size_t width = Info(dtype).bits / 8u;
    Stored out(dtype, std::move(shape), Varints(bytes, width));
    out.tensor.extent.encoding = Encoding::kVarint;
    return out;
  }
  Stored BigEndian() && {
    tensor.big_endian = true;
    return std::move(*this);
  }
  Stored ColumnMajor() && {
    tensor.strides = ColumnMajorStrides(tensor.shape);
    return std::move(*this);
  }

  // Its elements stand where the map says.
  Stored MappedBy(ElementMap map) && {
    map_ = std::move(map);
    return std::move(*this);
  }

  const InputFile& file() const { return input_; }
  // Valid as long as this object stays where it is.
  const OpenView& open() const {
    if (!open_) {
      view_ = std::make_unique<StoredView>(PlainView(temp_->path(), tensor));
      if (map_) view_->shape = map_->shape(), view_->map = map_;
      open_ = std::make_unique<OpenView>(*OpenView::Open(*view_));
    }
    return *open_;
  }
  void Truncate(size_t length) const { temp_->Truncate(length); }

  StoredTensor tensor;

 private:
  std::unique_ptr<TempFile> temp_;
  InputFile input_;
  std::optional<ElementMap> map_;
  mutable std::unique_ptr<StoredView> view_;
  mutable std::unique_ptr<OpenView> open_;
};

}  // namespace assay
