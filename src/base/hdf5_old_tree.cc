// A node of an old tree:
//   0  4    "TREE"
//   4  1+1  kind, level; leaves are at level 0
//   6  2    number of children n
//   8  2 a  neighbours; a: bytes of an address
//   .. ..   key, child address, n times, and one more key
#include <set>

#include "base/hdf5_tree.h"

namespace assay {
namespace {

class OldTree {
 public:
  using Visit = std::function<Status(std::string_view, uint64_t)>;

  OldTree(const Hdf5File& file, int kind, size_t key_bytes, const Visit& visit)
      : file_(file), kind_(kind), key_bytes_(key_bytes), visit_(visit) {}

  // `above`: the level of the node that points here.
  Status Walk(uint64_t address, int above) {
    if (!seen_.insert(address).second) {
      return file_.Damaged(address, "a tree leads here twice");
    }
    const size_t prefix = 8 + 2 * file_.address_bytes();
    ASSIGN_OR_RETURN(const std::string head,
                     file_.Read(address, prefix, "TREE"));
    Hdf5Fields in(file_, head, address);
    in.Skip(4, "signature");
    const int kind = in.U8("kind"), level = in.U8("level");
    const uint64_t count = in.U16("children");
    if (!in.ok()) return in.error();
    if (kind != kind_ || level >= above) {
      return file_.Damaged(address, "this node is of another tree");
    }
    return WalkChildren(address + prefix, level, count);
  }

 private:
  Status WalkChildren(uint64_t address, int level, uint64_t count) {
    const uint64_t step = key_bytes_ + file_.address_bytes();
    ASSIGN_OR_RETURN(const std::string bytes,
                     file_.Read(address, count * step));
    Hdf5Fields in(file_, bytes, address);
    for (uint64_t i = 0; i < count; ++i) {
      const std::string_view key = in.Text(key_bytes_, "key");
      const uint64_t child = in.Address("child");
      if (!in.ok()) return in.error();
      RETURN_IF_ERROR(level > 0 ? Walk(child, level) : visit_(key, child));
    }
    return Done{};
  }

  const Hdf5File& file_;
  const int kind_;
  const size_t key_bytes_;
  const Visit& visit_;
  std::set<uint64_t> seen_;
};

}  // namespace

Status ForEachInOldTree(
    const Hdf5File& file, uint64_t address, int kind, size_t key_bytes,
    const std::function<Status(std::string_view key, uint64_t child)>& visit) {
  constexpr int kAboveAll = 256;
  return OldTree(file, kind, key_bytes, visit).Walk(address, kAboveAll);
}

}  // namespace assay
