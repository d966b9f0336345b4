#include "pipeline/record.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "codecs/codec.h"
#include "core/dump.h"
#include "core/sketch.h"
#include "judge/by_summary.h"
#include "kernel/pair_blocks.h"
#include "pipeline/align.h"

namespace assay {
namespace {

// NumPy's min() and max() of one tensor, in lanes that become vector code.
template <typename T>
class Extremes {
 public:
  Extremes() {
    using Limits = std::numeric_limits<T>;
    constexpr bool kReal = std::is_floating_point_v<T>;
    lo_.fill(kReal ? Limits::infinity() : Limits::max());
    hi_.fill(kReal ? -Limits::infinity() : Limits::lowest());
  }

  void Add(const T* x, size_t n) {
    size_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
      for (size_t j = 0; j < kLanes; ++j) Take(x[i + j], j);
    }
    for (; i < n; ++i) Take(x[i], 0);
  }
  bool nan() const { return std::ranges::count(nan_, 0) < kLanes; }
  T min() const { return *std::ranges::min_element(lo_); }
  T max() const { return *std::ranges::max_element(hi_); }

 private:
  static constexpr int kLanes = 16;
  using Flag = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  void Take(T x, size_t j) {
    lo_[j] = x < lo_[j] ? x : lo_[j];
    hi_[j] = x > hi_[j] ? x : hi_[j];
    nan_[j] |= x != x ? -1 : 0;
  }

  std::array<T, kLanes> lo_, hi_;
  std::array<Flag, kLanes> nan_{};
};

// The same for the bits of float16, which need not become float32 for that: as
// integers, those of negative numbers turned round, they have the same order.
class HalfExtremes {
 public:
  void Add(const int16_t* bits, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      const auto size = static_cast<int16_t>(bits[i] & 0x7fff);
      const auto turned = static_cast<int16_t>(
          bits[i] ^ static_cast<int16_t>((bits[i] >> 15) & 0x7fff));
      lo_ = std::min(lo_, turned);
      hi_ = std::max(hi_, turned);
      largest_ = std::max(largest_, size);
    }
  }
  double min() const { return Value(lo_); }
  double max() const { return Value(hi_); }

 private:
  double Value(int16_t turned) const {
    constexpr int16_t kInfinity = 0x7c00;
    if (largest_ > kInfinity) return NAN;
    const auto bits = static_cast<int16_t>(
        turned ^ static_cast<int16_t>((turned >> 15) & 0x7fff));
    float value = 0;
    FindDecoder(DType::kF16, TileType::kF32, false)(
        reinterpret_cast<const std::byte*>(&bits), 1, &value);
    return value;
  }

  int16_t lo_ = std::numeric_limits<int16_t>::max();
  int16_t hi_ = std::numeric_limits<int16_t>::min();
  int16_t largest_ = 0;
};

// A hash of the values, whatever type they were stored in: eight bytes a turn.
class ValueHash {
 public:
  template <typename T>
  void Add(const T* x, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      const auto value = static_cast<double>(x[i]);
      uint64_t word = std::bit_cast<uint64_t>(value);
      if constexpr (std::is_integral_v<T>) word = static_cast<uint64_t>(x[i]);
      state_ = (std::rotl(state_, 5) ^ word) * 0x9e3779b97f4a7c15;
    }
  }
  std::string Text() const {
    return fmt::format("v1:{:016x}", state_ ^ state_ >> 29);
  }

 private:
  uint64_t state_ = 0x61737361792d7631;
};

// Everything that one pass over a tensor leaves.
struct Gathered {
  bool full = true;  // more than the extremes
  PairStats stats;
  Number min, max;
  ValueHash hash;
  std::array<double, kSketchBins> sketch{};

  TensorSummary Summary() const;
};

TensorSummary Gathered::Summary() const {
  TensorSummary summary = Describe(stats);
  summary.min = min.AsDouble();
  summary.max = max.AsDouble();
  summary.hash = hash.Text();
  summary.sketch.assign(sketch.begin(), sketch.end());
  return summary;
}

// Hash and sketch of one tile.
template <typename T>
void AddFull(const T* x, const TilePair& tile, Gathered& out) {
  out.hash.Add(x, tile.n);
  std::array<double, kBlock> values;
  std::copy_n(x, tile.n, values.begin());
  AddToSketch(values.data(), tile.n, tile.base, out.sketch);
}

// A tensor whose tiles hold values of type T.
template <typename T>
Status Gather(TileReader& reader, const StoredView& view,
              const MeasureOptions& options, Gathered& out) {
  Extremes<T> extremes;
  const uint64_t end = RealCount(view);
  for (TilePair tile; tile.base < end; tile.base += tile.n) {
    tile.type = ChooseTile(view.dtype(), view.dtype());
    tile.n = static_cast<size_t>(std::min<uint64_t>(kBlock, end - tile.base));
    ASSIGN_OR_RETURN(tile.golden, reader.Next(tile.n));
    tile.target = tile.golden;
    const T* x = tile.Golden<T>();
    extremes.Add(x, tile.n);
    if (!out.full) continue;
    ReduceTile(tile, view.dtype(), view.dtype(), options, out.stats);
    AddFull(x, tile, out);
  }
  RETURN_IF_ERROR(reader.Finish());
  if constexpr (std::is_same_v<T, uint64_t>) {
    out.min = Number({.uint = extremes.min()}, NumberKind::kUnsigned);
    out.max = Number({.uint = extremes.max()}, NumberKind::kUnsigned);
  } else if constexpr (std::is_integral_v<T>) {
    out.min = Number({.sint = extremes.min()}, NumberKind::kSigned);
    out.max = Number({.sint = extremes.max()}, NumberKind::kSigned);
  } else {
    out.min = extremes.nan() ? NAN : static_cast<double>(extremes.min());
    out.max = extremes.nan() ? NAN : static_cast<double>(extremes.max());
  }
  return Done{};
}

