// The block that describes a heap:
//   0  4    "FRHP"
//   4  1    version
//   5  2+2  bytes of an identifier, of encoded filters
//   9  1    flags
//   10 4    largest object in a block
//   .. ..   numbers of no use here: 10 lengths and 2 addresses
//   .. 2    blocks per row
//   .. ..   two lengths: smallest and largest block with objects
//   .. 2+2  bits of an offset, rows to start with
//   .. ..   address of the root; 2 bytes: its rows; sum
#include "base/hdf5_heap.h"

#include <algorithm>
#include <bit>

namespace assay {
namespace {

uint64_t Log2(uint64_t value) {
  return static_cast<uint64_t>(std::bit_width(value)) - 1;
}

}  // namespace

Result<Hdf5Heap> Hdf5Heap::Open(const Hdf5File& file, uint64_t address) {
  Hdf5Heap heap(file);
  heap.address_ = address;
  const uint64_t length =
      26 + 12 * file.length_bytes() + 3 * file.address_bytes();
  ASSIGN_OR_RETURN(const std::string head, file.Read(address, 9, "FRHP"));
  Hdf5Fields first(file, head, address);
  first.Skip(7, "signature");
  if (first.U16("filters") != 0) {
    return Unsupported("a heap that is compressed")
        .At(file.input().path(), file.Offset(address));
  }
  ASSIGN_OR_RETURN(const std::string bytes,
                   file.ReadChecked(address, length, "FRHP"));
  Hdf5Fields in(file, bytes, address);
  in.Skip(10, "signature");
  const uint64_t largest_object = in.U32("largest object");
  in.Skip(10 * file.length_bytes() + 2 * file.address_bytes(), "numbers");
  heap.width_ = in.U16("blocks per row");
  heap.first_ = in.Length("smallest block");
  heap.largest_ = in.Length("largest block");
  const uint64_t bits = in.U16("bits of an offset");
  in.Skip(2, "rows");
  heap.root_ = in.Address("root");
  heap.rows_ = in.U16("rows of the root");
  if (!in.ok()) return in.error();
  if (!std::has_single_bit(heap.width_) || !std::has_single_bit(heap.first_) ||
      !std::has_single_bit(heap.largest_) || heap.largest_ < heap.first_ ||
      heap.largest_ > UINT32_MAX || bits == 0 || bits > 64) {
    return file.Damaged(address, "its blocks have impossible sizes");
  }
  heap.offset_bytes_ = (bits + 7) / 8;
  heap.size_bytes_ =
      std::min((Log2(heap.largest_) + 7) / 8,
               Log2(std::max<uint64_t>(1, largest_object)) / 8 + 1);
  return heap;
}

Result<std::string> Hdf5Heap::Object(std::string_view id) const {
  Hdf5Fields in(*file_, id, address_);
  if ((in.U8("kind") & 0x30) != 0) {
    return Unsupported("an object outside the blocks of a heap")
        .At(file_->input().path(), file_->Offset(address_));
  }
  const uint64_t offset = in.Number(offset_bytes_, "offset");
  const uint64_t size = in.Number(size_bytes_, "size");
  if (!in.ok()) return in.error();
  ASSIGN_OR_RETURN(const Place place, Find(offset));
  if (size > place.left) {
    return file_->Damaged(address_, "an object leaves its block");
  }
  return file_->Read(place.address, size);
}

// Rows 0 and 1 have blocks of the first size, each later row of twice the one
// before. Blocks beyond the largest are tables of smaller ones themselves.
Result<Hdf5Heap::Place> Hdf5Heap::Find(uint64_t offset) const {
  uint64_t block = root_, rows = rows_, size = first_;
  const uint64_t first_row = first_ * width_;
  while (rows > 0) {
    const uint64_t row = offset < first_row ? 0 : Log2(offset / first_row) + 1;
    if (row >= rows) return file_->Damaged(block, "an object is in no block");
    const uint64_t before = row == 0 ? 0 : first_row << (row - 1);
    size = row == 0 ? first_ : first_ << (row - 1);
    const uint64_t entry = row * width_ + (offset - before) / size;
    const uint64_t skip = 5 + file_->address_bytes() + offset_bytes_ +
                          entry * file_->address_bytes();
    RETURN_IF_ERROR(file_->Read(block, 4, "FHIB"));
    ASSIGN_OR_RETURN(const std::string bytes,
                     file_->Read(block + skip, file_->address_bytes()));
    offset = (offset - before) % size;
    block = Hdf5Fields(*file_, bytes, block + skip).Address("block");
    if (size <= largest_) break;
    if (size < first_row) {
      return file_->Damaged(block, "a table of blocks is too small");
    }
    rows = Log2(size / first_row) + 1;
  }
  RETURN_IF_ERROR(file_->Read(block, 4, "FHDB"));
  if (offset >= size) return file_->Damaged(block, "an object is in no block");
  return Place{block + offset, size - offset};
}

}  // namespace assay
