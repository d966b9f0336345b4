#include "kernel/hdf5_layout.h"

#include <algorithm>

#include "base/text.h"

namespace assay {
namespace {

constexpr uint64_t kLargestChunk = 256 << 20;
constexpr std::string_view kRepack = "'h5repack -f NONE -l CONTI' rewrites it";

std::string Printable(std::string_view text) {
  std::string out(text.substr(0, text.find('\0')));
  std::erase_if(out, [](char c) { return c < ' ' || c > '~'; });
  return out;
}

// Values inside the header or in one piece elsewhere.
Status SetOffset(const Hdf5File& file, uint64_t address, uint64_t stored,
                 Hdf5Dataset& set) {
  if (address == kHdf5Nowhere || set.bytes() == 0) return Done{};
  const uint64_t size = file.input().size() - file.Offset(0);
  const uint64_t left = address < size ? size - address : 0;
  if (set.bytes() > std::min(stored, left)) {
    return Corrupt("shape needs {} bytes, {} left", set.bytes(),
                   std::min(stored, left))
        .At(file.input().path(), file.Offset(std::min(address, size)))
        .Hint("the file looks truncated; was the dump interrupted?");
  }
  set.offset = file.Offset(address);
  return Done{};
}

Status SetChunk(const Shape& dims, Hdf5Dataset& set) {
  set.chunk.assign(dims.begin(), dims.end() - 1);  // the last is the width
  const uint64_t count = ElementCount(set.chunk).value_or(0);
  if (set.chunk.size() != set.shape().size() || set.chunk.empty() ||
      count == 0) {
    return Corrupt("chunks {} of a dataset {}", ToText(set.chunk),
                   ToText(set.shape()));
  }
  if (count > kLargestChunk / set.width) {
    return TooLarge("its chunks {} take more than {}", ToText(set.chunk),
                    BytesText(kLargestChunk))
        .Hint(kRepack);
  }
  set.pipeline.chunk = count * set.width;
  return Done{};
}

Status ParseOldChunks(Hdf5Fields& in, Hdf5Dataset& set) {
  const size_t rank = in.U8("rank");
  set.index_address = in.Address("tree of chunks");
  Shape dims(rank);
  for (int64_t& dim : dims) dim = in.U32("dimension of a chunk");
  if (!in.ok()) return in.error();
  if (dims.empty()) return Corrupt("its chunks have no dimensions");
  return SetChunk(dims, set);
}

// What each kind of index says about itself stands before its address.
Status ParseIndex(Hdf5Fields& in, bool encoded_single, Hdf5Dataset& set) {
  const int index = in.U8("kind of index");
  constexpr uint64_t kParameters[] = {0, 0, 0, 1, 5, 6};
  if (in.ok() && (index < 1 || index > 5)) {
    return Unsupported("chunks with an index of kind {}", index).Hint(kRepack);
  }
  set.index = static_cast<Hdf5Index>(index);
  set.single_bytes = set.pipeline.chunk;
  if (set.index == Hdf5Index::kSingle && encoded_single) {
    set.single_bytes = in.Length("size of the chunk");
    set.single_skipped = in.U32("filters left out");
  }
  in.Skip(kParameters[in.ok() ? index : 0], "parameters");
  set.index_address = in.Address("index");
  if (!in.ok()) return in.error();
  return Done{};
}

Status ParseNewChunks(Hdf5Fields& in, Hdf5Dataset& set) {
  const int flags = in.U8("flags");
  const size_t rank = in.U8("rank"), width = in.U8("bytes of a dimension");
  if (in.ok() && (rank == 0 || width == 0 || width > 8)) {
    return Corrupt("its chunks have no dimensions");
  }
  Shape dims(rank);
  for (int64_t& dim : dims) {
    dim = static_cast<int64_t>(in.Number(width, "dimension of a chunk"));
  }
  if (!in.ok()) return in.error();
  RETURN_IF_ERROR(SetChunk(dims, set));
  set.plain_edges = (flags & 1) != 0;
  return ParseIndex(in, (flags & 2) != 0, set);
}

}  // namespace

Error ElsewhereError() {
  return Unsupported("the values are in another file")
      .Hint("only what is in the file itself is read");
}

//   0  1+1  version, kind: 0 in the header, 1 in one piece, 2 chunks, 3 virtual
Status ParseHdf5Layout(const Hdf5File& file, const Hdf5Message& message,
                       Hdf5Dataset& set) {
  Hdf5Fields in(file, message.bytes, message.address);
  const int version = in.U8("version"), kind = in.U8("kind");
  if (in.ok() && (version < 3 || version > 5 || kind > 3)) {
    return Unsupported("datasets of layout {}, version {}", kind, version)
        .Hint(kRepack);
  }
  if (kind == 0) {
    const uint64_t stored = in.U16("size of the values");
    if (!in.ok()) return in.error();
    return SetOffset(file, message.address + 4,
                     std::min<uint64_t>(stored, in.left()), set);
  }
  if (kind == 1) {
    const uint64_t address = in.Address("address of the values");
    const uint64_t stored = in.Length("size of the values");
    if (!in.ok()) return in.error();
    return SetOffset(file, address, stored, set);
  }
  if (kind == 2) {
    return version == 3 ? ParseOldChunks(in, set) : ParseNewChunks(in, set);
  }
  if (!in.ok()) return in.error();
  return ElsewhereError();
}

//   0  1+1  version, number of filters; version 1: 6 bytes more
//   .. 2    number of the filter
//   .. 2    length of its name; not for the format's own in version 2
//   .. 2+2  flags, number of values
//   .. ..   name, values of 4 bytes; version 1 pads both to 8 bytes
Status ParseHdf5Filters(const Hdf5File& file, const Hdf5Message& message,
                        Hdf5Dataset& set) {
  Hdf5Fields in(file, message.bytes, message.address);
  const int version = in.U8("version"), count = in.U8("number of filters");
  if (version == 1) in.Skip(6, "reserved");
  for (int i = 0; i < count; ++i) {
    constexpr int kOthers = 256;
    const int filter = in.U16("filter");
    const bool named = version == 1 || filter >= kOthers;
    uint64_t length = named ? in.U16("name length") : 0;
    in.Skip(2, "flags");
    const uint64_t values = in.U16("number of values");
    if (version == 1) length = (length + 7) / 8 * 8;
    const std::string name = Printable(in.Text(length, "name"));
    const uint32_t first = values > 0 ? in.U32("value") : 0;
    const uint64_t more = values > 0 ? 4 * (values - 1) : 0;
    in.Skip(more + (version == 1 && values % 2 != 0 ? 4 : 0), "values");
    if (!in.ok()) return in.error();
    if (filter < 1 || filter > 3) {
      return Unsupported("the values are encoded with filter {}{}{}", filter,
                         name.empty() ? "" : " ", name)
          .Hint(kRepack);
    }
    set.pipeline.steps.push_back(
        {static_cast<Hdf5Filter>(filter),
         first > 0 ? first : static_cast<uint32_t>(set.width)});
  }
  return Done{};
}

}  // namespace assay