bool HasPlainHalves(const StoredView& view) {
  return view.dtype() == DType::kF16 && !view.big_endian() && !view.grid;
}

Status GatherHalves(const StoredView& view, const WorkBuffers& buffers,
                    Gathered& out) {
  ASSIGN_OR_RETURN(const OpenView side, OpenView::Open(view));
  const uint64_t count = RealCount(view);
  ASSIGN_OR_RETURN(const auto blocks,
                   OpenBlocks(side, {0, count * sizeof(int16_t)},
                              ReadMode::kRead, buffers.golden().read));
  HalfExtremes extremes;
  std::array<int16_t, kBlock> halves;
  for (uint64_t at = 0; at < count; at += kBlock) {
    const auto n = static_cast<size_t>(std::min<uint64_t>(kBlock, count - at));
    ASSIGN_OR_RETURN(const std::byte* bytes, blocks->Next(n * sizeof(int16_t)));
    std::memcpy(halves.data(), bytes, n * sizeof(int16_t));  // any alignment
    extremes.Add(halves.data(), n);
  }
  out.min = extremes.min();
  out.max = extremes.max();
  return blocks->Finish();
}

Status ReadAll(const StoredView& view, const MeasureOptions& options,
               const WorkBuffers& buffers, Gathered& out) {
  if (!out.full && HasPlainHalves(view)) {
    return GatherHalves(view, buffers, out);
  }
  const TileType type = ChooseTile(view.dtype(), view.dtype());
  ASSIGN_OR_RETURN(const OpenView side, OpenView::Open(view));
  ASSIGN_OR_RETURN(TileReader reader,
                   TileReader::Open(side, type, {0, RealCount(view)},
                                    ReadMode::kRead, buffers.golden()));
  switch (type) {
    case TileType::kF32:
      return Gather<float>(reader, view, options, out);
    case TileType::kF64:
      return Gather<double>(reader, view, options, out);
    case TileType::kI64:
      break;
  }
  if (view.dtype() == DType::kU64) {
    return Gather<uint64_t>(reader, view, options, out);
  }
  return Gather<int64_t>(reader, view, options, out);
}

// No order changes the extremes: where nothing is padding, the values are read
// as they lie.
StoredView InAnyOrder(StoredView view) {
  if (view.map && view.map->stored == ElementCount(view.shape)) {
    view.map.reset();
  }
  return view;
}

Result<TensorRecord> RecordTensor(const Dump& dump, const TensorInfo& info,
                                  Gathered gathered,
                                  const MeasureOptions& options,
                                  const WorkBuffers& buffers) {
  if (info.error()) return *info.error();
  if (!HasNumbers(info.stored) || IsComplex(info.stored.dtype)) {
    return Unsupported("{} has no smallest value", Name(info.stored.dtype))
        .Of(info.stored.name);
  }
  const StoredView view = SeePlain(dump, info).view;
  if (RealCount(view) == 0)
    return Unsupported("it is empty").Of(info.stored.name);
  RETURN_IF_ERROR(ReadAll(gathered.full ? view : InAnyOrder(view), options,
                          buffers, gathered));
  TensorRecord record{.tensor = {.name = info.stored.name,
                                 .dtype = info.stored.dtype,
                                 .shape = view.shape},
                      .min = gathered.min,
                      .max = gathered.max};
  if (gathered.full) {
    record.tensor.summary =
        std::make_shared<const TensorSummary>(gathered.Summary());
  }
  return record;
}

Dump OneFile(const std::string& path, std::vector<StoredTensor> tensors) {
  Dump dump{.source = path, .files = {path}};
  for (StoredTensor& tensor : tensors) {
    dump.tensors.push_back({.stored = std::move(tensor)});
  }
  return dump;
}

}  // namespace

Result<TensorSummary> SummariseView(const StoredView& view,
                                    const MeasureOptions& options,
                                    const WorkBuffers& buffers) {
  Gathered gathered;
  RETURN_IF_ERROR(ReadAll(view, options, buffers, gathered));
  return gathered.Summary();
}

Result<RecordFile> RecordOf(const std::string& path, Keep keep,
                            const MeasureOptions& options,
                            const WorkBuffers& buffers) {
  ASSIGN_OR_RETURN(Listing listing, ListFile(path, {}));
  const bool array = listing.codec == FindCodec("npy");
  if (!array && listing.codec != FindCodec("ascend")) {
    return Unsupported("neither an array nor a dump of an Ascend device");
  }
  RecordFile record{.path = RecordPath(path, keep, !array), .by_port = !array};
  const Dump dump = OneFile(path, std::move(listing.tensors));
  if (dump.tensors.empty()) return Unsupported("no tensor is in it");
  for (const TensorInfo& info : dump.tensors) {
    ASSIGN_OR_RETURN(TensorRecord tensor,
                     RecordTensor(dump, info, {.full = keep == Keep::kStats},
                                  options, buffers));
    record.tensors.push_back(std::move(tensor));
  }
  return record;
}

}  // namespace assay
