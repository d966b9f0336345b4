// Offline model (.om): a header, then one or more models, each a table and
// what the table lists. Little endian.
//     0  4   magic "IMOD"; a bundle has zeros
//     4  4   header size, 256
//     8  4   version, 0x10000000 or 0x20000000
//    76  4   bytes behind the header, if 184 is 0
//    80  1   1: encrypted
//    82  1   kind of model
//    84  32  name
//   156  4   number of models, in version 2
//   184  8   bytes behind the header, in version 2; the whole file of a bundle
//   193  1   1: dynamic shapes
//   256      u32 count, then {u32 type, offset, size}, or padded to 64 bits
#include "graphs/om_file.h"

#include "base/byte_reader.h"

namespace assay {
namespace {

constexpr uint64_t kHeader = 256;
constexpr uint32_t kMagic = 0x444F4D49, kVersion1 = 0x10000000,
                   kVersion2 = 0x20000000;
constexpr uint32_t kMostPartitions = 8, kMostFlowPartitions = 4096;

bool IsBundleHead(std::string_view head) {
  return head.size() > 82 && head.find_first_not_of('\0') >= 4 &&
         head[82] == static_cast<char>(OmType::kBundle);
}

class Frame {
 public:
  Frame(std::string_view bytes, std::string_view path, uint64_t base)
      : bytes_(bytes), path_(path), base_(base) {}

  Result<OmFile> Read();

 private:
  Status Header();
  Status Lengths(uint32_t length, uint64_t model_length);
  Result<OmModel> Model(uint64_t& at) const;
  Error Damaged(std::string what, uint64_t at) const;
  uint64_t Number(uint64_t at, size_t bytes) const;

  std::string_view bytes_, path_;
  uint64_t base_;
  OmFile file_;
  uint32_t count_ = 1;
};

Error Frame::Damaged(std::string what, uint64_t at) const {
  return Corrupt("{}", what)
      .At(path_, base_ + at)
      .Hint("the model file looks damaged or cut off; copy it again");
}

uint64_t Frame::Number(uint64_t at, size_t bytes) const {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i) {
    value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes_[at + i]))
             << (8 * i);
  }
  return value;
}

// Files that are known and not read.
Status CheckFamily(std::string_view bytes, std::string_view path) {
  if (bytes.starts_with("PK\x03\x04")) {
    return Unsupported("an OM2 model (ZIP) has no graph of this kind")
        .At(path)
        .Hint("give the ge_proto text or the JSON of the model instead");
  }
  if (bytes.starts_with("PICO")) {
    return Unsupported("a PICO model is of another product line").At(path);
  }
  return Done{};
}

Status Frame::Header() {
  RETURN_IF_ERROR(CheckFamily(bytes_, path_));
  if (bytes_.size() < kHeader) {
    return Damaged(fmt::format("the header needs {} bytes, {} are there",
                               kHeader, bytes_.size()),
                   0);
  }
  const bool bundle = IsBundleHead(bytes_);
  file_.type = static_cast<uint8_t>(bytes_[82]);
  if (!bundle && Number(0, 4) != kMagic) {
    return Damaged("not an offline model: 'IMOD' expected", 0);
  }
  if (!bundle && Number(4, 4) != kHeader) {
    return Damaged(
        fmt::format("header size {} instead of {}", Number(4, 4), kHeader), 4);
  }
  file_.version = static_cast<uint32_t>(bundle ? kVersion2 : Number(8, 4));
  if (file_.version != kVersion1 && file_.version != kVersion2) {
    return Damaged(fmt::format("unknown version {:#x}", file_.version), 8);
  }
  if (bytes_[80] == 1) {
    return Unsupported("the model is encrypted")
        .At(path_, base_ + 80)
        .Hint("convert it again without encryption");
  }
  const std::string_view name = bytes_.substr(84, 32);
  file_.name = name.substr(0, name.find('\0'));
  const bool second = file_.version == kVersion2;
  file_.dynamic = second && bytes_[193] == 1;
  if (second && Number(156, 4) > 1) {
    count_ = static_cast<uint32_t>(Number(156, 4));
  }
  return Lengths(static_cast<uint32_t>(Number(76, 4)),
                 second ? Number(184, 8) : 0);
}

