#pragma once

#include <cstddef>
#include <cstdint>

#include "base/input_file.h"
#include "base/result.h"

namespace assay {

// A part of a file mapped for reading. A file that shrinks under the mapping
// would end the program with SIGBUS; here the lost pages read as zero instead
// and `intact()` turns false, so the reader can say so.
class MappedWindow {
 public:
  static Result<MappedWindow> Map(const InputFile& file, uint64_t offset,
                                  size_t length);

  MappedWindow(MappedWindow&& other) noexcept;
  MappedWindow& operator=(MappedWindow&& other) noexcept;
  ~MappedWindow();

  const std::byte* data() const { return data_; }
  bool intact() const;

 private:
  struct Slot;  // what the signal handler knows about this window
  MappedWindow(Slot* slot, const std::byte* data) : slot_(slot), data_(data) {}

  Slot* slot_ = nullptr;
  const std::byte* data_ = nullptr;
};

}  // namespace assay
