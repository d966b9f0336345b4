// Writes what ascend.cc reads: a header and blocks, the kind that every
// reader of these dumps takes. Readers of one age refuse a file that has a
// byte more or less than the header says.
#include <array>
#include <charconv>

#include "codecs/ascend.h"
#include "codecs/ascend_type.h"
#include "codecs/wire.h"

namespace assay {
namespace {

constexpr uint64_t kLengthBytes = 8;

// Field numbers.
constexpr uint32_t kVersion = 1;
constexpr uint32_t kDataType = 1, kFormat = 2, kShape = 3, kDim = 1;

// A list of the header; those of inputs and outputs differ after the third
// field.
struct List {
  std::string_view prefix;  // of the names of its tensors
  uint32_t field;
  uint32_t size, original, sub_format;
  bool bare = false;  // bytes without type and shape
};
// In the order of their blocks.
constexpr List kLists[] = {{"input:", 4, 5, 6, 7},
                           {"output:", 3, 6, 7, 8},
                           {"buffer:", 5, 3, 0, 0, true},
                           {"space:", 8, 3, 0, 0, true}};
constexpr size_t kOutputs = 1;
constexpr size_t kHeaderOrder[] = {1, 0, 2, 3};  // by field

void PutVarint(uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) {
    out += static_cast<char>((value & 0x7f) | 0x80);
  }
  out += static_cast<char>(value);
}

// As all writers of this version of protobuf do, without zeros.
void PutNumber(uint32_t field, uint64_t value, std::string& out) {
  if (value == 0) return;
  PutVarint(field << 3 | static_cast<uint32_t>(WireType::kVarint), out);
  PutVarint(value, out);
}

void PutBytes(uint32_t field, std::string_view bytes, std::string& out) {
  PutVarint(field << 3 | static_cast<uint32_t>(WireType::kBytes), out);
  PutVarint(bytes.size(), out);
  out += bytes;
}

std::string ShapeMessage(const Shape& shape) {
  std::string dims, message;
  for (const int64_t dim : shape) PutVarint(static_cast<uint64_t>(dim), dims);
  if (!shape.empty()) PutBytes(kDim, dims, message);
  return message;
}

Result<uint64_t> SizeOf(const TensorToWrite& tensor) {
  const auto count = ElementCount(tensor.shape);
  const auto bytes = count ? ByteCount(tensor.dtype, *count) : std::nullopt;
  if (bytes) return *bytes;
  return Unsupported("shape {} is too large", ToText(tensor.shape));
}

Result<std::string> Message(const TensorToWrite& tensor, const List& field) {
  if (tensor.dtype == DType::kOpaque) return Unsupported("it has no numbers");
  ASSIGN_OR_RETURN(const uint64_t size, SizeOf(tensor));
  std::string out;
  if (field.bare) {
    PutNumber(field.size, size, out);
    return out;
  }
  PutNumber(kDataType, static_cast<uint64_t>(AscendNumber(tensor.dtype)), out);
  PutNumber(kFormat, static_cast<uint64_t>(tensor.layout), out);
  PutBytes(kShape, ShapeMessage(tensor.shape), out);
  PutNumber(field.size, size, out);
  if (tensor.original) {
    PutBytes(field.original, ShapeMessage(*tensor.original), out);
  }
  if (tensor.groups >= 2) {
    PutNumber(field.sub_format, static_cast<uint64_t>(tensor.groups), out);
  }
  return out;
}

// The place of "input:3" in its list; nothing for other names.
std::optional<size_t> IndexIn(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  size_t index = 0;
  const char* end = name.data() + name.size();
  const auto [at, error] = std::from_chars(name.data(), end, index);
  const bool good = error == std::errc() && at == end && !name.empty();
  return good && index < kMostAscendTensors ? std::optional(index)
                                            : std::nullopt;
}

std::optional<size_t> PlaceIn(const List& list, const TensorToWrite& tensor) {
  const bool bytes = tensor.dtype == DType::kU8 && tensor.shape.size() == 1;
  if (list.bare && !bytes) return std::nullopt;
  return IndexIn(list.prefix, tensor.name);
}

// A place may stay empty: the others keep their number.
using Slots = std::vector<TensorToWrite*>;
using Lists = std::array<Slots, std::size(kLists)>;

bool Put(size_t index, TensorToWrite& tensor, Slots& slots) {
  if (slots.size() <= index) slots.resize(index + 1);
  if (slots[index] != nullptr) return false;
  slots[index] = &tensor;
  return true;
}

// Tensors with other names become outputs, after those that have a number.
Result<Lists> Arrange(std::span<TensorToWrite> tensors) {
  Lists lists;
  Slots others;
  for (TensorToWrite& tensor : tensors) {
    bool placed = false;
    for (size_t k = 0; k < lists.size() && !placed; ++k) {
      const auto index = PlaceIn(kLists[k], tensor);
      if (index && !Put(*index, tensor, lists[k])) {
        return Unsupported("the name '{}' is taken", tensor.name)
            .Of(tensor.name);
      }
      placed = index.has_value();
    }
    if (!placed) others.push_back(&tensor);
  }
  Slots& outputs = lists[kOutputs];
  outputs.insert(outputs.end(), others.begin(), others.end());
  return lists;
}

Status PutList(const Slots& slots, const List& list, std::string& out) {
  for (const TensorToWrite* tensor : slots) {
    static const TensorToWrite kNothing{.dtype = DType::kI8, .shape = {0}};
    auto message = Message(tensor ? *tensor : kNothing, list);
    if (!message) return std::move(message).error().Of(tensor->name);
    PutBytes(list.field, *message, out);
  }
  return Done{};
}

}  // namespace

Status WriteAscend(std::span<TensorToWrite> tensors, OutputFile& out) {
  ASSIGN_OR_RETURN(const Lists lists, Arrange(tensors));
  std::string header;
  PutBytes(kVersion, "2.0", header);
  for (const size_t k : kHeaderOrder) {
    RETURN_IF_ERROR(PutList(lists[k], kLists[k], header));
  }
  std::string length;
  for (uint64_t i = 0; i < kLengthBytes; ++i) {
    length += static_cast<char>(header.size() >> (8 * i) & 0xff);
  }
  RETURN_IF_ERROR(out.Append(length + header));
  for (const Slots& slots : lists) {
    for (TensorToWrite* tensor : slots) {
      if (tensor) RETURN_IF_ERROR(AppendValues(*tensor, out));
    }
  }
  return Done{};
}

}  // namespace assay
