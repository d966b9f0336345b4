#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_file.h"
#include "base/output_file.h"
#include "base/result.h"
#include "core/tensor.h"

namespace assay {

// What the user says about files that do not say it themselves.
struct CodecHints {
  std::optional<DType> dtype;          // --dtype
  std::optional<Shape> shape;          // --shape
  bool bf16_void = false;              // --bf16-void: NumPy '|V2' holds bf16
  uint64_t max_memory = ~uint64_t{0};  // --max-memory, for one header
};

// The values of one tensor to write, row-major and little-endian, produced
// piece by piece so that no whole tensor stands in memory.
struct TensorToWrite {
  std::string name;
  DType dtype = DType::kF32;
  Shape shape;
  // Only formats of devices have room for these.
  Layout layout = Layout::kND;
  std::optional<Shape> original;
  int32_t groups = 1;
  // The next bytes, valid until the next call; none when all were given.
  std::function<Result<std::string_view>()> next;
};

// Hands all values of a tensor to `sink`; an error if they are not as many
// bytes as its type and shape say.
Status PassValues(TensorToWrite& tensor,
                  const std::function<Status(std::string_view)>& sink);
Status AppendValues(TensorToWrite& tensor, OutputFile& out);

// What there is to recognise a file by. A file that bears a codec's suffix is
// that codec's, however damaged; one that does not is known by its first bytes.
struct Sniff {
  std::string_view path;
  std::string_view head;  // at most kHead bytes
  uint64_t size = 0;
  const CodecHints& hints;
};

// One file format: bytes <-> tensors. Listing reads headers only; numbers are
// read later, by extent.
struct Codec {
  std::string_view name;
  std::string_view summary;
  // ".npy", several separated by a space; empty where names do not tell.
  std::string_view extensions;
  // Null, both of them: this format is only written.
  bool (*sniff)(const Sniff&);
  Result<std::vector<StoredTensor>> (*list)(const InputFile&,
                                            const CodecHints&);
  // Null: this format is only read.
  Status (*write)(std::span<TensorToWrite> tensors, OutputFile& out);
  // Can it hold values of this type? Null where nothing is written.
  bool (*holds)(DType) = nullptr;
  bool many = false;  // one file can hold several tensors
};

inline constexpr size_t kHead = 4096;

// In the order of sniffing.
std::span<const Codec* const> AllCodecs();
// By name, or by one of its suffixes without the dot ("bin", "pb").
const Codec* FindCodec(std::string_view name);
// The first codec that recognises the file; null when none does.
const Codec* ChooseCodec(const Sniff& file);
// Opens, recognises and lists one file. A file that nobody recognises has no
// tensors and a `note` that says what it seems to be.
struct Listing {
  const Codec* codec = nullptr;
  std::vector<StoredTensor> tensors;
  std::string note;
};
Result<Listing> ListFile(const std::string& path, const CodecHints& hints);

}  // namespace assay
