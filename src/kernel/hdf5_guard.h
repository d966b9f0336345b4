#pragma once

// Newer versions of the library keep the functions of 1.10 under this name.
#ifndef H5_USE_110_API
#define H5_USE_110_API
#endif
#include <hdf5.h>

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/input_file.h"
#include "base/result.h"

namespace assay {

// libhdf5 is not safe for threads: whoever calls it holds a guard, and so does
// whoever lets go of a Hdf5Id. There is one at a time in the program.
class Hdf5Guard {
 public:
  Hdf5Guard();
  Hdf5Guard(const Hdf5Guard&) = delete;
  Hdf5Guard& operator=(const Hdf5Guard&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
};

// Whatever libhdf5 hands out an identifier for.
class Hdf5Id {
 public:
  Hdf5Id() = default;
  explicit Hdf5Id(hid_t id) : id_(id) {}
  Hdf5Id(Hdf5Id&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Hdf5Id& operator=(Hdf5Id&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Hdf5Id() {
    if (id_ >= 0) H5Idec_ref(id_);
  }

  bool ok() const { return id_ >= 0; }
  hid_t get() const { return id_; }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

// Text from a file without control characters.
std::string Printable(std::string text);

// What the last call that failed says about itself, at its innermost place.
Error Hdf5Error(std::string_view path);

// Opens the file for reading only; `file` outlives it. No other file is ever
// opened for it.
Result<Hdf5Id> OpenHdf5(const InputFile& file);

}  // namespace assay
