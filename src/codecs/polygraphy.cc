// Polygraphy's saved outputs and inputs: JSON with arrays in it.
//   {"lst": [["RUNNER", [{"outputs": {"NAME": ARRAY, ...}, ...}, ...]], ...],
//    "polygraphy_class": "RunResults"}      outputs, per runner and iteration
//   [{"NAME": ARRAY, ...}, ...]             inputs, per iteration
// ARRAY is {"array": "BASE64"}, a .npy file as text; {"values": ARRAY} and
// {"array": ARRAY, "shape": ...} wrap it.
#include <algorithm>

#include "base/json_file.h"
#include "codecs/codec.h"
#include "codecs/npy_header.h"
#include "kernel/base64_stream.h"

namespace assay {
namespace {

using enum JsonKind;

// The class is told at the end; the beginning must tell as well.
bool IsPolygraphy(const Sniff& file) {
  std::string head(file.head);
  std::erase_if(head, [](char c) { return c == ' ' || c == '\n'; });
  const auto has = [&](std::string_view text) {
    return head.find(text) != std::string::npos;
  };
  if (head.starts_with("[{\"")) return has("\":{\"array\":\"k05VTVBZ");
  return head.starts_with("{\"") &&
         (has("\"polygraphy_class\":\"RunResults\"") ||
          (has("\"lst\":[[\"") && has("\",[{\"outputs\":{")));
}

// An error takes more memory than what it is about takes bytes.
constexpr size_t kMostBad = 1000;

struct Array {
  size_t runner = 0, iteration = 0;
  StoredTensor stored;
};

class Reader {
 public:
  Reader(JsonScanner& scan, std::string_view path, const CodecHints& hints)
      : scan_(scan), path_(path), hints_(hints) {}

  Status Read() {
    const JsonToken first = scan_.Next();
    const bool outputs = first.kind == kBeginObject;
    if (!outputs && first.kind != kBeginArray) {
      return scan_.Wrong(first, "no results of Polygraphy");
    }
    RETURN_IF_ERROR(outputs ? Results() : Iterations());
    const JsonToken end = scan_.Next();
    return end.kind == kEnd ? Status(Done{}) : scan_.error();
  }

  std::vector<StoredTensor> Take() {
    const bool runners = runners_.size() > 1;
    const bool iterations = std::ranges::any_of(
        arrays_, [](const Array& array) { return array.iteration > 0; });
    std::vector<StoredTensor> tensors;
    for (Array& array : arrays_) {
      std::string& name = array.stored.name;
      if (runners) name.insert(0, runners_[array.runner] + "/");
      if (iterations) name += fmt::format("/{}", array.iteration);
      tensors.push_back(std::move(array.stored));
    }
    return tensors;
  }

  // Each array may repeat the name of its runner.
  uint64_t name_bytes() const { return name_bytes_; }

 private:
  // Inside the outermost object.
  Status Results() {
    JsonToken key = scan_.Next();
    for (; key.kind == kKey; key = scan_.Next()) {
      if (key.text != "lst") {
        scan_.SkipValue();
        continue;
      }
      RETURN_IF_ERROR(Begin(kBeginArray, "'lst' is no list of runners"));
      JsonToken runner = scan_.Next();
      for (; runner.kind == kBeginArray; runner = scan_.Next()) {
        RETURN_IF_ERROR(Runner());
      }
      RETURN_IF_ERROR(Ended(runner, kEndArray, "a runner is no list"));
    }
    return Ended(key, kEndObject, "");
  }

  // "NAME", [ITERATION, ...] ]
  Status Runner() {
    const JsonToken name = scan_.Next();
    if (name.kind != kString) return scan_.Wrong(name, "a runner has no name");
    runners_.push_back(name.Text());
    RETURN_IF_ERROR(Begin(kBeginArray, "a runner has no list of iterations"));
    RETURN_IF_ERROR(Iterations());
    return Ended(scan_.Next(), kEndArray, "a runner has more than iterations");
  }

  Status Iterations() {
    JsonToken token = scan_.Next();
    const bool inputs = runners_.empty();
    for (size_t i = 0; token.kind == kBeginObject; token = scan_.Next(), ++i) {
      RETURN_IF_ERROR(inputs ? Arrays(i) : Iteration(i));
    }
    return Ended(token, kEndArray, "an iteration is no object");
  }

  Status Iteration(size_t number) {
    JsonToken key = scan_.Next();
    for (; key.kind == kKey; key = scan_.Next()) {
      if (key.text != "outputs") {
        scan_.SkipValue();
        continue;
      }
      RETURN_IF_ERROR(Begin(kBeginObject, "'outputs' is no object"));
      RETURN_IF_ERROR(Arrays(number));
    }
    return Ended(key, kEndObject, "");
  }

