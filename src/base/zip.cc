#include "base/zip.h"

#include <algorithm>

#include "base/byte_reader.h"
#include "base/text.h"
#include "base/zip_end.h"
#include "base/zip_layout.h"

namespace assay {
namespace {

using zip::Directory;
using zip::kDamaged, zip::kTruncated;

// Sizes that do not fit in 32 bits stand in an extra field, in this order.
bool ReadZip64(std::string_view extra, ZipMember& member) {
  ByteReader fields(extra, {});
  while (fields.left() >= 4) {
    const uint16_t id = fields.U16("extra id");
    ByteReader in(fields.Text(fields.U16("extra length"), "extra field"), {});
    if (!fields.ok()) return false;
    if (id != zip::kZip64Extra) continue;
    for (uint64_t* value : {&member.size, &member.compressed, &member.header}) {
      if (*value == zip::kSeeZip64) *value = in.U64("zip64 value");
    }
    return in.ok();
  }
  return true;
}

Error Refuse(Error error, const InputFile& file, uint64_t at,
             std::string_view hint) {
  return std::move(error).At(file.path(), at).Hint(hint);
}

Status CheckMethod(const ZipMember& m, uint16_t flags, const InputFile& file,
                   uint64_t at) {
  if (flags & zip::kEncrypted) {
    return Refuse(Unsupported("member '{}' is encrypted", m.name), file, at,
                  "unpack it with its password first");
  }
  if (m.method != ZipMethod::kStored && m.method != ZipMethod::kDeflate) {
    return Refuse(Unsupported("member '{}' uses compression method {}", m.name,
                              static_cast<int>(m.method)),
                  file, at, "stored and deflated members are understood");
  }
  return Done{};
}

// Deflate's best: a match of 258 bytes in two bits.
constexpr uint64_t kBestRatio = 1032, kSlack = 1024;
// A bomb: next to nothing that unfolds to very much.
constexpr uint64_t kMuch = uint64_t{1} << 30, kBombRatio = 500;

Status CheckSizes(const ZipMember& m, const InputFile& file, uint64_t at) {
  if (m.method == ZipMethod::kStored && m.compressed != m.size) {
    return Refuse(Corrupt("stored member '{}' claims {} bytes and holds {}",
                          m.name, m.size, m.compressed),
                  file, at, kDamaged);
  }
  if (m.size > kSlack && (m.size - kSlack) / kBestRatio > m.compressed) {
    return Refuse(
        Corrupt("member '{}' claims {} bytes from {}, more than deflate "
                "can give",
                m.name, m.size, m.compressed),
        file, at, "the archive is damaged, or made to exhaust memory");
  }
  if (m.size > kMuch && m.size / kBombRatio > m.compressed) {
    return Refuse(TooLarge("member '{}' unfolds to {} bytes from {}", m.name,
                           m.size, m.compressed),
                  file, at,
                  "it looks like a zip bomb; if you trust it, unpack it first");
  }
  return Done{};
}

struct Record {
  ZipMember member;
  uint16_t flags = 0;
};

Result<Record> ReadRecord(ByteReader& in, const InputFile& file) {
  const uint64_t at = in.offset();
  bool good = in.U32("member signature") == zip::kCentral;
  in.Skip(4, "versions");
  Record record{.flags = in.U16("flags")};
  ZipMember& m = record.member;
  m.method = static_cast<ZipMethod>(in.U16("method"));
  in.Skip(4, "time");
  m.crc = in.U32("crc");
  m.compressed = in.U32("compressed size");
  m.size = in.U32("size");
  const uint16_t name = in.U16("name length"), extra = in.U16("extra length"),
                 comment = in.U16("comment length");
  in.Skip(8, "attributes");
  m.header = in.U32("local header offset");
  m.name = in.Text(name, "name");
  good &= ReadZip64(in.Text(extra, "extra"), m);
  in.Skip(comment, "comment");
  if (!in.ok()) return in.error();
  if (good) return record;
  return Refuse(Corrupt("no member record here"), file, at, kDamaged);
}

Status CheckRecord(const Record& record, const InputFile& file, uint64_t at,
                   ZipNames names) {
  const ZipMember& m = record.member;
  if (const std::string_view why = BadZipName(m.name, names); !why.empty()) {
    return Refuse(Corrupt("member '{}' {}", m.name, why), file, at,
                  "the archive may be made to write outside its folder");
  }
  RETURN_IF_ERROR(CheckMethod(m, record.flags, file, at));
  return CheckSizes(m, file, at);
}

// Reads the local header, whose name and extra field end where the data begin.
Status FindData(const InputFile& file, const Directory& dir, ZipMember& m) {
  const uint64_t room = dir.begin - dir.prefix;
  const uint64_t head = zip::kLocalBytes + m.name.size();
  if (m.header > room || room - m.header < head) {
    return Refuse(Corrupt("member '{}' begins at byte {}, outside the archive",
                          m.name, m.header),
                  file, dir.begin, kDamaged);
  }
  m.header += dir.prefix;
  ASSIGN_OR_RETURN(const std::string bytes, file.Text(m.header, head));
  ByteReader in(bytes, file.path(), m.header);
  const bool good = in.U32("signature") == zip::kLocal;
  in.Skip(22, "sizes");
  const uint16_t name = in.U16("name length"), extra = in.U16("extra length");
  if (!good || name != m.name.size() || in.Text(name, "name") != m.name) {
    return Refuse(Corrupt("member '{}' has no header here", m.name), file,
                  m.header, kDamaged);
  }
  m.data = in.offset() + extra;
  const uint64_t left = m.data > dir.begin ? 0 : dir.begin - m.data;
  if (m.compressed <= left) return Done{};
  return Refuse(Corrupt("member '{}' needs {} bytes, {} left", m.name,
                        m.compressed, left),
                file, m.data, kTruncated);
}

Status CheckOverlap(const std::vector<ZipMember>& members,
                    const InputFile& file) {
  std::vector<const ZipMember*> order;
  for (const ZipMember& m : members) order.push_back(&m);
  std::ranges::sort(order, {}, &ZipMember::header);
  for (size_t i = 1; i < order.size(); ++i) {
    const ZipMember &a = *order[i - 1], &b = *order[i];
    if (a.data + a.compressed <= b.header) continue;
    return Refuse(Corrupt("members '{}' and '{}' overlap", a.name, b.name),
                  file, b.header,
                  "the archive is damaged, or made to exhaust memory");
  }
  return Done{};
}

Status CheckDuplicates(const std::vector<ZipMember>& members,
                       const InputFile& file) {
  std::vector<const ZipMember*> order;
  for (const ZipMember& m : members) order.push_back(&m);
  std::ranges::sort(order, {}, &ZipMember::name);
  const auto twice = std::ranges::adjacent_find(order, {}, &ZipMember::name);
  if (twice == order.end()) return Done{};
  return Refuse(Corrupt("the archive holds '{}' twice", (*twice)->name), file,
                (*twice)->header, "it is not clear which one counts");
}

}  // namespace

std::string_view BadZipName(std::string_view name, ZipNames names) {
  if (name.empty()) return "has no name";
  if (name.find('\0') != name.npos) return "has a zero byte in its name";
  if (names == ZipNames::kPaths && (name[0] == '/' || name[0] == '\\')) {
    return "has an absolute path as its name";
  }
  for (const std::string_view outer : Split(name, '/')) {
    for (const std::string_view part : Split(outer, '\\')) {
      if (part == "..") return "has '..' in its path";
    }
  }
  return {};
}

Result<std::vector<ZipMember>> ListZip(const InputFile& file, ZipNames names) {
  ASSIGN_OR_RETURN(const Directory dir, zip::FindDirectory(file));
  ASSIGN_OR_RETURN(const std::string bytes,
                   file.Text(dir.begin, dir.end - dir.begin));
  ByteReader in(bytes, file.path(), dir.begin);
  std::vector<ZipMember> members;
  while (in.left() > 0) {
    const uint64_t at = in.offset();
    ASSIGN_OR_RETURN(Record record, ReadRecord(in, file));
    RETURN_IF_ERROR(CheckRecord(record, file, at, names));
    RETURN_IF_ERROR(FindData(file, dir, record.member));
    members.push_back(std::move(record.member));
  }
  if (members.size() != dir.count) {
    return Refuse(Corrupt("the archive claims {} members and lists {}",
                          dir.count, members.size()),
                  file, dir.end, kDamaged);
  }
  RETURN_IF_ERROR(CheckOverlap(members, file));
  RETURN_IF_ERROR(CheckDuplicates(members, file));
  return members;
}

}  // namespace assay
