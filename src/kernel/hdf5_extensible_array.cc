// Places of chunks, in a dataset with one dimension that may grow:
//   0  4    "EAHD"
//   4  1+1  version, kind
//   6  6    bytes of an element; bits of an index; elements in the index block;
//           least elements of a block; least blocks of a group; bits of an
//           index in a page
//   .. ..   six lengths, address of the index block, sum
// The index block "EAIB" has elements, addresses of blocks "EADB" of the first
// groups, and of lists "EASB" of the blocks of later groups. Group g has
// 2^(g/2) blocks of 2^((g+1)/2) times the least elements.
#include <algorithm>
#include <bit>
#include <set>

#include "kernel/hdf5_chunk_array.h"

namespace assay {
namespace {

class ExtensibleArray : public ChunkArray {
 public:
  using ChunkArray::ChunkArray;

  Status Run(uint64_t address) {
    const uint64_t length =
        12 + 6 * file_.length_bytes() + file_.address_bytes() + kSumBytes;
    ASSIGN_OR_RETURN(const std::string bytes,
                     file_.ReadChecked(address, length, "EAHD"));
    Hdf5Fields in(file_, bytes, address);
    in.Skip(6, "signature");
    width_ = in.U8("bytes of an element");
    bits_ = in.U8("bits of an index");
    direct_ = in.U8("elements in the index block");
    least_ = in.U8("least elements");
    blocks_ = in.U8("least blocks");
    const int page_bits = in.U8("bits of a page");
    in.Skip(6 * file_.length_bytes(), "numbers");
    const uint64_t index = in.Address("index block");
    if (!in.ok()) return in.error();
    if (width_ < file_.address_bytes() || bits_ > 64 || page_bits > 31 ||
        !std::has_single_bit(least_) || !std::has_single_bit(blocks_) ||
        Groups() < FirstListed()) {
      return file_.Damaged(address, "the chunks have impossible numbers");
    }
    page_ = uint64_t{1} << page_bits;
    return index == kHdf5Nowhere ? Status(Done{}) : VisitIndex(index);
  }

 private:
  static uint64_t Log2(uint64_t n) { return std::bit_width(n) - 1u; }
  uint64_t Groups() const { return 1 + bits_ - std::min(bits_, Log2(least_)); }
  uint64_t FirstListed() const { return 2 * Log2(blocks_); }
  uint64_t BlockPrefix() const { return Prefix() + (bits_ + 7) / 8; }

  Status VisitIndex(uint64_t address) {
    const uint64_t addresses = 2 * (blocks_ - 1) + Groups() - FirstListed();
    const uint64_t length =
        direct_ * width_ + addresses * file_.address_bytes();
    ASSIGN_OR_RETURN(
        const std::string block,
        file_.ReadChecked(address, Prefix() + length + kSumBytes, "EAIB"));
    const std::string_view all = block;
    RETURN_IF_ERROR(Visit(all.substr(Prefix(), direct_ * width_), 0));
    const uint64_t skip = Prefix() + direct_ * width_;
    Hdf5Fields in(file_, all.substr(skip), address + skip);
    uint64_t first = direct_;
    for (uint64_t g = 0; g < Groups(); ++g) {
      const uint64_t count = uint64_t{1} << g / 2;
      const uint64_t elements = (uint64_t{1} << (g + 1) / 2) * least_;
      if (g < FirstListed()) {
        RETURN_IF_ERROR(VisitBlocks(in, {count, elements, first}, {}));
      } else if (const uint64_t list = in.Address("list of blocks");
                 list != kHdf5Nowhere) {
        RETURN_IF_ERROR(VisitList(list, {count, elements, first}));
      }
      if (!in.ok()) return in.error();
      first += count * elements;
    }
    return Done{};
  }

  struct Group {
    uint64_t blocks = 0, elements = 0;  // of each
    uint64_t first = 0;                 // index
  };
  uint64_t Pages(const Group& group) const {
    return group.elements > page_ ? group.elements / page_ : 0;
  }

  Status VisitList(uint64_t address, const Group& group) {
    const uint64_t written = group.blocks * ((Pages(group) + 7) / 8);
    const uint64_t prefix = BlockPrefix() + written;
    const uint64_t length = group.blocks * file_.address_bytes();
    if (group.blocks > file_.input().size() || !seen_.insert(address).second) {
      return file_.Damaged(address, "more chunks than the file can hold");
    }
    ASSIGN_OR_RETURN(
        const std::string list,
        file_.ReadChecked(address, prefix + length + kSumBytes, "EASB"));
    const std::string_view all = list;
    Hdf5Fields in(file_, all.substr(prefix), address + prefix);
    return VisitBlocks(in, group, all.substr(BlockPrefix(), written));
  }

  // `in` is at the addresses of the blocks.
  Status VisitBlocks(Hdf5Fields& in, const Group& group,
                     std::string_view written) {
    for (uint64_t i = 0; i < group.blocks; ++i) {
      const uint64_t block = in.Address("block");
      if (!in.ok()) return in.error();
      if (block == kHdf5Nowhere) continue;
      if (!seen_.insert(block).second) {
        return file_.Damaged(block, "a block is used twice");
      }
      const uint64_t first = group.first + i * group.elements;
      const uint64_t pages = written.empty() ? 0 : Pages(group);
      if (pages == 0) {
        RETURN_IF_ERROR(
            VisitBlock(block, "EADB", BlockPrefix(), group.elements, first));
      }
      for (uint64_t p = 0; p < pages; ++p) {
        if (!BitAt(written, i * pages + p)) continue;
        const uint64_t step = page_ * width_ + kSumBytes;
        RETURN_IF_ERROR(VisitPage(block + BlockPrefix() + kSumBytes + p * step,
                                  page_, first + p * page_));
      }
    }
    return Done{};
  }

  uint64_t bits_ = 0, direct_ = 0, least_ = 0, blocks_ = 0;
  std::set<uint64_t> seen_;
};

}  // namespace

Status ForEachInExtensibleArray(const Hdf5File& file, uint64_t address,
                                const VisitElement& visit) {
  return ExtensibleArray(file, visit).Run(address);
}

}  // namespace assay
