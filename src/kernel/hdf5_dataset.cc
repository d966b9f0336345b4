#include "kernel/hdf5_dataset.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace assay {
namespace {

// No filter gives more; what was never written may be large, but not absurdly.
constexpr uint64_t kMostPerByte = 1032, kMostUnwritten = 64 << 20;
constexpr uint64_t kLargestChunk = 256 << 20;
constexpr uint64_t kLargestCompact = 64 << 10;  // a header has no room for more
constexpr std::string_view kRepack = "'h5repack -f NONE -l CONTI' rewrites it";

Result<Shape> ReadShape(hid_t dataset) {
  const Hdf5Id space(H5Dget_space(dataset));
  if (!space.ok()) return Hdf5Error({});
  if (H5Sget_simple_extent_type(space.get()) == H5S_NULL) return Shape{0};
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 0) return Hdf5Error({});
  std::vector<hsize_t> dims(static_cast<size_t>(rank));
  if (H5Sget_simple_extent_dims(space.get(), dims.data(), nullptr) < 0) {
    return Hdf5Error({});
  }
  return Shape(dims.begin(), dims.end());
}

Status CheckSize(const Hdf5Dataset& set, uint64_t file_size) {
  const auto count = ElementCount(set.shape);
  const uint64_t most = file_size > ~uint64_t{0} / (2 * kMostPerByte)
                            ? ~uint64_t{0} / 2
                            : kMostPerByte * file_size + kMostUnwritten;
  if (count && set.width > 0 && *count <= most / set.width) return Done{};
  return Corrupt("shape {} is too large for a file of {} bytes",
                 ToText(set.shape), file_size);
}

Result<Hdf5Pipeline> ReadPipeline(hid_t create, size_t width) {
  Hdf5Pipeline pipeline;
  const int count = H5Pget_nfilters(create);
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0, values[8] = {};
    size_t used = std::size(values);
    char name[64] = "";
    const H5Z_filter_t filter =
        H5Pget_filter2(create, static_cast<unsigned>(i), &flags, &used, values,
                       sizeof name - 1, name, nullptr);
    if (filter < H5Z_FILTER_DEFLATE || filter > H5Z_FILTER_FLETCHER32) {
      return Unsupported("the values are encoded with filter {} '{}'", filter,
                         Printable(name))
          .Hint(kRepack);
    }
    const bool given = filter == H5Z_FILTER_SHUFFLE && used > 0;
    pipeline.steps.push_back(
        {static_cast<Hdf5Filter>(filter),
         given ? values[0] : static_cast<uint32_t>(width)});
  }
  return pipeline;
}

Status DescribeChunks(hid_t create, Hdf5Dataset& set) {
  std::vector<hsize_t> dims(set.shape.size());
  const int rank = static_cast<int>(dims.size());
  if (rank == 0 || H5Pget_chunk(create, rank, dims.data()) != rank) {
    return Corrupt("its chunks have another rank than {}", ToText(set.shape));
  }
  set.chunk.assign(dims.begin(), dims.end());
  const uint64_t count = ElementCount(set.chunk).value_or(0);
  if (count == 0) return Corrupt("its chunks are {}", ToText(set.chunk));
  if (count > kLargestChunk / set.width) {
    return TooLarge("its chunks {} take more than {}", ToText(set.chunk),
                    BytesText(kLargestChunk))
        .Hint(kRepack);
  }
  unsigned options = 0;
  if (H5Pget_chunk_opts(create, &options) < 0) return Hdf5Error({});
  set.plain_edges = (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0;
  ASSIGN_OR_RETURN(set.pipeline, ReadPipeline(create, set.width));
  set.pipeline.chunk = count * set.width;
  return Done{};
}

// Offsets count from the start of the file, whatever stands before its header.
Status DescribeRaw(uint64_t file_size, Hdf5Dataset& set) {
  const haddr_t offset = H5Dget_offset(set.id.get());
  if (offset == HADDR_UNDEF) return Corrupt("its values have no place");
  const uint64_t left = offset < file_size ? file_size - offset : 0;
  const uint64_t there = std::min(set.stored, left);
  set.offset = offset;
  if (set.bytes() <= there) return Done{};
  return Corrupt("shape needs {} bytes, {} left", set.bytes(), there);
}

Status DescribeCompact(const Hdf5Dataset& set) {
  if (set.bytes() <= kLargestCompact && set.bytes() == set.stored) {
    return Done{};
  }
  return Corrupt("shape needs {} bytes, {} in the header", set.bytes(),
                 set.stored);
}

}  // namespace

Result<Hdf5Dataset> DescribeHdf5(Hdf5Id id, uint64_t file_size) {
  Hdf5Dataset set{.id = std::move(id)};
  const Hdf5Id create(H5Dget_create_plist(set.id.get()));
  if (!create.ok()) return Hdf5Error({});
  set.type = Hdf5Id(H5Dget_type(set.id.get()));
  if (!set.type.ok()) return Hdf5Error({});
  // To ask a virtual dataset for more opens the files it is made of.
  const H5D_layout_t layout = H5Pget_layout(create.get());
  if (layout == H5D_VIRTUAL || H5Pget_external_count(create.get()) > 0) {
    return Unsupported("the values are in another file")
        .Hint("only what is in the file itself is read");
  }
  set.width = H5Tget_size(set.type.get());
  ASSIGN_OR_RETURN(set.shape, ReadShape(set.id.get()));
  RETURN_IF_ERROR(CheckSize(set, file_size));
  set.stored = H5Dget_storage_size(set.id.get());
  if (set.stored == 0 || set.bytes() == 0) return set;  // nothing was written
  switch (layout) {
    case H5D_CHUNKED:
      RETURN_IF_ERROR(DescribeChunks(create.get(), set));
      return set;
    case H5D_COMPACT:
      RETURN_IF_ERROR(DescribeCompact(set));
      return set;
    default:
      RETURN_IF_ERROR(DescribeRaw(file_size, set));
      return set;
  }
}

std::string Hdf5Dataset::Fill() const {
  std::string fill(width, '\0');
  const Hdf5Id create(H5Dget_create_plist(id.get()));
  if (H5Pget_fill_value(create.get(), type.get(), fill.data()) < 0) {
    H5Eclear2(H5E_DEFAULT);
  }
  return fill;
}

}  // namespace assay
