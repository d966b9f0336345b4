#include "kernel/hdf5_dataset.h"

#include <algorithm>

#include "base/text.h"
#include "kernel/hdf5_layout.h"

namespace assay {
namespace {

// No filter gives more; what was never written may be large, but not absurdly.
constexpr uint64_t kMostPerByte = 1032, kMostUnwritten = 64 << 20;
constexpr size_t kMostDimensions = 32;

Result<Hdf5Message> Need(const Hdf5File& file, const Hdf5Header& header,
                         Hdf5Message::Type type, std::string_view what) {
  const Hdf5Message* const found = FindMessage(header, type);
  if (found == nullptr) return Corrupt("the dataset has no {}", what);
  return ResolveMessage(file, *found);
}

Status CheckSize(const Hdf5Dataset& set, uint64_t file_size) {
  const auto count = ElementCount(set.shape());
  const uint64_t most = file_size > ~uint64_t{0} / (2 * kMostPerByte)
                            ? ~uint64_t{0} / 2
                            : kMostPerByte * file_size + kMostUnwritten;
  if (count && set.width > 0 && *count <= most / set.width) return Done{};
  return Corrupt("shape {} is too large for a file of {} bytes",
                 ToText(set.shape()), file_size);
}

// The size stands in the first bytes of every type.
Result<size_t> ReadWidth(const Hdf5File& file, const Hdf5Message& message) {
  Hdf5Fields in(file, message.bytes, message.address);
  in.Skip(4, "class");
  const size_t width = in.U32("size of an element");
  if (!in.ok()) return in.error();
  return width;
}

// Empty unless there is a value of the right size.
Result<std::string> ReadFill(const Hdf5File& file, const Hdf5Header& header,
                             size_t width) {
  const Hdf5Message* const found = FindMessage(header, Hdf5Message::kFill);
  if (found == nullptr) return std::string();
  ASSIGN_OR_RETURN(const Hdf5Message message, ResolveMessage(file, *found));
  Hdf5Fields in(file, message.bytes, message.address);
  const int version = in.U8("version");
  bool given = true;
  if (version < 3) {
    in.Skip(2, "times");
    given = in.U8("is it given") != 0;
  } else {
    given = (in.U8("flags") & 0x20) != 0;
  }
  if (!in.ok() || !given) return std::string();
  const uint64_t size = in.U32("size of the value");
  const std::string_view value = in.Text(size, "value");
  return std::string(in.ok() && size == width ? value : "");
}

}  // namespace

Result<Hdf5Space> ParseHdf5Space(const Hdf5File& file, std::string_view bytes,
                                 uint64_t address) {
  Hdf5Fields in(file, bytes, address);
  const int version = in.U8("version");
  const size_t rank = in.U8("rank");
  const int flags = in.U8("flags");
  constexpr int kNull = 2;
  const int kind = in.U8("kind");  // reserved in version 1
  if (version == 1) in.Skip(4, "reserved");
  if (in.ok() && (version < 1 || version > 2 || rank > kMostDimensions)) {
    return file.Damaged(address, "no shape is here");
  }
  Hdf5Space space;
  if (version == 2 && kind == kNull) {
    space.shape = {0};
    space.most = {0};
    return space;
  }
  for (size_t k = 0; k < rank; ++k) {
    space.shape.push_back(static_cast<int64_t>(in.Length("dimension")));
  }
  space.most.assign(space.shape.begin(), space.shape.end());
  for (size_t k = 0; k < rank && (flags & 1) != 0; ++k) {
    const uint64_t most = in.Length("largest dimension");
    const bool unlimited =
        most == ~uint64_t{0} >> (64 - 8 * file.length_bytes());
    space.most[k] = unlimited ? kHdf5Unlimited : most;
  }
  if (!in.ok()) return in.error();
  if (!ElementCount(space.shape)) {
    return file.Damaged(address, "the shape is impossible");
  }
  return space;
}

Result<Hdf5Dataset> DescribeHdf5(const Hdf5File& file,
                                 const Hdf5Header& header) {
  Hdf5Dataset set;
  using enum Hdf5Message::Type;
  ASSIGN_OR_RETURN(const Hdf5Message space,
                   Need(file, header, kDataspace, "shape"));
  ASSIGN_OR_RETURN(set.space, ParseHdf5Space(file, space.bytes, space.address));
  ASSIGN_OR_RETURN(const Hdf5Message type,
                   Need(file, header, kDatatype, "type"));
  ASSIGN_OR_RETURN(set.width, ReadWidth(file, type));
  RETURN_IF_ERROR(CheckSize(set, file.input().size()));
  if (FindMessage(header, kExternal) != nullptr) return ElsewhereError();
  ASSIGN_OR_RETURN(const Hdf5Message layout,
                   Need(file, header, kLayout, "layout"));
  if (const Hdf5Message* const found = FindMessage(header, kFilters)) {
    ASSIGN_OR_RETURN(const Hdf5Message filters, ResolveMessage(file, *found));
    RETURN_IF_ERROR(ParseHdf5Filters(file, filters, set));
  }
  RETURN_IF_ERROR(ParseHdf5Layout(file, layout, set));
  ASSIGN_OR_RETURN(set.fill, ReadFill(file, header, set.width));
  return set;
}

}  // namespace assay
