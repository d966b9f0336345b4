#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "codecs/codec.h"

namespace assay {

// Lists bytes as a file of one codec; stops the fuzzer if an extent leaves the
// file or an error says nothing.
inline void ListBytes(std::string_view codec, const uint8_t* data, size_t size,
                      const CodecHints& hints = {}) {
  const int fd = memfd_create("fuzz", MFD_CLOEXEC);
  if (fd < 0 || write(fd, data, size) != static_cast<ssize_t>(size)) abort();
  {
    const auto file = InputFile::Open(fmt::format("/proc/self/fd/{}", fd));
    if (!file) abort();
    const auto tensors = FindCodec(codec)->list(*file, hints);
    if (!tensors &&
        (tensors.error().what.empty() || tensors.error().file.empty())) {
      abort();
    }
    for (size_t i = 0; tensors && i < tensors->size(); ++i) {
      const Extent& extent = (*tensors)[i].extent;
      if (extent.offset > size || extent.length > size - extent.offset) abort();
      if (!ElementCount((*tensors)[i].shape)) abort();
    }
  }
  close(fd);
}

}  // namespace assay