  Status Arrays(size_t iteration) {
    JsonToken name = scan_.Next();
    const size_t runner = runners_.empty() ? 0 : runners_.size() - 1;
    for (; name.kind == kKey; name = scan_.Next()) {
      Array& array = arrays_.emplace_back(Array{runner, iteration, {}});
      const JsonToken value = scan_.Next();
      auto stored = Value(value);
      if (!scan_.ok()) return scan_.error();
      if (stored) {
        array.stored = *std::move(stored);
      } else if (++bad_ > kMostBad) {
        return std::move(stored).error();
      } else {
        array.stored.dtype = DType::kOpaque;
        array.stored.error = std::make_shared<const Error>(
            std::move(stored).error().Of(name.Text()));
      }
      array.stored.name = name.Text();
      name_bytes_ += name.text.size();
      if (!runners_.empty()) name_bytes_ += runners_.back().size();
    }
    return Ended(name, kEndObject, "");
  }

  // One array in its wrappings. All of the value is passed over, also if it is
  // no array.
  Result<StoredTensor> Value(const JsonToken& first) {
    Result<StoredTensor> found = Unsupported("no array of NumPy")
                                     .At(path_, first.at)
                                     .Hint("was a torch tensor saved?");
    if (first.kind != kBeginObject) {
      scan_.Skip(first);
      return found;
    }
    for (JsonToken key = scan_.Next(); key.kind == kKey; key = scan_.Next()) {
      const JsonToken value = scan_.Next();
      if (key.text == "array" && value.kind == kString) {
        found = Base64(value);
      } else if (key.text == "array" || key.text == "values") {
        found = Value(value);
      } else {
        scan_.Skip(value);
      }
    }
    return found;
  }

  Result<StoredTensor> Base64(const JsonToken& token) {
    const uint64_t at = token.at + 1;
    const auto total = Base64Bytes(token.text);
    if (token.escaped || !total) {
      return Corrupt("the array is no base64 text")
          .At(path_, at)
          .Hint("saved by a very old Polygraphy? save it again");
    }
    ASSIGN_OR_RETURN(std::string head, Head(token, kNpyFirst));
    if (const uint64_t length = NpyHeaderLength(head); length > head.size()) {
      ASSIGN_OR_RETURN(head, Head(token, length));
    }
    auto tensor = ParseNpy(head, *total, path_, 0, hints_);
    if (!tensor) return std::move(tensor).error().At(path_, at);
    tensor->extent = {.offset = at,
                      .length = token.text.size(),
                      .encoding = Encoding::kBase64,
                      .skip = tensor->extent.offset};
    return tensor;
  }

  // At least the first `bytes` bytes, if there are as many.
  Result<std::string> Head(const JsonToken& token, uint64_t bytes) const {
    const uint64_t characters = (bytes + 2) / 3 * 4;
    return DecodeBase64(token.text.substr(0, characters), path_, token.at + 1);
  }

  Status Begin(JsonKind kind, std::string_view what) {
    const JsonToken token = scan_.Next();
    if (token.kind == kind) return Done{};
    return scan_.Wrong(token, what);
  }
  Status Ended(const JsonToken& token, JsonKind kind, std::string_view what) {
    if (token.kind == kind) return Done{};
    return scan_.Wrong(token, what);
  }

  JsonScanner& scan_;
  std::string_view path_;
  const CodecHints& hints_;
  std::vector<std::string> runners_;
  std::vector<Array> arrays_;
  uint64_t name_bytes_ = 0;
  size_t bad_ = 0;
};

Result<std::vector<StoredTensor>> List(const InputFile& file,
                                       const CodecHints& hints) {
  ASSIGN_OR_RETURN(const JsonFile json, JsonFile::Map(file));
  JsonScanner scan = json.Scan();
  Reader reader(scan, file.path(), hints);
  const Status read = reader.Read();
  RETURN_IF_ERROR(json.Intact());
  if (!read) return read.error();
  if (reader.name_bytes() > file.size()) {
    return Corrupt("the names of the arrays are longer than the file")
        .At(file.path());
  }
  return reader.Take();
}

}  // namespace

extern constinit const Codec kPolygraphy = {
    .name = "polygraphy",
    .summary = "Polygraphy's saved outputs and inputs (JSON)",
    .extensions = ".json",
    .sniff = IsPolygraphy,
    .list = List,
    .write = nullptr,
    .many = true,
};

}  // namespace assay
