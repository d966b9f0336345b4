#pragma once

#include <string>
#include <string_view>

namespace assay {

// A .npy file, well-formed unless told otherwise.
class Npy {
 public:
  Npy& Descr(std::string_view text) { return descr_ = text, *this; }
  Npy& Shape(std::string_view text) { return shape_ = text, *this; }
  Npy& Dict(std::string_view text) { return dict_ = text, *this; }
  Npy& Version(int major, int minor = 0) {
    major_ = major, minor_ = minor;
    return *this;
  }
  Npy& Data(size_t bytes) { return data_ = bytes, *this; }
  std::string Cut(size_t bytes) const { return Bytes().substr(0, bytes); }

  std::string Bytes() const {
    const std::string dict =
        !dict_.empty()
            ? dict_
            : "{'descr': '" + descr_ +
                  "', 'fortran_order': False, 'shape': " + shape_ + ", }\n";
    std::string bytes = "\x93NUMPY";
    bytes += {static_cast<char>(major_), static_cast<char>(minor_)};
    for (int i = 0; i < (major_ == 1 ? 2 : 4); ++i) {
      bytes += static_cast<char>(dict.size() >> (8 * i) & 0xff);
    }
    return bytes + dict + std::string(data_, '\1');
  }
  operator std::string() const { return Bytes(); }

 private:
  std::string descr_ = "<f4", shape_ = "(2, 3)", dict_;
  int major_ = 1, minor_ = 0;
  size_t data_ = 24;
};

}  // namespace assay
