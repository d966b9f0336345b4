#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/input_file.h"
#include "base/result.h"
#include "codecs/wire.h"

namespace assay {

// A file seen through a window: the first one is the head that is in memory
// anyway, so that most headers cost no further read.
class FileWindow {
 public:
  explicit FileWindow(const InputFile& file) : file_(file) {}

  const InputFile& file() const { return file_; }
  // `length` bytes of the file, which must have them. What comes back is
  // good until the next call.
  Result<std::string_view> At(uint64_t offset, uint64_t length);

 private:
  const InputFile& file_;
  std::string bytes_;
  uint64_t at_ = 0;
};

// The fields of a protobuf message that is a part of a file. Messages inside
// messages share the window, and no payload is read unless asked for.
class MessageReader {
 public:
  // Names are for errors, by field number.
  MessageReader(FileWindow& window, uint64_t begin, uint64_t end,
                std::span<const std::string_view> names)
      : window_(window), at_(begin), end_(end), names_(names) {}

  bool done() const { return at_ == end_; }
  Result<WireField> Next();

 private:
  Result<WireField> Pass(const WireField& field);

  FileWindow& window_;
  uint64_t at_, end_;
  std::span<const std::string_view> names_;
};

// "output"; "field 12" for one without a name.
std::string FieldName(std::span<const std::string_view> names, uint64_t number);
// Field numbers and wire types as the format has them.
bool IsWireTag(uint64_t tag);

}  // namespace assay
