// Overflow record of an Ascend device, in one of two kinds.
//   old    0     128   DHA Atomic Add: u64 model_id, stream_id, task_id,
//                      task_type, pc_start, para_base
//          128   128   L2 Atomic Add: the same
//          256   256   AI Core: the same
//          512   256   DHA status: u64
//          768   256   L2 status: u64
//          1024  1024  AI Core: u64 kernel_code, block_idx, status
//   new    0     4     magic 0x5a5a5a5a
//          4     20    u32 version, valid, unit, reserved, bytes of data
//          24    ..    u64 words, which ones depends on the unit; status last
#include "pipeline/overflow_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/byte_reader.h"

namespace assay {
namespace {

constexpr uint32_t kMagic = 0x5a5a5a5a;
constexpr size_t kOldBytes = 2048;

using Keys = std::span<const std::string_view>;

constexpr std::string_view kOldKeys[] = {"model_id",  "stream_id", "task_id",
                                         "task_type", "pc_start",  "para_base"};
constexpr std::string_view kOldCoreKeys[] = {"kernel_code", "block_idx"};
constexpr std::string_view kCoreKeys[] = {
    "model_id",  "stream_id", "task_id",   "task_type", "context_id",
    "thread_id", "pc_start",  "para_base", "core_id",   "block_id"};
constexpr std::string_view kCpuKeys[] = {"model_id",  "stream_id",  "task_id",
                                         "task_type", "context_id", "cpu_id",
                                         "thread_id"};
constexpr std::string_view kSdmaKeys[] = {
    "model_id",  "stream_id", "task_id",  "task_type", "context_id",
    "thread_id", "src_addr",  "dst_addr", "channel_id"};

constexpr struct {
  std::string_view name;
  Keys keys;
  bool many_words;  // four of status in version 1
} kUnits[] = {{"AIC", kCoreKeys, true},
              {"AIV", kCoreKeys, true},
              {"AICPU", kCpuKeys, false},
              {"SDMA", kSdmaKeys, false}};

void ReadFields(ByteReader& in, Keys keys, UnitRecord& unit) {
  for (const std::string_view key : keys) {
    unit.fields.push_back({key, in.U64(key)});
  }
}

Result<OverflowRecord> ParseOld(std::string_view bytes, std::string_view file,
                                uint64_t base) {
  if (bytes.size() != kOldBytes) {
    return Corrupt("an overflow record of {} bytes, {} expected", bytes.size(),
                   kOldBytes)
        .At(file, base)
        .Hint("the file is damaged or no overflow record");
  }
  const auto at = [&](size_t offset) {
    return ByteReader(bytes.substr(offset), file, base + offset);
  };
  OverflowRecord record;
  record.units = {{"DHA Atomic Add", {}, {}},
                  {"L2 Atomic Add", {}, {}},
                  {"AI Core", {}, {}}};
  for (size_t i = 0; i < 3; ++i) {
    ByteReader in = at(128 * i);
    ReadFields(in, kOldKeys, record.units[i]);
  }
  for (size_t i = 0; i < 2; ++i) {
    record.units[i].status = {at(512 + 256 * i).U64("status")};
  }
  ByteReader core = at(1024);
  ReadFields(core, kOldCoreKeys, record.units[2]);
  record.units[2].status = {core.U64("status")};
  return record;
}

void NoteOddities(const RecordHead& head, size_t words,
                  OverflowRecord& record) {
  if (head.valid != 1) {
    record.notes.push_back(
        fmt::format("the record is marked as not valid ({})", head.valid));
  }
  if (head.data_bytes != 8 * words) {
    record.notes.push_back(fmt::format("it announces {} bytes, {} has {}",
                                       head.data_bytes, record.units[0].unit,
                                       8 * words));
  }
}

Result<OverflowRecord> ParseNew(std::string_view bytes, std::string_view file,
                                uint64_t base) {
  ByteReader in(bytes, file, base);
  in.U32("magic");
  RecordHead head;
  head.version = in.U32("version");
  head.valid = in.U32("valid");
  const uint64_t unit_at = in.offset();
  const uint32_t number = in.U32("unit");
  head.reserved = in.U32("reserved");
  head.data_bytes = in.U32("bytes of data");
  if (!in.ok()) return in.error();
  if (number >= std::size(kUnits)) {
    return Unsupported("an overflow record of unit {}, which is not known",
                       number)
        .At(file, unit_at)
        .Hint("known are 0 (AIC), 1 (AIV), 2 (AICPU) and 3 (SDMA)");
  }
  const auto& kind = kUnits[number];
  UnitRecord unit{kind.name, {}, {}};
  ReadFields(in, kind.keys, unit);
  const size_t words = kind.many_words && head.version == 1 ? 4 : 1;
  for (size_t i = 0; i < words; ++i) unit.status.push_back(in.U64("status"));
  if (!in.ok()) return in.error();
  OverflowRecord record;
  record.head = head;
  record.units.push_back(std::move(unit));
  NoteOddities(head, kind.keys.size() + words, record);
  return record;
}

// JSON as Python writes it with an indent of 4.
std::string Indented(char open, const std::vector<std::string>& members,
                     size_t depth, char close) {
  std::string text(1, open);
  for (const std::string& member : members) {
    text += text.size() == 1 ? "\n" : ",\n";
    text.append(4 * (depth + 1), ' ');
    text += member;
  }
  text += '\n';
  text.append(4 * depth, ' ');
  return text + close;
}

std::string Member(std::string_view key, std::string_view value) {
  return fmt::format("\"{}\": {}", key, value);
}

std::string Decimal(uint64_t value) { return fmt::format("{}", value); }
std::string Hexadecimal(uint64_t value) {
  return fmt::format("\"{:#x}\"", value);
}

std::string StatusJson(const std::vector<uint64_t>& words, size_t depth) {
  if (words.size() == 1) return Decimal(words[0]);
  std::vector<std::string> members;
  for (const uint64_t word : words) members.push_back(Decimal(word));
  return Indented('[', members, depth, ']');
}

std::string UnitJson(const UnitRecord& unit, size_t depth) {
  std::vector<std::string> members;
  for (const RecordField& field : unit.fields) {
    members.push_back(Member(field.key, IsAddress(field.key)
                                            ? Hexadecimal(field.value)
                                            : Decimal(field.value)));
  }
  members.push_back(Member("status", StatusJson(unit.status, depth + 1)));
  return Indented('{', members, depth, '}');
}

std::string NewJson(const RecordHead& head, const UnitRecord& unit) {
  const std::string list =
      Indented('{',
               {Member("valid", Decimal(head.valid)),
                Member("acc_type", fmt::format("\"{}\"", unit.unit)),
                Member("rsv", Decimal(head.reserved)),
                Member("data_len", Decimal(head.data_bytes)),
                Member("data", UnitJson(unit, 2))},
               1, '}');
  return Indented(
      '{',
      {Member("magic", Hexadecimal(kMagic)),
       Member("version", Decimal(head.version)), Member("acc_list", list)},
      0, '}');
}

}  // namespace

std::optional<uint64_t> UnitRecord::Find(std::string_view key) const {
  const auto found = std::ranges::find(fields, key, &RecordField::key);
  return found == fields.end() ? std::nullopt : std::optional(found->value);
}

bool UnitRecord::HasOverflow() const {
  return std::ranges::any_of(status, [](uint64_t word) { return word != 0; });
}

Result<OverflowRecord> ParseOverflowRecord(std::string_view bytes,
                                           std::string_view file,
                                           uint64_t base) {
  ByteReader in(bytes, file, base);
  const uint32_t first = in.U32("overflow record");
  if (!in.ok()) return in.error();
  return first == kMagic ? ParseNew(bytes, file, base)
                         : ParseOld(bytes, file, base);
}

bool IsAddress(std::string_view key) {
  constexpr std::array kAddresses = {
      std::string_view("pc_start"), std::string_view("para_base"),
      std::string_view("kernel_code"), std::string_view("src_addr"),
      std::string_view("dst_addr")};
  return std::ranges::find(kAddresses, key) != kAddresses.end();
}

std::string RecordJson(const OverflowRecord& record) {
  if (record.head) return NewJson(*record.head, record.units[0]);
  std::vector<std::string> members;
  for (const UnitRecord& unit : record.units) {
    members.push_back(Member(unit.unit, UnitJson(unit, 1)));
  }
  return Indented('{', members, 0, '}');
}

}  // namespace assay
