#include "base/zip_end.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/byte_reader.h"
#include "base/zip_layout.h"

namespace assay::zip {
namespace {

// The fields of either end record, as stored.
struct EndRecord {
  uint64_t at = 0;  // its own offset
  uint64_t disk = 0, count = 0, size = 0, offset = 0;
};

Result<EndRecord> FindEnd(const InputFile& file) {
  const uint64_t length = std::min(file.size(), kEndBytes + kSeeZip64Short);
  const uint64_t base = file.size() - length;
  ASSIGN_OR_RETURN(const std::string tail, file.Text(base, length));
  for (size_t at = tail.size(); (at = tail.rfind("PK\5\6", at)) != tail.npos;) {
    ByteReader in(std::string_view(tail).substr(at), file.path(), base + at);
    in.Skip(4, "signature");
    EndRecord end{.at = base + at, .disk = in.U16("disk")};
    in.Skip(4, "disks");
    end.count = in.U16("member count");
    end.size = in.U32("directory size");
    end.offset = in.U32("directory offset");
    in.Skip(in.U16("comment length"), "comment");
    if (in.ok()) return end;
    if (at-- == 0) break;
  }
  return Corrupt("the archive has no central directory")
      .At(file.path(), file.size())
      .Hint(kTruncated);
}

Result<std::optional<EndRecord>> ReadEnd64(const InputFile& file, uint64_t at) {
  if (at > file.size() || file.size() - at < kEnd64Bytes) return {};
  ASSIGN_OR_RETURN(const std::string bytes, file.Text(at, kEnd64Bytes));
  ByteReader in(bytes, file.path(), at);
  if (in.U32("signature") != kEnd64) return {};
  in.Skip(12, "versions");
  EndRecord end{.at = at, .disk = in.U32("disk")};
  in.Skip(12, "disks");
  end.count = in.U64("member count");
  end.size = in.U64("directory size");
  end.offset = in.U64("directory offset");
  return std::optional(end);
}

// The zip64 end record stands where its locator says, or, if there are bytes in
// front of the archive, right before the locator.
Result<EndRecord> FindEnd64(const InputFile& file, const EndRecord& end) {
  const bool full = end.count == kSeeZip64Short || end.size == kSeeZip64 ||
                    end.offset == kSeeZip64;
  if (end.at < kLocator64Bytes) return end;
  const uint64_t locator = end.at - kLocator64Bytes;
  ASSIGN_OR_RETURN(const std::string bytes,
                   file.Text(locator, kLocator64Bytes));
  ByteReader in(bytes, file.path(), locator);
  if (in.U32("signature") != kLocator64) return end;
  in.Skip(4, "disk");
  ASSIGN_OR_RETURN(auto end64, ReadEnd64(file, in.U64("end offset")));
  if (!end64 && locator >= kEnd64Bytes) {
    ASSIGN_OR_RETURN(end64, ReadEnd64(file, locator - kEnd64Bytes));
  }
  if (end64) return *end64;
  if (!full) return end;  // what looked like a locator is something else
  return Corrupt("the archive has no zip64 end record")
      .At(file.path(), locator)
      .Hint(kDamaged);
}

}  // namespace

Result<Directory> FindDirectory(const InputFile& file) {
  ASSIGN_OR_RETURN(const EndRecord plain, FindEnd(file));
  ASSIGN_OR_RETURN(const EndRecord end, FindEnd64(file, plain));
  if (end.disk != 0) {
    return Unsupported("the archive is split over several files")
        .At(file.path(), end.at);
  }
  if (end.size > end.at || end.offset > end.at - end.size) {
    return Corrupt("the central directory needs {} bytes at byte {}, {} there",
                   end.size, end.offset, end.at)
        .At(file.path(), end.at)
        .Hint(kTruncated);
  }
  const uint64_t begin = end.at - end.size;
  return Directory{begin, end.at, begin - end.offset, end.count};
}

}  // namespace assay::zip
