#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/byte_reader.h"
#include "base/input_file.h"
#include "base/result.h"

namespace assay {

// An address that stands for "not there".
inline constexpr uint64_t kHdf5Nowhere = ~uint64_t{0};
inline constexpr std::string_view kHdf5Magic = "\x89HDF\r\n\x1a\n";

// An HDF5 file after its first block: how wide its numbers are, and where its
// structures are found. Everything in it is checked before it is used, because
// the format's own library is not safe to use on damaged files.
class Hdf5File {
 public:
  // `input` outlives it.
  static Result<Hdf5File> Open(const InputFile& input);

  const InputFile& input() const { return *input_; }
  uint64_t root() const { return root_; }  // address of the root group
  size_t address_bytes() const { return address_bytes_; }
  size_t length_bytes() const { return length_bytes_; }
  // Where an address is in the file.
  uint64_t Offset(uint64_t address) const { return base_ + address; }

  Result<std::string> Read(uint64_t address, uint64_t length) const;
  // A structure that begins with `letters`.
  Result<std::string> Read(uint64_t address, uint64_t length,
                           std::string_view letters) const;
  // One that ends with a checksum as well.
  Result<std::string> ReadChecked(uint64_t address, uint64_t length,
                                  std::string_view letters) const;
  // What is wrong with the structure at an address.
  Error Damaged(uint64_t address, std::string_view what) const;

 private:
  Status ReadFirstBlock(uint64_t at);

  const InputFile* input_ = nullptr;
  uint64_t base_ = 0;
  uint64_t root_ = 0;
  size_t address_bytes_ = 8, length_bytes_ = 8;
};

// Fields of a structure in memory.
class Hdf5Fields : public ByteReader {
 public:
  // `bytes` stand at `address`.
  Hdf5Fields(const Hdf5File& file, std::string_view bytes, uint64_t address)
      : ByteReader(bytes, file.input().path(), file.Offset(address)),
        file_(file) {}

  uint64_t Number(size_t bytes, std::string_view field);
  uint64_t Address(std::string_view field);
  uint64_t Length(std::string_view field) {
    return Number(file_.length_bytes(), field);
  }

 private:
  const Hdf5File& file_;
};

uint32_t Hdf5Sum(std::string_view bytes);

}  // namespace assay
