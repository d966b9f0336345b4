#include "kernel/panels.h"

#include <algorithm>
#include <cstring>

#include "core/shape.h"

namespace assay {
namespace {

bool IsBlocked(const MapAxis& axis) {
  return axis.table.empty() && axis.inner < axis.extent;
}

// Rows stand side by side, element by element: a matrix (columns, rows).
bool IsTransposed(const MapAxis& rows, const MapAxis& columns) {
  return rows.stride == 1 && rows.table.empty() && columns.table.empty() &&
         columns.inner >= columns.extent && columns.stride >= rows.inner;
}

// Blocks of rows, the rows of a block one after the other.
bool IsFractal(const MapAxis& rows, const MapAxis& columns) {
  return IsBlocked(columns) && columns.stride == 1 && rows.table.empty() &&
         rows.stride == columns.inner && rows.inner <= rows.extent;
}

// 128 bits are enough here, and every CPU has them.
using Halves = uint16_t __attribute__((vector_size(16)));
using Words = uint32_t __attribute__((vector_size(16)));
using Longs = uint64_t __attribute__((vector_size(16)));

Halves Load(const std::byte* from) {
  Halves v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

Halves Lower(Halves a, Halves b) {
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
Halves Upper(Halves a, Halves b) {
  return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}
Words Lower(Words a, Words b) {
  return __builtin_shufflevector(a, b, 0, 4, 1, 5);
}
Words Upper(Words a, Words b) {
  return __builtin_shufflevector(a, b, 2, 6, 3, 7);
}
Longs Lower(Longs a, Longs b) { return __builtin_shufflevector(a, b, 0, 2); }
Longs Upper(Longs a, Longs b) { return __builtin_shufflevector(a, b, 1, 3); }

// Eight lines of eight 16-bit elements, `step` bytes apart, become eight
// lines `pitch` bytes apart.
void Transpose8x8(const std::byte* from, size_t step, std::byte* to,
                  size_t pitch) {
  Words a[8];
  for (size_t i = 0; i < 4; ++i) {
    const Halves x = Load(from + 2 * i * step);
    const Halves y = Load(from + (2 * i + 1) * step);
    a[2 * i] = reinterpret_cast<Words>(Lower(x, y));
    a[2 * i + 1] = reinterpret_cast<Words>(Upper(x, y));
  }
  Longs b[8];
  for (size_t half = 0; half < 2; ++half) {
    for (size_t k = 0; k < 2; ++k) {
      const Words x = a[4 * half + k], y = a[4 * half + 2 + k];
      b[4 * half + 2 * k] = reinterpret_cast<Longs>(Lower(x, y));
      b[4 * half + 2 * k + 1] = reinterpret_cast<Longs>(Upper(x, y));
    }
  }
  for (size_t i = 0; i < 4; ++i) {
    const Longs even = Lower(b[i], b[4 + i]), odd = Upper(b[i], b[4 + i]);
    std::memcpy(to + 2 * i * pitch, &even, sizeof even);
    std::memcpy(to + (2 * i + 1) * pitch, &odd, sizeof odd);
  }
}

// A stored matrix of lines `step` apart, in elements; it need not be aligned.
struct Matrix {
  const std::byte* from;
  size_t step;
  std::byte* to;
  size_t pitch;  // between rows of the result
};

template <size_t kWidth>
void TransposePlain(const Matrix& m, size_t column, size_t columns, size_t row,
                    size_t rows) {
  for (size_t r = row; r < row + rows; ++r) {
    for (size_t c = column; c < column + columns; ++c) {
      std::memcpy(m.to + (r * m.pitch + c) * kWidth,
                  m.from + (c * m.step + r) * kWidth, kWidth);
    }
  }
}

void TransposeHalves(const Matrix& m, size_t columns, size_t rows) {
  const size_t whole_columns = columns / 8 * 8, whole_rows = rows / 8 * 8;
  for (size_t c = 0; c < whole_columns; c += 8) {
    for (size_t r = 0; r < whole_rows; r += 8) {
      Transpose8x8(m.from + (c * m.step + r) * 2, m.step * 2,
                   m.to + (r * m.pitch + c) * 2, m.pitch * 2);
    }
  }
  TransposePlain<2>(m, whole_columns, columns - whole_columns, 0, whole_rows);
  TransposePlain<2>(m, 0, columns, whole_rows, rows - whole_rows);
}

// Blocks of rows, `step` bytes apart, laid side by side.
struct BlockRow {
  const std::byte* from;
  int64_t step;
  size_t row_bytes, rows;
  std::byte* to;
  size_t pitch;  // bytes of a row of the result
};

// Several blocks at a time: the rows of the result may all fall into one set of
// the cache, and a line that is left half written is written twice.
template <size_t kWidth>
size_t LayTogether(const BlockRow& b) {
  constexpr size_t kTogether = 4;
  const std::byte* from = b.from;
  size_t at = 0;
  for (; at + kTogether * kWidth <= b.pitch; at += kTogether * kWidth) {
    const std::byte* next = from + static_cast<int64_t>(kTogether) * b.step;
    for (size_t r = 0; r < b.rows; ++r) {
      for (size_t k = 0; k < kTogether; ++k) {
        const int64_t block = static_cast<int64_t>(k) * b.step;
        __builtin_prefetch(next + block + r * kWidth);
        std::memcpy(b.to + r * b.pitch + at + k * kWidth,
                    from + block + r * kWidth, kWidth);
      }
    }
    from = next;
  }
  return at;
}

void LayBlocks(const BlockRow& b) {
  size_t at = 0;
  if (b.row_bytes == 32) at = LayTogether<32>(b);
  if (b.row_bytes == 64) at = LayTogether<64>(b);
  const std::byte* from =
      b.from + static_cast<int64_t>(at / b.row_bytes) * b.step;
  for (; at < b.pitch; at += b.row_bytes, from += b.step) {
    const size_t n = std::min(b.row_bytes, b.pitch - at);
    for (size_t r = 0; r < b.rows; ++r) {
      std::memcpy(b.to + r * b.pitch + at, from + r * b.row_bytes, n);
    }
  }
}

}  // namespace

bool Panels::Fit(const ElementMap& map, uint8_t bits, size_t room) {
  const ElementMap merged = map.Merged();
  const size_t rank = merged.axes.size();
  if (rank < 2 || bits < 16 || bits > 64) return false;
  const MapAxis &rows = merged.axes[rank - 2], &columns = merged.axes.back();
  if (rows.extent == 0 || columns.extent == 0) return false;
  const auto count =
      static_cast<uint64_t>(std::min(rows.inner, rows.extent) * columns.extent);
  return (IsTransposed(rows, columns) || IsFractal(rows, columns)) &&
         count <= room * 8 / bits;
}

Panels::Panels(const ElementMap& map, uint8_t bits, uint64_t most)
    : width_(bits / 8) {
  std::vector<MapAxis> axes = map.Merged().axes;
  columns_ = axes.back();
  axes.pop_back();
  rows_ = axes.back();
  axes.pop_back();
  outer_ = std::move(axes);
  JoinBlocks(most);
}

// Blocks of rows that follow each other in memory are read in one go.
void Panels::JoinBlocks(uint64_t most) {
  if (!IsBlocked(columns_) ||
      rows_.outer_stride != rows_.inner * rows_.stride) {
    return;
  }
  const int64_t fit = static_cast<int64_t>(most) / columns_.extent;
  rows_.inner = std::max(rows_.inner, std::min(fit, rows_.extent));
  rows_.outer_stride = rows_.inner * rows_.stride;
}

uint64_t Panels::Largest() const {
  return static_cast<uint64_t>(std::min(rows_.inner, rows_.extent) *
                               columns_.extent);
}

bool Panels::StandAlone() const { return !IsBlocked(columns_); }

Panels::Panel Panels::At(uint64_t at) const {
  const auto columns = static_cast<uint64_t>(columns_.extent);
  const uint64_t row = at / columns;
  const auto in_outer =
      static_cast<int64_t>(row % static_cast<uint64_t>(rows_.extent));
  uint64_t outer = row / static_cast<uint64_t>(rows_.extent);
  const int64_t first = in_outer / rows_.inner * rows_.inner;
  const auto rows =
      static_cast<size_t>(std::min(rows_.inner, rows_.extent - first));
  int64_t base = rows_.At(first);
  for (size_t k = outer_.size(); k-- > 0;) {
    const auto extent = static_cast<uint64_t>(outer_[k].extent);
    base += outer_[k].At(static_cast<int64_t>(outer % extent));
    outer /= extent;
  }
  const auto last = static_cast<int64_t>(rows) - 1;
  return {(row - static_cast<uint64_t>(in_outer - first)) * columns,
          rows * columns, base,
          rows_.At(first + last) - rows_.At(first) +
              columns_.At(columns_.extent - 1) + 1};
}

void Panels::Fill(const Panel& panel, const std::byte* from,
                  std::byte* out) const {
  const auto columns = static_cast<size_t>(columns_.extent);
  const auto rows = static_cast<size_t>(panel.n) / columns;
  const Matrix matrix = {from, static_cast<size_t>(columns_.stride), out,
                         columns};
  if (IsBlocked(columns_)) {
    LayBlocks({from, columns_.outer_stride * static_cast<int64_t>(width_),
               static_cast<size_t>(columns_.inner) * width_, rows, out,
               columns * width_});
  } else if (width_ == 2) {
    TransposeHalves(matrix, columns, rows);
  } else if (width_ == 4) {
    TransposePlain<4>(matrix, 0, columns, 0, rows);
  } else {
    TransposePlain<8>(matrix, 0, columns, 0, rows);
  }
}

}  // namespace assay
