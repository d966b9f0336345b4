#include "codecs/hdf5_attributes.h"

#include <algorithm>

#include "base/hdf5_heap.h"
#include "base/hdf5_tree.h"
#include "codecs/hdf5_type.h"
#include "kernel/hdf5_dataset.h"

namespace assay {
namespace {

constexpr uint64_t kMostValues = 32;

int64_t Integer(std::string bytes, const StoredTensor& type) {
  if (type.big_endian) std::ranges::reverse(bytes);
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[i])) << 8 * i;
  }
  const uint64_t unused = 64 - 8 * bytes.size();
  if (Info(type.dtype).is_unsigned) return static_cast<int64_t>(value);
  return static_cast<int64_t>(value << unused) >> unused;
}

//   0  1+1  version, flags: bit 0 says that the type stands elsewhere
//   2  6    bytes of name, type and shape
//   8  1    characters of the name, in version 3
//   .. ..   name, type and shape, padded to 8 bytes in version 1; the values
Status Add(const Hdf5File& file, const Hdf5Message& message,
           Hdf5Attributes& attributes) {
  Hdf5Fields in(file, message.bytes, message.address);
  const int version = in.U8("version"), flags = in.U8("flags");
  uint64_t lengths[3] = {};
  for (uint64_t& length : lengths) length = in.U16("length");
  if (version == 3) in.Skip(1, "characters");
  std::string_view parts[3];
  uint64_t places[3] = {};
  for (size_t i = 0; i < 3; ++i) {
    places[i] = in.offset() - file.Offset(0);
    parts[i] = in.Text(lengths[i], "attribute");
    const uint64_t padding = version == 1 ? -lengths[i] % 8 : 0;
    in.Skip(padding, "padding");
  }
  if (!in.ok()) return in.error();
  const Hdf5Message reference{.type = Hdf5Message::kDatatype,
                              .shared = version > 1 && (flags & 1) != 0,
                              .bytes = std::string(parts[1]),
                              .address = places[1]};
  ASSIGN_OR_RETURN(const Hdf5Message type, ResolveMessage(file, reference));
  ASSIGN_OR_RETURN(const Hdf5Space space,
                   ParseHdf5Space(file, parts[2], places[2]));
  StoredTensor number;
  SetHdf5Type(file, type.bytes, number);
  const DTypeInfo& info = Info(number.dtype);
  const uint64_t count = *ElementCount(space.shape);
  if (info.kind != DKind::kInteger || count == 0 || count > kMostValues) {
    return Done{};
  }
  std::vector<int64_t> values;
  for (uint64_t i = 0; i < count; ++i) {
    const std::string_view bytes = in.Text(info.bits / 8, "value");
    if (!in.ok()) return in.error();
    values.push_back(Integer(std::string(bytes), number));
  }
  const std::string name(parts[0].substr(0, parts[0].find('\0')));
  attributes[name] = std::move(values);
  return Done{};
}

// New files keep many attributes in a heap.
Status AddFromHeap(const Hdf5File& file, const Hdf5Message& message,
                   Hdf5Attributes& attributes) {
  Hdf5Fields in(file, message.bytes, message.address);
  in.Skip(1, "version");
  if ((in.U8("flags") & 1) != 0) in.Skip(2, "order");
  const uint64_t heap_address = in.Address("heap");
  const uint64_t tree = in.Address("tree");
  if (!in.ok()) return in.error();
  if (heap_address == kHdf5Nowhere) return Done{};
  ASSIGN_OR_RETURN(const Hdf5Heap heap, Hdf5Heap::Open(file, heap_address));
  constexpr int kAttributesByName = 8;
  return ForEachInNewTree(
      file, tree, kAttributesByName, [&](std::string_view record) -> Status {
        constexpr size_t kId = 8;
        ASSIGN_OR_RETURN(std::string bytes, heap.Object(record.substr(0, kId)));
        return Add(file,
                   {.type = Hdf5Message::kAttribute,
                    .bytes = std::move(bytes),
                    .address = heap_address},
                   attributes);
      });
}

}  // namespace

Result<Hdf5Attributes> ReadHdf5Attributes(const Hdf5File& file,
                                          const Hdf5Header& header) {
  Hdf5Attributes attributes;
  for (const Hdf5Message& message : header) {
    if (message.type == Hdf5Message::kAttribute && !message.shared) {
      RETURN_IF_ERROR(Add(file, message, attributes));
    } else if (message.type == Hdf5Message::kAttributeInfo) {
      RETURN_IF_ERROR(AddFromHeap(file, message, attributes));
    }
  }
  return attributes;
}

}  // namespace assay
