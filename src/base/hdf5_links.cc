#include "base/hdf5_links.h"

#include <algorithm>
#include <set>

#include "base/hdf5_heap.h"
#include "base/hdf5_tree.h"

namespace assay {
namespace {

using Kind = Hdf5Link::Kind;
using Links = std::vector<Hdf5Link>;

constexpr uint64_t kLongestName = 64 << 10;

// A text that ends with a zero, at `offset` of a heap of `size` bytes.
Result<std::string> ReadName(const Hdf5File& file, uint64_t heap, uint64_t size,
                             uint64_t offset) {
  constexpr uint64_t kPiece = 64;
  std::string name;
  while (offset < size && name.size() < kLongestName) {
    const uint64_t length = std::min(kPiece, size - offset);
    ASSIGN_OR_RETURN(const std::string piece, file.Read(heap + offset, length));
    const size_t end = piece.find('\0');
    name += piece.substr(0, end);
    if (end != std::string::npos) return name;
    offset += length;
  }
  return file.Damaged(heap, "a name has no end");
}

// Groups of old files: a tree of tables, and a heap with the names.
class OldGroup {
 public:
  OldGroup(const Hdf5File& file, Links& links) : file_(file), links_(links) {}

  Status Run(const Hdf5Message& message) {
    Hdf5Fields in(file_, message.bytes, message.address);
    const uint64_t tree = in.Address("tree"), heap = in.Address("heap");
    if (!in.ok()) return in.error();
    RETURN_IF_ERROR(OpenHeap(heap));
    return ForEachInOldTree(
        file_, tree, 0, file_.length_bytes(),
        [&](std::string_view, uint64_t table) { return AddTable(table); });
  }

 private:
  Status OpenHeap(uint64_t address) {
    const uint64_t length =
        8 + 2 * file_.length_bytes() + file_.address_bytes();
    ASSIGN_OR_RETURN(const std::string bytes,
                     file_.Read(address, length, "HEAP"));
    Hdf5Fields in(file_, bytes, address);
    in.Skip(8, "signature");
    names_size_ = in.Length("size of the heap");
    in.Length("free list");
    names_ = in.Address("names");
    if (!in.ok()) return in.error();
    return Done{};
  }

  Status AddTable(uint64_t address) {
    if (!seen_.insert(address).second) {
      return file_.Damaged(address, "a tree leads here twice");
    }
    ASSIGN_OR_RETURN(const std::string head, file_.Read(address, 8, "SNOD"));
    Hdf5Fields first(file_, head, address);
    first.Skip(6, "signature");
    const uint64_t count = first.U16("links");
    const uint64_t step = 2 * file_.address_bytes() + 24;
    ASSIGN_OR_RETURN(const std::string bytes,
                     file_.Read(address + 8, count * step));
    Hdf5Fields in(file_, bytes, address + 8);
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t name = in.Address("name");
      Hdf5Link link{.address = in.Address("object")};
      constexpr uint32_t kSoftLink = 2;
      if (in.U32("kind") == kSoftLink) link.kind = Kind::kSoft;
      in.Skip(20, "cache");
      if (!in.ok()) return in.error();
      ASSIGN_OR_RETURN(link.name, ReadName(file_, names_, names_size_, name));
      links_.push_back(std::move(link));
    }
    return Done{};
  }

  const Hdf5File& file_;
  Links& links_;
  uint64_t names_ = 0, names_size_ = 0;
  std::set<uint64_t> seen_;
};

Result<Hdf5Link> ParseLink(const Hdf5File& file, std::string_view bytes,
                           uint64_t address) {
  Hdf5Fields in(file, bytes, address);
  in.Skip(1, "version");
  const int flags = in.U8("flags");
  const int type = (flags & 8) != 0 ? in.U8("type") : 0;
  in.Skip(((flags & 4) != 0 ? 8 : 0) + ((flags & 16) != 0 ? 1 : 0), "order");
  const uint64_t length = in.Number(size_t{1} << (flags & 3), "name length");
  Hdf5Link link{.name = std::string(in.Text(length, "name"))};
  link.kind = type == 0 ? Kind::kHard : type == 1 ? Kind::kSoft : Kind::kOther;
  if (type == 0) link.address = in.Address("object");
  if (!in.ok()) return in.error();
  return link;
}

// Groups of new files with many links.
Status AddFromHeap(const Hdf5File& file, const Hdf5Message& message,
                   Links& links) {
  Hdf5Fields in(file, message.bytes, message.address);
  in.Skip(1, "version");
  if ((in.U8("flags") & 1) != 0) in.Skip(8, "order");
  const uint64_t heap_address = in.Address("heap");
  const uint64_t tree = in.Address("tree");
  if (!in.ok()) return in.error();
  if (heap_address == kHdf5Nowhere) return Done{};
  ASSIGN_OR_RETURN(const Hdf5Heap heap, Hdf5Heap::Open(file, heap_address));
  constexpr int kLinksByName = 5;
  return ForEachInNewTree(
      file, tree, kLinksByName, [&](std::string_view record) -> Status {
        constexpr size_t kHash = 4;
        if (record.size() <= kHash) return file.Damaged(tree, "no links");
        ASSIGN_OR_RETURN(const std::string bytes,
                         heap.Object(record.substr(kHash)));
        ASSIGN_OR_RETURN(Hdf5Link link, ParseLink(file, bytes, heap_address));
        links.push_back(std::move(link));
        return Done{};
      });
}

}  // namespace

bool HasLinks(const Hdf5Header& header) {
  return FindMessage(header, Hdf5Message::kSymbolTable) != nullptr ||
         FindMessage(header, Hdf5Message::kLinkInfo) != nullptr ||
         FindMessage(header, Hdf5Message::kLink) != nullptr;
}

Result<std::vector<Hdf5Link>> ReadLinks(const Hdf5File& file,
                                        const Hdf5Header& header) {
  Links links;
  for (const Hdf5Message& message : header) {
    if (message.type == Hdf5Message::kSymbolTable) {
      RETURN_IF_ERROR(OldGroup(file, links).Run(message));
    } else if (message.type == Hdf5Message::kLinkInfo) {
      RETURN_IF_ERROR(AddFromHeap(file, message, links));
    } else if (message.type == Hdf5Message::kLink) {
      ASSIGN_OR_RETURN(Hdf5Link link,
                       ParseLink(file, message.bytes, message.address));
      links.push_back(std::move(link));
    }
  }
  return links;
}

}  // namespace assay
