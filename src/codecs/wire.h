#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/input_file.h"
#include "base/result.h"

namespace assay {

enum class WireType : uint8_t {
  kVarint = 0,
  kFixed64 = 1,
  kBytes = 2,  // text, messages, packed numbers
  kFixed32 = 5,
};

// One field of a protobuf message.
struct WireField {
  uint32_t number = 0;
  WireType type = WireType::kVarint;
  uint64_t at = 0;                  // where the field begins
  uint64_t value = 0;               // of a varint
  uint64_t offset = 0, length = 0;  // the payload of other types
};

// Walks over the fields of a message in a file and reads no payloads. Names are
// for errors, by field number.
class WireReader {
 public:
  WireReader(const InputFile& file, std::span<const std::string_view> names)
      : file_(file), names_(names), end_(file.size()) {}
  // The fields of a message that is a field itself.
  WireReader(const InputFile& file, std::span<const std::string_view> names,
             const WireField& message)
      : file_(file),
        names_(names),
        at_(message.offset),
        end_(message.offset + message.length) {}

  bool done() const { return at_ == end_; }
  Result<WireField> Next();

 private:
  Status Fill();
  Result<WireField> Pass(const WireField& field);
  std::string Name(uint64_t number) const;

  const InputFile& file_;
  std::span<const std::string_view> names_;
  uint64_t at_ = 0;
  uint64_t end_;
  std::string window_;
  uint64_t window_at_ = 0;
};

// The number of packed varints in a part of a file.
Result<uint64_t> CountVarints(const InputFile& file, uint64_t offset,
                              uint64_t length);

}  // namespace assay
