#include "base/hdf5_file.h"

#include <algorithm>

namespace assay {
namespace {

constexpr uint64_t kLongestFirstBlock = 128;
constexpr size_t kSumBytes = 4;
constexpr std::string_view kDamaged =
    "the file is damaged or truncated; dump or copy it again";

bool IsWidth(size_t bytes) { return bytes == 2 || bytes == 4 || bytes == 8; }

}  // namespace

uint64_t Hdf5Fields::Number(size_t bytes, std::string_view field) {
  const std::string_view text = Text(bytes, field);
  uint64_t value = 0;
  for (size_t i = 0; i < std::min(text.size(), sizeof value); ++i) {
    value |= static_cast<uint64_t>(static_cast<uint8_t>(text[i])) << 8 * i;
  }
  return value;
}

uint64_t Hdf5Fields::Address(std::string_view field) {
  const size_t bytes = file_.address_bytes();
  const uint64_t value = Number(bytes, field);
  return value == kHdf5Nowhere >> (64 - 8 * bytes) ? kHdf5Nowhere : value;
}

// The first block stands at the start, or behind a block for other programs.
Result<Hdf5File> Hdf5File::Open(const InputFile& input) {
  Hdf5File file;
  file.input_ = &input;
  const uint64_t length = kHdf5Magic.size();
  for (uint64_t at = 0; at + length <= input.size();
       at = at == 0 ? 512 : 2 * at) {
    ASSIGN_OR_RETURN(const std::string magic, input.Text(at, length));
    if (magic != kHdf5Magic) continue;
    RETURN_IF_ERROR(file.ReadFirstBlock(at));
    return file;
  }
  return Corrupt("not an HDF5 file: its signature is missing")
      .At(input.path(), 0)
      .Hint("the file is damaged, or its suffix is wrong");
}

Status Hdf5File::ReadFirstBlock(uint64_t at) {
  base_ = at;
  const uint64_t left = input_->size() - at;
  ASSIGN_OR_RETURN(const std::string bytes,
                   Read(0, std::min(left, kLongestFirstBlock)));
  Hdf5Fields in(*this, bytes, 0);
  in.Skip(kHdf5Magic.size(), "signature");
  const int version = in.U8("version");
  if (in.ok() && version > 3) {
    return Unsupported("HDF5 files of version {}", version)
        .At(input_->path(), at + kHdf5Magic.size());
  }
  if (version < 2) in.Skip(4, "versions");
  address_bytes_ = in.U8("size of addresses");
  length_bytes_ = in.U8("size of lengths");
  if (!in.ok()) return in.error();
  if (!IsWidth(address_bytes_) || !IsWidth(length_bytes_)) {
    return Damaged(0, "its numbers have an impossible size");
  }
  in.Skip(version == 1 ? 13 : version == 0 ? 9 : 1, "tree sizes");
  const uint64_t base = in.Address("base address");
  in.Address("free space or extension");
  const uint64_t end = in.Address("end of file");
  if (version < 2) in.Skip(2 * address_bytes_, "driver");
  root_ = in.Address("root group");
  if (!in.ok()) return in.error();
  if (end < base || end - base > left) {
    return Corrupt("the file ends at byte {}, {} were written", input_->size(),
                   end)
        .At(input_->path(), at)
        .Hint("the file looks truncated; was the dump interrupted?");
  }
  return Done{};
}

Result<std::string> Hdf5File::Read(uint64_t address, uint64_t length) const {
  const uint64_t room = input_->size() - base_;
  if (address > room || length > room - address) {
    return Damaged(std::min(address, room),
                   fmt::format("{} bytes at address {} are not in the file",
                               length, address));
  }
  return input_->Text(Offset(address), length);
}

Result<std::string> Hdf5File::Read(uint64_t address, uint64_t length,
                                   std::string_view letters) const {
  ASSIGN_OR_RETURN(std::string bytes, Read(address, length));
  if (bytes.starts_with(letters)) return bytes;
  return Damaged(address, fmt::format("no '{}' is here", letters));
}

Result<std::string> Hdf5File::ReadChecked(uint64_t address, uint64_t length,
                                          std::string_view letters) const {
  ASSIGN_OR_RETURN(std::string bytes, Read(address, length, letters));
  if (bytes.size() < kSumBytes) return Damaged(address, "it has no checksum");
  const size_t size = bytes.size() - kSumBytes;
  const std::string_view all = bytes;
  Hdf5Fields in(*this, all.substr(size), address + size);
  if (in.U32("checksum") == Hdf5Sum(all.substr(0, size))) return bytes;
  return Damaged(address,
                 fmt::format("the checksum of this '{}' is wrong", letters));
}

Error Hdf5File::Damaged(uint64_t address, std::string_view what) const {
  return Corrupt("{}", what).At(input_->path(), Offset(address)).Hint(kDamaged);
}

}  // namespace assay
