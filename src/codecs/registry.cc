#include <algorithm>
#include <exception>

#include "base/text.h"
#include "codecs/codec.h"

namespace assay {

extern const Codec kMinMax, kStatsRecord, kStatistics, kHdf5, kTorchZip, kAtb,
    kNpz, kNpy, kSafetensors, kOnnxTensor, kRawValues, kAscend, kPolygraphy,
    kTxt, kTxtPlain, kTfdbg;

namespace {

// In the order of sniffing.
constinit const Codec* const kCodecs[] = {
    &kMinMax,      &kStatsRecord, &kStatistics, &kHdf5,
    &kTorchZip,    &kNpz,         &kNpy,        &kTfdbg,
    &kSafetensors, &kOnnxTensor,  &kAtb,        &kRawValues,
    &kAscend,      &kPolygraphy,  &kTxtPlain,   &kTxt,
};

bool LooksLikeText(std::string_view head) {
  return std::ranges::none_of(head, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' &&
           c != '\t' && c != '\f' && c != '\x1b';
  });
}

bool LooksLikePickle(const Sniff& file) {
  return file.path.ends_with(".pkl") || file.path.ends_with(".pickle") ||
         (file.head.size() > 1 && file.head[0] == '\x80' && file.head[1] >= 2 &&
          file.head[1] <= 5);
}

// Files that lie beside dumps and say at once what they are.
constexpr struct {
  std::string_view begin, what;
} kOthers[] = {
    {"PK\3\4", "a zip archive without arrays"},
    {"PK\5\6", "a zip archive without arrays"},
    {"\x1f\x8b", "a gzip file: unpack it first"},
    {"\x28\xb5\x2f\xfd", "a zstd file: unpack it first"},
    {"\3757zXZ", "an xz file: unpack it first"},
    {"\x89PNG", "a picture"},
    {"\xff\xd8\xff", "a picture"},
    {"\177ELF", "a program or library"},
    {"SQLite format 3", "a database, perhaps a saved run"},
};

std::string_view Seems(const Sniff& file) {
  if (file.size == 0) return "empty file";
  if (file.path.ends_with(".bin") || file.path.ends_with(".raw")) {
    return "a .bin file: give --dtype and --shape to read it as raw values";
  }
  for (const auto& other : kOthers) {
    if (file.head.starts_with(other.begin)) return other.what;
  }
  if (LooksLikePickle(file)) return "a Python pickle";
  if (LooksLikeText(file.head)) return "text";
  return "not a format of 'assay list codecs'";
}

// The one place where a library's exception ends: it must not end the program.
Result<std::vector<StoredTensor>> Guarded(const Codec& codec,
                                          const InputFile& file,
                                          const CodecHints& hints) {
  try {
    return codec.list(file, hints);
  } catch (const std::exception& problem) {
    return Internal("{} while reading {}", problem.what(), codec.name);
  }
}

}  // namespace

std::span<const Codec* const> AllCodecs() { return kCodecs; }

// Where formats share a suffix it means the last one: "bin" is raw values, and
// formats that a first line tells from them come before.
const Codec* FindCodec(std::string_view name) {
  const Codec* found = nullptr;
  for (const Codec* codec : kCodecs) {
    if (codec->name == name) return codec;
    for (const std::string_view suffix : Split(codec->extensions, ' ')) {
      if (!suffix.empty() && suffix.substr(1) == name) found = codec;
    }
  }
  return found;
}

const Codec* ChooseCodec(const Sniff& file) {
  const auto* found = std::ranges::find_if(kCodecs, [&](const Codec* codec) {
    return codec->sniff != nullptr && codec->sniff(file);
  });
  return found == std::end(kCodecs) ? nullptr : *found;
}

Result<Listing> ListFile(const std::string& path, const CodecHints& hints) {
  ASSIGN_OR_RETURN(InputFile file, InputFile::Open(path));
  ASSIGN_OR_RETURN(const std::string_view head, file.KeepHead(kHead));
  file.LimitText(hints.max_memory);
  const Sniff sniff{path, head, file.size(), hints};
  Listing listing{.codec = ChooseCodec(sniff)};
  if (!listing.codec) {
    listing.note = Seems(sniff);
    return listing;
  }
  auto tensors = Guarded(*listing.codec, file, hints);
  if (!tensors) {
    Error error = std::move(tensors).error();
    if (error.file.empty()) error.file = path;
    return error;
  }
  listing.tensors = *std::move(tensors);
  if (listing.tensors.empty()) listing.note = "no tensors in it";
  return listing;
}

}  // namespace assay