Status Frame::Lengths(uint32_t length, uint64_t model_length) {
  const uint64_t present = bytes_.size() - kHeader;
  file_.body = model_length != 0 ? model_length : length;
  if (file_.Is(OmType::kBundle)) {
    if (model_length < kHeader) {
      return Damaged("a bundle that does not say its size", 184);
    }
    file_.body = model_length - kHeader;
  }
  file_.wide = model_length != 0 || file_.Is(OmType::kFlow);
  if (file_.body == present) return Done{};
  return Damaged(fmt::format("the header says {} bytes, {} are there",
                             kHeader + file_.body, bytes_.size()),
                 model_length != 0 ? 184 : 76);
}

Result<OmModel> Frame::Model(uint64_t& at) const {
  const uint64_t start = at;
  ByteReader in(bytes_.substr(at), path_, base_ + at);
  OmModel model = {.table_at = at};
  const uint32_t count = in.U32("number of partitions");
  if (file_.wide) in.U32("padding");
  if (!in.ok()) return in.error();
  const uint32_t most =
      file_.Is(OmType::kFlow) ? kMostFlowPartitions : kMostPartitions;
  if (count == 0 || (count > most && !file_.Is(OmType::kBundle))) {
    return Damaged(
        fmt::format("{} partitions; 1 to {} are possible", count, most), start);
  }
  const uint64_t entry = file_.wide ? 24 : 12;
  if (count > in.left() / entry) {
    return Damaged(
        fmt::format("a table of {} partitions in {} bytes", count, in.left()),
        start);
  }
  const uint64_t table = (file_.wide ? 8 : 4) + count * entry;
  const uint64_t first = file_.Is(OmType::kBundle) ? table : 0;
  at += table;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t here = in.offset() - base_;
    OmPartition part = {.type = in.U32("type"), .at = at};
    if (file_.wide) in.U32("padding");
    const uint64_t offset = file_.wide ? in.U64("offset") : in.U32("offset");
    part.size = file_.wide ? in.U64("size") : in.U32("size");
    if (part.size > bytes_.size() - at) {
      return Damaged(fmt::format("partition {} (type {}) needs {} bytes, {} "
                                 "are left",
                                 i, part.type, part.size, bytes_.size() - at),
                     here);
    }
    if (offset != first + (at - start - table)) {
      return Damaged(fmt::format("partition {} (type {}) is said to begin at "
                                 "{}, not behind the one before",
                                 i, part.type, offset),
                     here);
    }
    at += part.size;
    model.partitions.push_back(part);
  }
  return model;
}

Result<OmFile> Frame::Read() {
  RETURN_IF_ERROR(Header());
  uint64_t at = kHeader;
  for (uint32_t i = 0; i < count_; ++i) {
    if (at == bytes_.size()) {
      return Damaged(
          fmt::format("the header says {} models, {} are there", count_, i),
          156);
    }
    ASSIGN_OR_RETURN(OmModel model, Model(at));
    file_.models.push_back(std::move(model));
  }
  if (at == bytes_.size()) return std::move(file_);
  return Damaged(
      fmt::format("{} bytes behind the last partition", bytes_.size() - at),
      at);
}

}  // namespace

bool LooksLikeOm(std::string_view head) {
  return head.starts_with("IMOD") || head.starts_with("PICO") ||
         IsBundleHead(head);
}

Result<OmFile> ReadOmFile(std::string_view bytes, std::string_view path,
                          uint64_t base) {
  return Frame(bytes, path, base).Read();
}

}  // namespace assay
