// Tensor file of the Ascend transformer library (ATB): lines of text, then the
// values.
//   $Version=1.0
//   $Object.Count=1
//   $Object.Length=BYTES
//   format=LAYOUT            as in Ascend dump files
//   dtype=TYPE               as in Ascend graphs
//   dims=D0,D1,...
//   $Object.data=0,BYTES
//   $End=1
// Where a tensor was dumped before, Count is 0 and data=FILE names that file.
#include <fmt/ranges.h>

#include <charconv>
#include <map>
#include <optional>

#include "base/text.h"
#include "codecs/ascend_type.h"
#include "codecs/codec.h"

namespace assay {
namespace {

constexpr std::string_view kFirst = "$Version=";
constexpr std::string_view kEnd = "$End";
constexpr size_t kShown = 64;  // of what a damaged header says
constexpr int32_t kGeLast = 43, kGeUndefined = 28;

bool IsAtb(const Sniff& file) { return file.head.starts_with(kFirst); }

struct Header {
  struct Field {
    std::string_view value;
    uint64_t line = 0;
  };
  std::map<std::string_view, Field> fields;  // names without '$'
  bool empty = false;                        // $Object.Count=0
  uint64_t lines = 0;
  uint64_t size = 0;  // where the values begin
};

std::optional<int64_t> Number(std::string_view text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || at != end) return std::nullopt;
  return value;
}

// One line; its end is not part of it.
Status AddLine(std::string_view line, Header& header) {
  const size_t equals = line.find('=');
  if (equals == line.npos || line.find('=', equals + 1) != line.npos) {
    return Corrupt("a header line without exactly one '='");
  }
  const std::string_view name = line.substr(0, equals);
  const std::string_view value = line.substr(equals + 1);
  if (name == "$Object.Count") header.empty = Number(value) == 0;
  if (name.starts_with('$')) return Done{};
  const Header::Field field{value, header.lines};
  if (header.fields.emplace(name, field).second) return Done{};
  return Corrupt("the header has '{}' twice", name.substr(0, kShown));
}

Result<Header> ParseHeader(std::string_view head, const InputFile& file) {
  Header header;
  while (true) {
    const size_t end = head.find('\n', header.size);
    if (end == head.npos) break;
    const std::string_view line = head.substr(header.size, end - header.size);
    header.size = end + 1;
    ++header.lines;
    Status status = AddLine(line, header);
    if (!status) {
      return std::move(status).error().AtLine(file.path(), header.lines);
    }
    if (line.substr(0, line.find('=')) == kEnd) return header;
  }
  return Corrupt("the header does not end within {} bytes", head.size())
      .At(file.path(), header.size)
      .Hint("the file looks truncated; was the dump interrupted?");
}

Result<Header::Field> Find(const Header& header, std::string_view name) {
  const auto found = header.fields.find(name);
  if (found != header.fields.end()) return found->second;
  return Corrupt("the header has no {}", name).AtLine({}, header.lines);
}

Result<int64_t> FindNumber(const Header& header, std::string_view name) {
  ASSIGN_OR_RETURN(const Header::Field field, Find(header, name));
  if (const auto value = Number(field.value)) return *value;
  return Corrupt("{} is '{}', not a number", name,
                 field.value.substr(0, kShown))
      .AtLine({}, field.line);
}

Result<DType> Type(const Header& header) {
  ASSIGN_OR_RETURN(const int64_t number, FindNumber(header, "dtype"));
  const bool known = number >= 0 && number <= kGeLast;
  const AscendType* type =
      known ? FindAscendType(AscendNumberOfGe(static_cast<int32_t>(number)))
            : nullptr;
  if (type && type->dtype != DType::kOpaque && number != kGeUndefined) {
    return type->dtype;
  }
  return Unsupported("dtype {}{} is not understood", number,
                     type ? fmt::format(" ({})", type->name) : "")
      .AtLine({}, header.fields.at("dtype").line);
}

Result<Layout> Format(const Header& header) {
  ASSIGN_OR_RETURN(const int64_t number, FindNumber(header, "format"));
  if (number == -1) return Layout::kND;  // undefined
  const auto layout = static_cast<Layout>(number);
  if (number >= 0 && number < 256 && Name(layout) != "unknown") return layout;
  return Unsupported("format {} is not understood", number)
      .AtLine({}, header.fields.at("format").line);
}

Result<Shape> Dims(const Header& header) {
  ASSIGN_OR_RETURN(const Header::Field field, Find(header, "dims"));
  auto shape = ParseShape(field.value);
  if (shape && ElementCount(*shape)) return *std::move(shape);
  return Corrupt("dims are '{}'", field.value.substr(0, kShown))
      .AtLine({}, field.line);
}

// The values were left out of the dump because they stand elsewhere.
Error Alias(const Header& header, const InputFile& file) {
  const auto data = header.fields.find("data");
  const std::string_view name =
      std::string_view(file.path()).substr(file.path().rfind('/') + 1);
  if (data == header.fields.end() || data->second.value == name) {
    return Unsupported("the dump left its values out").At(file.path(), 0);
  }
  return Unsupported("its values are in '{}'",
                     data->second.value.substr(0, kShown))
      .At(file.path(), 0)
      .Hint("the dump keeps equal tensors once; compare that file");
}

Error WrongSize(const StoredTensor& t, uint64_t needed, uint64_t there) {
  Error error = Corrupt("{} {} needs {} bytes, {} there", Name(t.dtype),
                        ToText(t.shape), needed, there);
  error.hint = there < needed
                   ? "the file looks truncated; was the dump interrupted?"
                   : "the header is damaged, or of another tensor";
  return error;
}

// The dumping library appends: two runs into one folder make one file.
bool WrittenTwice(const InputFile& file, uint64_t at) {
  if (file.size() - at < kFirst.size()) return false;
  const auto next = file.Text(at, kFirst.size());
  return next && *next == kFirst;
}

Status CheckSize(const InputFile& file, const StoredTensor& t) {
  const auto bytes = ByteCount(t.dtype, ElementCount(t.shape).value_or(0));
  if (!bytes) return Corrupt("dims {} are too large", ToText(t.shape));
  const uint64_t there = t.extent.length;
  if (*bytes == there) return Done{};
  Error error = WrongSize(t, *bytes, there);
  if (*bytes < there && WrittenTwice(file, t.extent.offset + *bytes)) {
    error.what += ": the file was written twice";
    error.hint = "dumps are appended; remove the folder and dump again";
  }
  return error;
}

Result<StoredTensor> Describe(const InputFile& file, const Header& header) {
  StoredTensor tensor;
  ASSIGN_OR_RETURN(tensor.dtype, Type(header));
  ASSIGN_OR_RETURN(tensor.layout, Format(header));
  ASSIGN_OR_RETURN(tensor.shape, Dims(header));
  tensor.extent = {.offset = header.size, .length = file.size() - header.size};
  Status status = CheckSize(file, tensor);
  if (!status) return std::move(status).error().At({}, header.size);
  return tensor;
}

Result<std::vector<StoredTensor>> List(const InputFile& file,
                                       const CodecHints&) {
  ASSIGN_OR_RETURN(const std::string head, file.Head(kHead));
  if (!head.starts_with(kFirst)) {
    return Corrupt("the file does not begin with {}", kFirst)
        .At(file.path(), 0);
  }
  ASSIGN_OR_RETURN(const Header header, ParseHeader(head, file));
  if (header.empty || header.fields.contains("data")) {
    return Alias(header, file);
  }
  auto tensor = Describe(file, header);
  if (!tensor) return std::move(tensor).error().At(file.path());
  return std::vector<StoredTensor>{*std::move(tensor)};
}

// The first of the numbers: some types have several.
std::optional<int32_t> GeNumber(DType dtype) {
  if (dtype == DType::kOpaque) return std::nullopt;
  for (int32_t number = 0; number <= kGeLast; ++number) {
    const AscendType* type = FindAscendType(AscendNumberOfGe(number));
    if (type && type->dtype == dtype) return number;
  }
  return std::nullopt;
}

Status Write(std::span<TensorToWrite> tensors, OutputFile& out) {
  TensorToWrite& tensor = tensors.front();
  const auto type = GeNumber(tensor.dtype);
  const auto count = ElementCount(tensor.shape);
  const auto bytes = count ? ByteCount(tensor.dtype, *count) : std::nullopt;
  if (!type || !bytes) {
    return Unsupported("ATB files have no {} {}", Name(tensor.dtype),
                       ToText(tensor.shape));
  }
  // Readers of the library know no tensor without dimensions.
  const Shape dims = tensor.shape.empty() ? Shape{1} : tensor.shape;
  RETURN_IF_ERROR(out.Append(fmt::format(
      "$Version=1.0\n$Object.Count=1\n$Object.Length={0}\nformat={1}\n"
      "dtype={2}\ndims={3}\n$Object.data=0,{0}\n$End=1\n",
      *bytes, static_cast<int>(tensor.layout), *type, fmt::join(dims, ","))));
  return AppendValues(tensor, out);
}

}  // namespace

extern constinit const Codec kAtb = {
    .name = "atb",
    .summary = "tensor of the Ascend transformer library, one per file",
    .extensions = ".bin",
    .sniff = IsAtb,
    .list = List,
    .write = Write,
    .holds = [](DType type) { return GeNumber(type).has_value(); },
};

}  // namespace assay
