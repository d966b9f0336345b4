// Places of chunks, in a dataset that cannot grow beyond a limit:
//   0  4    "FAHD"
//   4  1+1  version, kind
//   6  1+1  bytes of an element, bits of an index in a page
//   8  ..   number of elements, address of the block "FADB", sum
// The block: version, kind, address of the above, then elements and sum, or
// bits for the pages that were written, sum, pages with a sum each.
#include <algorithm>

#include "kernel/hdf5_chunk_array.h"

namespace assay {
namespace {

class FixedArray : public ChunkArray {
 public:
  using ChunkArray::ChunkArray;

  Status Run(uint64_t address) {
    const uint64_t length =
        8 + file_.length_bytes() + file_.address_bytes() + kSumBytes;
    ASSIGN_OR_RETURN(const std::string bytes,
                     file_.ReadChecked(address, length, "FAHD"));
    Hdf5Fields in(file_, bytes, address);
    in.Skip(6, "signature");
    width_ = in.U8("bytes of an element");
    const int bits = in.U8("bits of a page");
    const uint64_t count = in.Length("elements");
    const uint64_t block = in.Address("block");
    if (!in.ok()) return in.error();
    if (width_ < file_.address_bytes() || bits > 31 ||
        count > file_.input().size()) {
      return file_.Damaged(address, "the chunks have impossible numbers");
    }
    if (block == kHdf5Nowhere) return Done{};
    page_ = uint64_t{1} << bits;
    if (count > page_) return VisitPages(block, count);
    return VisitBlock(block, "FADB", Prefix(), count, 0);
  }

 private:
  Status VisitPages(uint64_t address, uint64_t count) {
    const uint64_t pages = (count + page_ - 1) / page_;
    const uint64_t prefix = Prefix() + (pages + 7) / 8 + kSumBytes;
    ASSIGN_OR_RETURN(const std::string head,
                     file_.ReadChecked(address, prefix, "FADB"));
    const std::string_view written = std::string_view(head).substr(Prefix());
    const uint64_t step = page_ * width_ + kSumBytes;
    for (uint64_t i = 0; i < pages; ++i) {
      if (!BitAt(written, i)) continue;
      const uint64_t first = i * page_;
      RETURN_IF_ERROR(VisitPage(address + prefix + i * step,
                                std::min(page_, count - first), first));
    }
    return Done{};
  }
};

}  // namespace

Status ForEachInFixedArray(const Hdf5File& file, uint64_t address,
                           const VisitElement& visit) {
  return FixedArray(file, visit).Run(address);
}

}  // namespace assay
