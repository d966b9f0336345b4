// Text, only written: one number per line. `txt` begins with lines that say
// what it is, and NumPy's loadtxt reads it back; `txt-plain` is what NumPy's
// savetxt writes for the flattened array.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "codecs/codec.h"
#include "kernel/decode.h"

namespace assay {
namespace {

bool Holds(DType dtype) { return dtype != DType::kOpaque; }

// NumPy writes no sign of a NaN, C libraries do.
template <typename T>
T WithoutNanSign(T x) {
  return std::isnan(x) ? std::numeric_limits<T>::quiet_NaN() : x;
}

// Shortest text that gives the same value again.
template <typename T>
void AppendShortest(T x, std::string& out) {
  fmt::format_to(std::back_inserter(out), "{}", WithoutNanSign(x));
}

void AppendSavetxt(double x, std::string& out) {
  char text[48];
  const int length =
      std::snprintf(text, sizeof text, "%.18e", WithoutNanSign(x));
  out.append(text, static_cast<size_t>(length));
}

// "(re+imj)", where a minus sign replaces the plus.
template <typename Append>
void AppendComplex(double re, double im, const Append& append,
                   std::string& out) {
  out += '(';
  append(re, out);
  std::string imaginary;
  append(im, imaginary);
  if (!imaginary.starts_with('-')) out += '+';
  out += imaginary + "j)";
}

// Turns the pieces of a tensor into lines; a piece is whole elements.
class Lines {
 public:
  Lines(DType dtype, uint64_t elements, bool plain)
      : dtype_(dtype),
        left_(IsComplex(dtype) ? 2 * elements : elements),
        plain_(plain),
        part_(Info(dtype).part),
        whole_(Info(part_).kind == DKind::kInteger ||
               Info(part_).kind == DKind::kBool),
        type_(whole_ ? TileType::kI64 : TileType::kF64),
        decoder_(FindDecoder(dtype, type_, false)) {}

  void Append(std::string_view bytes, std::string& out) {
    const size_t n =
        std::min<uint64_t>(left_, bytes.size() * 8 / Info(part_).bits);
    left_ -= n;
    tile_.resize(n);
    if (decoder_ == nullptr) {
      std::memcpy(tile_.data(), bytes.data(), bytes.size());
    } else {
      decoder_(reinterpret_cast<const std::byte*>(bytes.data()), n,
               tile_.data());
    }
    const size_t step = IsComplex(dtype_) ? 2 : 1;
    for (size_t i = 0; i < n; i += step) {
      AppendElement(i, out);
      out += '\n';
    }
  }

 private:
  double Real(size_t i) const {
    if (type_ == TileType::kF64) {
      double x;
      std::memcpy(&x, &tile_[i], sizeof x);
      return x;
    }
    if (part_ == DType::kU64) return static_cast<double>(tile_[i]);
    return static_cast<double>(static_cast<int64_t>(tile_[i]));
  }

  void AppendElement(size_t i, std::string& out) const {
    if (IsComplex(dtype_)) {
      if (plain_) out += ' ';
      AppendComplex(Real(i), Real(i + 1),
                    plain_ ? AppendSavetxt : AppendShortest<double>, out);
    } else if (plain_) {
      AppendSavetxt(Real(i), out);
    } else if (IsSingle()) {
      AppendShortest(static_cast<float>(Real(i)), out);
    } else if (!whole_) {
      AppendShortest(Real(i), out);
    } else if (part_ == DType::kU64) {
      fmt::format_to(std::back_inserter(out), "{}", tile_[i]);
    } else {
      fmt::format_to(std::back_inserter(out), "{}",
                     static_cast<int64_t>(tile_[i]));
    }
  }

  // Read back as at most a float. NumPy has no 8-bit floats: who reads these
  // lines has doubles.
  bool IsSingle() const {
    return !whole_ && (Info(part_).bits == 16 || Info(part_).bits == 32);
  }

  DType dtype_;
  uint64_t left_;  // reals
  bool plain_;
  DType part_;
  bool whole_;
  TileType type_;
  Decoder decoder_;
  std::vector<uint64_t> tile_;
};

Status WriteLines(TensorToWrite& tensor, bool plain, OutputFile& out) {
  Lines lines(tensor.dtype, ElementCount(tensor.shape).value_or(0), plain);
  return PassValues(tensor, [&](std::string_view bytes) -> Status {
    std::string text;
    lines.Append(bytes, text);
    return out.Append(text);
  });
}

Status WriteTxt(std::span<TensorToWrite> tensors, OutputFile& out) {
  TensorToWrite& tensor = tensors.front();
  RETURN_IF_ERROR(out.Append(fmt::format(
      "# shape {}\n# dtype {}\n", ToText(tensor.shape), Name(tensor.dtype))));
  return WriteLines(tensor, false, out);
}

Status WritePlain(std::span<TensorToWrite> tensors, OutputFile& out) {
  return WriteLines(tensors.front(), true, out);
}

}  // namespace

extern constinit const Codec kTxt = {
    .name = "txt",
    .summary = "text, one number per line after # shape and # dtype",
    .extensions = ".txt",
    .sniff = nullptr,
    .list = nullptr,
    .write = WriteTxt,
    .holds = Holds,
};

extern constinit const Codec kTxtPlain = {
    .name = "txt-plain",
    .summary = "text as numpy.savetxt writes a flattened array",
    .extensions = ".txt",
    .sniff = nullptr,
    .list = nullptr,
    .write = WritePlain,
    .holds = Holds,
};

}  // namespace assay
