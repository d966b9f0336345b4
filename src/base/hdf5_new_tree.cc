// A new tree begins with a block that says how its nodes are laid out:
//   0  4    "BTHD"
//   4  1+1  version, kind
//   6  4    bytes of a node
//   10 2    bytes of a record
//   12 2    depth: 0 if the root is a leaf
//   14 2    percentages
//   16 ..   address of the root, its number of records, that of the tree, sum
// A leaf is "BTLF", version, kind, records, sum. An inner node is "BTIN",
// version, kind, n records, n + 1 pointers (address, number of records, from
// depth 2 on that of the subtree), sum.
#include <bit>
#include <set>
#include <vector>

#include "base/hdf5_tree.h"

namespace assay {
namespace {

constexpr uint64_t kAround = 10;  // bytes of a node besides records
constexpr int kDeepest = 16;

// Bytes that hold any number up to `most`.
size_t BytesFor(uint64_t most) {
  return most == 0 ? 1
                   : (static_cast<size_t>(std::bit_width(most)) - 1) / 8 + 1;
}

struct Pointer {
  uint64_t address = 0, records = 0;
};

class NewTree {
 public:
  using Visit = std::function<Status(std::string_view)>;

  NewTree(const Hdf5File& file, int kind, const Visit& visit)
      : file_(file), kind_(kind), visit_(visit) {}

  Status Run(uint64_t address) {
    const uint64_t length =
        16 + file_.address_bytes() + 2 + file_.length_bytes() + 4;
    ASSIGN_OR_RETURN(const std::string bytes,
                     file_.ReadChecked(address, length, "BTHD"));
    Hdf5Fields in(file_, bytes, address);
    in.Skip(5, "signature");
    const int kind = in.U8("kind");
    const uint64_t node = in.U32("node size");
    width_ = in.U16("record size");
    const int depth = in.U16("depth");
    in.Skip(2, "percentages");
    Pointer root;
    root.address = in.Address("root");
    root.records = in.U16("records of the root");
    if (!in.ok()) return in.error();
    if (kind != kind_ || width_ == 0 || depth > kDeepest ||
        node < kAround + width_) {
      return file_.Damaged(address, "this tree is of another kind");
    }
    SetWidths(node, depth);
    if (root.address == kHdf5Nowhere) return Done{};
    return Walk(root, depth);
  }

 private:
  // How wide the numbers in a pointer are follows from how many records can be
  // below it.
  void SetWidths(uint64_t node, int depth) {
    const uint64_t leaf = (node - kAround) / width_;
    count_bytes_ = BytesFor(leaf);
    subtree_bytes_ = {0};
    uint64_t below = leaf;
    for (int d = 1; d <= depth; ++d) {
      const uint64_t pointer =
          file_.address_bytes() + count_bytes_ + subtree_bytes_.back();
      const uint64_t room =
          node > kAround + pointer ? node - kAround - pointer : 0;
      const uint64_t most = room / (width_ + pointer);
      if (__builtin_mul_overflow(most + 1, below, &below) ||
          __builtin_add_overflow(below, most, &below)) {
        below = ~uint64_t{0};
      }
      subtree_bytes_.push_back(BytesFor(below));
    }
  }

  Status Walk(Pointer to, int depth) {
    if (!seen_.insert(to.address).second) {
      return file_.Damaged(to.address, "a tree leads here twice");
    }
    const auto level = static_cast<size_t>(depth);
    const uint64_t pointer = depth == 0 ? 0
                                        : file_.address_bytes() + count_bytes_ +
                                              subtree_bytes_[level - 1];
    const uint64_t length = kAround + to.records * width_ +
                            (depth == 0 ? 0 : (to.records + 1) * pointer);
    ASSIGN_OR_RETURN(
        const std::string bytes,
        file_.ReadChecked(to.address, length, depth == 0 ? "BTLF" : "BTIN"));
    Hdf5Fields in(file_, bytes, to.address);
    in.Skip(6, "signature");
    for (uint64_t i = 0; i < to.records; ++i) {
      RETURN_IF_ERROR(visit_(in.Text(width_, "record")));
    }
    for (uint64_t i = 0; depth > 0 && i <= to.records; ++i) {
      Pointer child;
      child.address = in.Address("child");
      child.records = in.Number(count_bytes_, "records of a child");
      in.Skip(subtree_bytes_[level - 1], "records below");
      if (!in.ok()) return in.error();
      RETURN_IF_ERROR(Walk(child, depth - 1));
    }
    return Done{};
  }

  const Hdf5File& file_;
  const int kind_;
  const Visit& visit_;
  size_t width_ = 0;
  size_t count_bytes_ = 0;
  std::vector<size_t> subtree_bytes_;  // per depth; 0 for leaves
  std::set<uint64_t> seen_;
};

}  // namespace

Status ForEachInNewTree(
    const Hdf5File& file, uint64_t address, int kind,
    const std::function<Status(std::string_view record)>& visit) {
  return NewTree(file, kind, visit).Run(address);
}

}  // namespace assay
