#include "base/hdf5_header.h"

#include <algorithm>
#include <optional>

namespace assay {
namespace {

constexpr uint64_t kLongestHeader = 64 << 20;
constexpr uint64_t kSumBytes = 4;
constexpr int kSharedFlag = 2;

struct Block {
  uint64_t address = 0, length = 0;
};

// A header is a first block and others that messages of it point to.
class HeaderReader {
 public:
  explicit HeaderReader(const Hdf5File& file) : file_(file) {}

  Result<Hdf5Header> Run(uint64_t address) {
    ASSIGN_OR_RETURN(const std::string first, file_.Read(address, 4));
    Status begun = first == "OHDR" ? BeginNew(address) : BeginOld(address);
    if (!begun) return std::move(begun).error();
    while (!blocks_.empty()) {
      const Block block = blocks_.back();
      blocks_.pop_back();
      RETURN_IF_ERROR(ReadBlock(block));
    }
    return std::move(messages_);
  }

 private:
  Status BeginOld(uint64_t address) {
    constexpr uint64_t kPrefix = 16;  // the last four bytes are padding
    ASSIGN_OR_RETURN(const std::string prefix, file_.Read(address, kPrefix));
    Hdf5Fields in(file_, prefix, address);
    const int version = in.U8("version");
    in.Skip(7, "counts");
    const uint64_t length = in.U32("header size");
    if (!in.ok()) return in.error();
    if (version != 1) return file_.Damaged(address, "no object is here");
    blocks_.push_back({address + kPrefix, length});
    return Done{};
  }

  // The first block of a new header follows its prefix; the checksum covers
  // both.
  Status BeginNew(uint64_t address) {
    constexpr uint64_t kShortest = 7, kLongest = 34;
    const uint64_t room = file_.input().size() - file_.Offset(address);
    ASSIGN_OR_RETURN(
        const std::string prefix,
        file_.Read(address, std::max(kShortest, std::min(room, kLongest))));
    Hdf5Fields in(file_, prefix, address);
    in.Skip(4, "signature");
    const int version = in.U8("version");
    const int flags = in.U8("flags");
    in.Skip(((flags & 0x20) != 0 ? 16 : 0) + ((flags & 0x10) != 0 ? 4 : 0),
            "times");
    const uint64_t length = in.Number(size_t{1} << (flags & 3), "header size");
    if (!in.ok()) return in.error();
    if (version != 2 || length > kLongestHeader) {
      return file_.Damaged(address, "no object is here");
    }
    prefix_ = (flags & 4) != 0 ? 6 : 4;
    const uint64_t begin = in.offset() - file_.Offset(address);
    ASSIGN_OR_RETURN(
        const std::string whole,
        file_.ReadChecked(address, begin + length + kSumBytes, "OHDR"));
    return ReadMessages(std::string_view(whole).substr(begin, length),
                        address + begin);
  }

  Status ReadBlock(Block block) {
    total_ += std::min(block.length, kLongestHeader + 1);
    if (total_ > kLongestHeader || total_ > file_.input().size()) {
      return file_.Damaged(block.address, "the header has no end");
    }
    if (prefix_ == 0) {
      ASSIGN_OR_RETURN(const std::string bytes,
                       file_.Read(block.address, block.length));
      return ReadMessages(bytes, block.address);
    }
    ASSIGN_OR_RETURN(const std::string bytes,
                     file_.ReadChecked(block.address, block.length, "OCHK"));
    if (bytes.size() < 8)
      return file_.Damaged(block.address, "it is too short");
    return ReadMessages(std::string_view(bytes).substr(4, bytes.size() - 8),
                        block.address + 4);
  }

  Status ReadMessages(std::string_view bytes, uint64_t address) {
    Hdf5Fields in(file_, bytes, address);
    const uint64_t prefix = prefix_ == 0 ? 8 : prefix_;
    while (in.left() >= prefix) {
      Hdf5Message message;
      message.type = prefix_ == 0 ? in.U16("type") : in.U8("type");
      const uint64_t length = in.U16("message size");
      message.shared = (in.U8("flags") & kSharedFlag) != 0;
      in.Skip(prefix_ == 0 ? 3 : prefix_ - 4, "order");
      message.address = in.offset() - file_.Offset(0);
      message.bytes = in.Text(length, "message");
      if (!in.ok()) return in.error();
      RETURN_IF_ERROR(AddMessage(std::move(message)));
    }
    return Done{};
  }

  Status AddMessage(Hdf5Message message) {
    if (message.type != Hdf5Message::kContinuation) {
      if (message.type != 0) messages_.push_back(std::move(message));
      return Done{};
    }
    Hdf5Fields in(file_, message.bytes, message.address);
    Block block;
    block.address = in.Address("next block");
    block.length = in.Length("length of the next block");
    if (!in.ok()) return in.error();
    blocks_.push_back(block);
    return Done{};
  }

  const Hdf5File& file_;
  uint64_t prefix_ = 0;  // bytes before a message in a new header; 0: old
  uint64_t total_ = 0;
  std::vector<Block> blocks_;
  Hdf5Header messages_;
};

}  // namespace

Result<Hdf5Header> ReadHdf5Header(const Hdf5File& file, uint64_t address) {
  return HeaderReader(file).Run(address);
}

const Hdf5Message* FindMessage(const Hdf5Header& header,
                               Hdf5Message::Type type) {
  const auto found = std::ranges::find(header, static_cast<uint16_t>(type),
                                       &Hdf5Message::type);
  return found == header.end() ? nullptr : &*found;
}

Result<Hdf5Message> ResolveMessage(const Hdf5File& file,
                                   const Hdf5Message& message) {
  if (!message.shared) return message;
  Hdf5Fields in(file, message.bytes, message.address);
  const int version = in.U8("version"), kind = in.U8("kind");
  if (version == 3 && kind == 1) {
    return Unsupported("messages in a shared heap")
        .At(file.input().path(), file.Offset(message.address));
  }
  if (version == 1) in.Skip(6 + file.length_bytes(), "reserved");
  const uint64_t address = in.Address("address of the message");
  if (!in.ok()) return in.error();
  ASSIGN_OR_RETURN(const Hdf5Header header, ReadHdf5Header(file, address));
  const Hdf5Message* const found =
      FindMessage(header, static_cast<Hdf5Message::Type>(message.type));
  if (found == nullptr || found->shared) {
    return file.Damaged(address, "the message is not here");
  }
  return *found;
}

}  // namespace assay
