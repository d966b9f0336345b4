// File of torch.save (.pt, .pth), torch 1.6 or later: a zip archive
//   NAME/data.pkl   a pickle that describes the tensors
//   NAME/data/KEY   the bytes of one storage, row-major or not
//   NAME/byteorder  "little" or "big"; little where there is none
// and members that hold no values. The pickle is read, never run.
#include <algorithm>
#include <unordered_map>

#include "base/zip.h"
#include "codecs/codec.h"
#include "codecs/torch_pickle.h"

namespace assay {
namespace {

constexpr uint64_t kLongestPickle = uint64_t{64} << 20;
// Of a view that shows the same bytes again and again.
constexpr uint64_t kMostRepeated = uint64_t{1} << 32;
constexpr std::string_view kSaveAgain =
    "load it and torch.save its tensors again, with torch 1.6 or later";

bool IsTorch(const Sniff& file) {
  if (file.path.ends_with(".pt") || file.path.ends_with(".pth")) return true;
  constexpr size_t kLength = 26, kName = 30;
  if (file.path.ends_with(".npz") || !file.head.starts_with("PK\3\4") ||
      file.head.size() < kName) {
    return false;
  }
  const size_t length = static_cast<uint8_t>(file.head[kLength]) |
                        static_cast<uint8_t>(file.head[kLength + 1]) << 8;
  const std::string_view first = file.head.substr(kName, length);
  return first.ends_with("/data.pkl") || first.ends_with("/.format_version");
}

// What was written before torch had zip archives.
Error Explained(const InputFile& file, Error error) {
  constexpr size_t kTarMagic = 257;
  const auto head = file.Head(kTarMagic + 5);
  if (!head) return error;
  const bool tar = head->size() > kTarMagic &&
                   std::string_view(*head).substr(kTarMagic) == "ustar";
  if (!tar && !head->starts_with('\x80')) return error;
  return Unsupported("a {} file of torch before 1.6, not a zip archive",
                     tar ? "tar" : "pickle")
      .At(file.path(), 0)
      .Hint(kSaveAgain);
}

class Archive {
 public:
  static Result<Archive> Open(const InputFile& file);

  bool big_endian() const { return big_endian_; }
  const std::string& path() const { return file_->path(); }
  // Null if the archive has no such member.
  const ZipMember* Find(std::string_view name) const {
    const auto found = members_.find(prefix_ + std::string(name));
    return found == members_.end() ? nullptr : &found->second;
  }
  Result<std::string> ReadPickle(const ZipMember& member,
                                 const CodecHints& hints) const;

 private:
  Status ReadByteOrder();

