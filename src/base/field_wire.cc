// Fields of protobuf's binary form, named by a schema.
#include <fmt/format.h>

#include <bit>
#include <vector>

#include "base/field_reader.h"

namespace assay {
namespace {

constexpr uint64_t kVarint = 0, kWide = 1, kBytes = 2, kNarrow = 5;

bool Fits(const SchemaField& field, uint64_t type) {
  switch (field.kind) {
    case SchemaKind::kText:
    case SchemaKind::kMessage:
      return type == kBytes;
    case SchemaKind::kFloat:
    case SchemaKind::kFixed32:
      return type == kNarrow || (type == kBytes && !field.single);
    case SchemaKind::kDouble:
    case SchemaKind::kFixed64:
      return type == kWide || (type == kBytes && !field.single);
    default:
      return type == kVarint || (type == kBytes && !field.single);
  }
}

class WireFields final : public FieldReader {
 public:
  WireFields(std::string_view bytes, const Schema& root, std::string_view path,
             uint64_t base)
      : bytes_(bytes), path_(path), base_(base), limit_(bytes.size()) {
    open_.push_back({&root, bytes.size()});
  }

  Field Next() override;
  void Skip(const Field& first) override;
  Error error() const override {
    return Place(Corrupt("{}", what_), base_ + failed_at_)
        .Hint("the message is damaged or of another kind");
  }

 private:
  struct Open {
    const Schema* schema;
    size_t end;
  };

  Error Place(Error error, uint64_t at) const override {
    return std::move(error).At(path_, at);
  }
  Field Fail(std::string what);
  Field Close();
  // These fail if the bytes end before `limit_`.
  bool Varint(uint64_t& value);
  bool Fixed(size_t size, uint64_t& value);
  bool Payload(std::string_view& bytes);
  bool Pass(uint64_t type);
  const SchemaField* Find(uint64_t number, uint64_t type) const;
  Field Read(const SchemaField& member, uint64_t type);
  Field Begin(const SchemaField& member, std::string_view payload);
  Field Number(const SchemaField& member);
  Field Named(const SchemaField& member, FieldKind kind) const {
    return {.kind = kind, .at = base_ + field_at_, .name = member.name};
  }

