#include "kernel/base64_stream.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/utf8.h"

namespace assay {
namespace {

constexpr size_t kGroup = 4;         // characters
constexpr size_t kGroupBytes = 3;    // bytes they stand for
constexpr size_t kPiece = 64 << 10;  // characters; whole groups
constexpr uint32_t kInvalid = 0xff000000;

using Table = std::array<uint32_t, 256>;

// What a character adds to the three bytes of its group, first byte lowest, by
// its place in the group.
constexpr Table MakeTable(size_t place) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  Table table{};
  table.fill(kInvalid);
  for (uint32_t i = 0; i < kAlphabet.size(); ++i) {
    const uint32_t bits = i << (18 - 6 * place);
    table[static_cast<uint8_t>(kAlphabet[i])] =
        bits >> 16 | (bits & 0xff00) | (bits & 0xff) << 16;
  }
  return table;
}
constexpr Table kTables[] = {MakeTable(0), MakeTable(1), MakeTable(2),
                             MakeTable(3)};

uint32_t Group(const char* text) {
  const auto* c = reinterpret_cast<const uint8_t*>(text);
  return kTables[0][c[0]] | kTables[1][c[1]] | kTables[2][c[2]] |
         kTables[3][c[3]];
}

// Decodes whole groups without padding, up to a bad one; the number decoded.
// `out` has room for one byte more than they need.
size_t DecodeGroups(std::string_view text, char* out) {
  size_t group = 0;
  for (; group < text.size() / kGroup; ++group) {
    const uint32_t bytes = Group(text.data() + group * kGroup);
    if (bytes >= kInvalid) break;
    std::memcpy(out + group * kGroupBytes, &bytes, sizeof bytes);
  }
  return group;
}

size_t Padding(std::string_view text) {
  if (text.ends_with("==")) return 2;
  return text.ends_with('=') ? 1 : 0;
}

Error NotBase64(std::string_view text, size_t from, std::string_view path,
                uint64_t at) {
  while (from < text.size() &&
         kTables[3][static_cast<uint8_t>(text[from])] != kInvalid) {
    ++from;
  }
  return Corrupt("not base64: found '{}'", Printable(text.substr(from, 1)))
      .At(path, at + from)
      .Hint("the text is damaged; write the file again");
}

}  // namespace

std::optional<uint64_t> Base64Bytes(std::string_view text) {
  if (text.size() % kGroup != 0) return std::nullopt;
  return text.size() / kGroup * kGroupBytes - Padding(text);
}

Result<std::string> DecodeBase64(std::string_view text, std::string_view path,
                                 uint64_t at) {
  const auto bytes = Base64Bytes(text);
  if (!bytes) {
    return Corrupt("{} characters are no base64 text", text.size())
        .At(path, at)
        .Hint("it takes a multiple of four; the text is damaged");
  }
  const size_t whole = text.size() / kGroup;
  std::string out(whole * kGroupBytes + 1, '\0');
  // The padding reads as the character for zero bits.
  const size_t padded = Padding(text) > 0 ? 1 : 0;
  size_t done =
      DecodeGroups(text.substr(0, (whole - padded) * kGroup), out.data());
  if (padded > 0 && done == whole - 1) {
    std::string last(text.substr(done * kGroup));
    std::replace(last.end() - static_cast<ptrdiff_t>(Padding(text)), last.end(),
                 '=', 'A');
    done += DecodeGroups(last, out.data() + done * kGroupBytes);
  }
  if (done < whole) return NotBase64(text, done * kGroup, path, at);
  out.resize(*bytes);
  return out;
}

namespace {

class Base64Stream : public ByteStream {
 public:
  Base64Stream(const InputFile& file, const StoredTensor& tensor)
      : file_(file),
        at_(tensor.extent.offset),
        end_(tensor.extent.offset + tensor.extent.length),
        skip_(tensor.extent.skip) {}

  Status Read(std::span<std::byte> out) override {
    RETURN_IF_ERROR(SkipHeader());
    while (!out.empty()) {
      ASSIGN_OR_RETURN(const std::string_view some, Some());
      if (some.empty()) return Early();
      const size_t n = std::min(out.size(), some.size());
      std::memcpy(out.data(), some.data(), n);
      used_ += n;
      out = out.subspan(n);
    }
    return Done{};
  }

  Status Finish() override {
    RETURN_IF_ERROR(SkipHeader());
    ASSIGN_OR_RETURN(const std::string_view rest, Some());
    if (rest.empty()) return Done{};
    return Corrupt("more data than the header promises").At(file_.path(), at_);
  }

 private:
  Status SkipHeader() {
    while (skip_ > 0) {
      ASSIGN_OR_RETURN(const std::string_view some, Some());
      if (some.empty()) return Early();
      const uint64_t n = std::min<uint64_t>(skip_, some.size());
      used_ += n;
      skip_ -= n;
    }
    return Done{};
  }

  // Decoded bytes not used yet; empty at the end.
  Result<std::string_view> Some() {
    if (used_ == bytes_.size() && at_ < end_) RETURN_IF_ERROR(Refill());
    return std::string_view(bytes_).substr(used_);
  }

  Status Refill() {
    text_.resize(std::min<uint64_t>(kPiece, end_ - at_));
    RETURN_IF_ERROR(
        file_.ReadAt(at_, std::as_writable_bytes(std::span(text_))));
    const bool last = at_ + text_.size() == end_;
    if (!last && text_.back() == '=') {
      return NotBase64(text_, text_.find('='), file_.path(), at_);
    }
    ASSIGN_OR_RETURN(bytes_, DecodeBase64(text_, file_.path(), at_));
    at_ += text_.size();
    used_ = 0;
    return Done{};
  }

  Error Early() const {
    return Corrupt("the base64 text ends early").At(file_.path(), end_);
  }

  const InputFile& file_;
  uint64_t at_, end_, skip_;
  std::string text_, bytes_;
  size_t used_ = 0;
};

}  // namespace

std::unique_ptr<ByteStream> OpenBase64(const InputFile& file,
                                       const StoredTensor& tensor) {
  return std::make_unique<Base64Stream>(file, tensor);
}

}  // namespace assay