  const InputFile* file_ = nullptr;
  std::string prefix_;  // "NAME/"
  std::unordered_map<std::string, ZipMember> members_;
  bool big_endian_ = false;
};

Result<Archive> Archive::Open(const InputFile& file) {
  auto members = ListZip(file);
  if (!members) return Explained(file, std::move(members).error());
  Archive archive;
  archive.file_ = &file;
  if (!members->empty()) {
    const std::string& first = members->front().name;
    archive.prefix_ = first.substr(0, first.find('/') + 1);
  }
  for (ZipMember& member : *members) {
    std::string name = member.name;
    archive.members_.emplace(std::move(name), std::move(member));
  }
  RETURN_IF_ERROR(archive.ReadByteOrder());
  return archive;
}

Status Archive::ReadByteOrder() {
  const ZipMember* member = Find("byteorder");
  if (!member) return Done{};
  constexpr uint64_t kLongest = 16;
  ASSIGN_OR_RETURN(const std::string order,
                   ReadZipHead(*file_, *member, kLongest));
  big_endian_ = order == "big";
  if (big_endian_ || order == "little") return Done{};
  return Corrupt("byteorder is neither 'little' nor 'big'")
      .At(path(), member->data);
}

Result<std::string> Archive::ReadPickle(const ZipMember& member,
                                        const CodecHints& hints) const {
  const uint64_t most = std::min(kLongestPickle, hints.max_memory);
  if (member.size <= most) return ReadZipHead(*file_, member, member.size);
  return TooLarge("data.pkl has {} bytes, at most {} are read", member.size,
                  most)
      .At(path(), member.data)
      .Hint("save fewer tensors in one file");
}

// Places an error about the pickle in the file.
Error InFile(Error error, const Archive& archive, const ZipMember& member) {
  const bool raw = member.method == ZipMethod::kStored;
  const uint64_t at = member.data + (raw ? error.offset.value_or(0) : 0);
  if (error.code == ErrorCode::kUnsupported && error.hint.empty()) {
    error.hint =
        "only tensors in dicts, lists and tuples are read, no code is run; "
        "save those alone, such as model.state_dict()";
  }
  return std::move(error).At(archive.path(), at);
}

bool IsRowMajor(const TorchTensor& t) {
  uint64_t stride = 1;
  for (size_t k = t.shape.size(); k-- > 0;) {
    if (t.shape[k] == 1) continue;
    if (static_cast<uint64_t>(t.strides[k]) != stride) return false;
    stride *= static_cast<uint64_t>(t.shape[k]);
  }
  return true;
}

// The elements from the first to the last one; nothing if that makes no sense.
std::optional<uint64_t> Span(const TorchTensor& t) {
  uint64_t last = 0;
  for (size_t k = 0; k < t.shape.size(); ++k) {
    uint64_t step = 0;
    if (t.strides[k] < 0 ||
        __builtin_mul_overflow(static_cast<uint64_t>(t.shape[k] - 1),
                               static_cast<uint64_t>(t.strides[k]), &step) ||
        __builtin_add_overflow(last, step, &last)) {
      return std::nullopt;
    }
  }
  return last + 1;
}

// A view in elements, checked against its storage: `count` elements spread over
// `span` of them.
struct Reach {
  uint64_t count = 0, span = 0;
};

Result<Reach> Measure(const TorchTensor& t, const ZipMember& storage) {
  const auto count = ElementCount(t.shape);
  if (!count) return Corrupt("shape {} is impossible", ToText(t.shape));
  if (t.strides.size() != t.shape.size()) {
    return Corrupt("shape {} has {} strides", ToText(t.shape),
                   t.strides.size());
  }
  const auto span = *count == 0 ? std::optional<uint64_t>(0) : Span(t);
  uint64_t end = 0;
  const bool fits = span && !__builtin_add_overflow(t.offset, *span, &end);
  const auto bytes = fits ? ByteCount(t.dtype, end) : std::nullopt;
  if (!bytes || *bytes > storage.size) {
    return Corrupt(
        "{} {} with strides {} from element {} on needs {} bytes, "
        "its storage has {}",
        Name(t.dtype), ToText(t.shape), ToText(t.strides), t.offset,
        bytes ? fmt::format("{}", *bytes) : "too many", storage.size);
  }
  if (*count > *span && *count > kMostRepeated) {
    return TooLarge("{} shows {} elements again and again", ToText(t.shape),
                    *span);
  }
  return Reach{*count, *span};
}

Result<StoredTensor> Inflated(StoredTensor out, const ZipMember& storage) {
  if (out.extent.offset != 0 || !out.strides.empty() ||
      out.extent.length != storage.size) {
    return Unsupported("a part of a compressed storage")
        .Hint("store the members uncompressed, as torch.save does");
  }
  out.extent = {.offset = storage.data,
                .length = storage.compressed,
                .encoding = Encoding::kDeflate,
                .crc = storage.crc};
  return out;
}

Result<StoredTensor> Place(const TorchTensor& t, const ZipMember& storage,
                           bool big_endian) {
  StoredTensor out{.name = t.name, .dtype = t.dtype, .shape = t.shape};
  const uint64_t width = Info(t.dtype).bits / 8;
  out.big_endian = big_endian && width > 1;
  if (t.storage_bytes > storage.size) {
    return Corrupt("its storage claims {} bytes and holds {}", t.storage_bytes,
                   storage.size);
  }
  ASSIGN_OR_RETURN(const Reach reach, Measure(t, storage));
  out.extent = {.offset = t.offset * width, .length = reach.span * width};
  if (t.dtype == DType::kOpaque) {
    out.extent = {.length = storage.size};
  } else if (reach.count > 0 && !IsRowMajor(t)) {
    out.strides = t.strides;
  }
  if (storage.method == ZipMethod::kDeflate) {
    return Inflated(std::move(out), storage);
  }
  out.extent.offset += storage.data;
  return out;
}

Result<StoredTensor> PlaceIn(const Archive& archive, const TorchTensor& t) {
  constexpr size_t kLongestKey = 256;
  const ZipMember* storage =
      t.storage.size() > kLongestKey
          ? nullptr
          : archive.Find("data/" + std::string(t.storage));
  if (!storage) {
    return Corrupt("its storage 'data/{}' is not in the archive",
                   t.storage.substr(0, 32))
        .At(archive.path());
  }
  auto placed = Place(t, *storage, archive.big_endian());
  if (placed) return placed;
  Error error = std::move(placed).error();
  if (error.hint.empty()) error.hint = "the file is damaged; save it again";
  return std::move(error).At(archive.path(), storage->data);
}

Result<std::vector<StoredTensor>> List(const InputFile& file,
                                       const CodecHints& hints) {
  ASSIGN_OR_RETURN(const Archive archive, Archive::Open(file));
  if (archive.Find("constants.pkl")) {
    return Unsupported("a TorchScript archive: a program, not only tensors")
        .At(file.path())
        .Hint("torch.save its state_dict() with torch 1.6 or later");
  }
  const ZipMember* member = archive.Find("data.pkl");
  if (!member) {
    return Unsupported("a zip archive without data.pkl")
        .At(file.path())
        .Hint("is it a file of torch.save?");
  }
  ASSIGN_OR_RETURN(const std::string pickle,
                   archive.ReadPickle(*member, hints));
  auto described = ReadTorchPickle(pickle, hints.max_memory);
  if (!described) {
    return InFile(std::move(described).error(), archive, *member);
  }
  std::vector<StoredTensor> tensors;
  for (const TorchTensor& tensor : *described) {
    auto placed = PlaceIn(archive, tensor);
    if (!placed) return std::move(placed).error().Of(tensor.name);
    tensors.push_back(*std::move(placed));
  }
  return tensors;
}

}  // namespace

extern constinit const Codec kTorchZip = {
    .name = "pt",
    .summary = "tensors of torch.save, in dicts and lists too",
    .extensions = ".pt .pth",
    .sniff = IsTorch,
    .list = List,
    .write = nullptr,
    .many = true,
};

}  // namespace assay