  std::string_view bytes_, path_;
  uint64_t base_;
  size_t at_ = 0, field_at_ = 0, failed_at_ = 0;
  size_t limit_;  // of the innermost message, or of packed numbers
  std::vector<Open> open_;
  const SchemaField* packed_ = nullptr;
  std::string what_;
};

bool WireFields::Varint(uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (at_ >= limit_) return false;
    const auto byte = static_cast<uint8_t>(bytes_[at_++]);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool WireFields::Fixed(size_t size, uint64_t& value) {
  if (limit_ - at_ < size) return false;
  value = 0;
  for (size_t i = 0; i < size; ++i, ++at_) {
    value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes_[at_]))
             << (8 * i);
  }
  return true;
}

bool WireFields::Payload(std::string_view& bytes) {
  uint64_t length = 0;
  if (!Varint(length) || length > limit_ - at_) return false;
  bytes = bytes_.substr(at_, length);
  return true;
}

bool WireFields::Pass(uint64_t type) {
  uint64_t value = 0;
  std::string_view payload;
  switch (type) {
    case kVarint:
      return Varint(value);
    case kWide:
      return Fixed(8, value);
    case kNarrow:
      return Fixed(4, value);
    case kBytes:
      if (!Payload(payload)) return false;
      at_ += payload.size();
      return true;
    default:
      return false;
  }
}

Field WireFields::Fail(std::string what) {
  if (what_.empty()) {
    what_ = std::move(what);
    failed_at_ = field_at_;
  }
  return {.kind = FieldKind::kError, .at = base_ + failed_at_};
}

Field WireFields::Next() {
  while (what_.empty()) {
    field_at_ = at_;
    if (packed_ != nullptr && at_ < limit_) return Number(*packed_);
    if (packed_ != nullptr) {
      packed_ = nullptr;
      limit_ = open_.back().end;
    }
    if (at_ == limit_) return Close();
    uint64_t tag = 0;
    if (!Varint(tag) || tag >> 3 == 0) return Fail("a field number is damaged");
    const SchemaField* const member = Find(tag >> 3, tag & 7);
    if (member != nullptr) {
      const Field field = Read(*member, tag & 7);
      if (packed_ == nullptr) return field;
    } else if (!Pass(tag & 7)) {
      return Fail(fmt::format("field {} is damaged", tag >> 3));
    }
  }
  return Fail("");
}

// A field of another wire type is one that the schema does not know.
const SchemaField* WireFields::Find(uint64_t number, uint64_t type) const {
  for (const SchemaField& field : open_.back().schema->fields) {
    if (field.number != number) continue;
    return Fits(field, type) ? &field : nullptr;
  }
  return nullptr;
}

Field WireFields::Close() {
  if (open_.size() == 1) {
    return {.kind = FieldKind::kDone, .at = base_ + at_};
  }
  open_.pop_back();
  limit_ = open_.back().end;
  return {.kind = FieldKind::kEnd, .at = base_ + at_};
}

Field WireFields::Read(const SchemaField& member, uint64_t type) {
  if (type != kBytes) return Number(member);
  std::string_view payload;
  if (!Payload(payload)) {
    return Fail(fmt::format("'{}' is longer than what it is in", member.name));
  }
  if (member.kind == SchemaKind::kMessage) return Begin(member, payload);
  if (member.kind == SchemaKind::kText) {
    at_ += payload.size();
    Field field = Named(member, FieldKind::kString);
    field.text = payload;
    return field;
  }
  packed_ = &member;
  limit_ = at_ + payload.size();
  return {};
}

Field WireFields::Begin(const SchemaField& member, std::string_view payload) {
  if (open_.size() > kDeepest) {
    return Fail(fmt::format("nested deeper than {} levels", kDeepest));
  }
  limit_ = at_ + payload.size();
  open_.push_back({member.message, limit_});
  return Named(member, FieldKind::kBegin);
}

Field WireFields::Number(const SchemaField& member) {
  uint64_t value = 0;
  const auto read = [&] {
    switch (member.kind) {
      case SchemaKind::kFloat:
      case SchemaKind::kFixed32:
        return Fixed(4, value);
      case SchemaKind::kDouble:
      case SchemaKind::kFixed64:
        return Fixed(8, value);
      default:
        return Varint(value);
    }
  };
  if (!read()) return Fail(fmt::format("'{}' is cut short", member.name));
  Field field = Named(member, FieldKind::kNumber);
  field.form = FieldForm::kUnsigned;
  field.bits = value;
  switch (member.kind) {
    case SchemaKind::kZigZag:
      field.bits = value >> 1 ^ (0 - (value & 1));
      [[fallthrough]];
    case SchemaKind::kSigned:
      field.form = FieldForm::kSigned;
      break;
    case SchemaKind::kFloat:
      field.form = FieldForm::kFloat;
      field.bits = std::bit_cast<uint64_t>(static_cast<double>(
          std::bit_cast<float>(static_cast<uint32_t>(value))));
      break;
    case SchemaKind::kDouble:
      field.form = FieldForm::kDouble;
      break;
    case SchemaKind::kBool:
    case SchemaKind::kEnum: {
      constexpr std::string_view kTruth[] = {"false", "true"};
      const std::span<const std::string_view> words =
          member.kind == SchemaKind::kBool ? kTruth : member.words;
      field.form = FieldForm::kSigned;
      if (value >= words.size() || words[value].empty()) break;
      field.kind = FieldKind::kWord;
      field.form = FieldForm::kPlain;
      field.text = words[value];
      break;
    }
    default:
      break;
  }
  return field;
}

// The length is known: nothing inside is looked at.
void WireFields::Skip(const Field& first) {
  if (first.kind != FieldKind::kBegin || !what_.empty()) return;
  at_ = open_.back().end;
  open_.pop_back();
  limit_ = open_.back().end;
}

}  // namespace

std::unique_ptr<FieldReader> ReadWireFields(std::string_view bytes,
                                            const Schema& root,
                                            std::string_view path,
                                            uint64_t base) {
  return std::make_unique<WireFields>(bytes, root, path, base);
}

}  // namespace assay
