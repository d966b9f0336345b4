#include "pipeline/dump_pack.h"

#include <algorithm>
#include <filesystem>

#include "codecs/codec.h"
#include "kernel/value_stream.h"

namespace assay {
namespace {

// A stored tensor that is opened when its turn comes: thousands at once would
// need as many descriptors.
class LateValues {
 public:
  explicit LateValues(std::string path) : path_(std::move(path)) {}

  Result<std::string_view> Next() {
    if (!values_) RETURN_IF_ERROR(Open());
    ASSIGN_OR_RETURN(const std::string_view piece, values_->Next());
    if (piece.empty()) *this = LateValues(path_);
    return piece;
  }

 private:
  Status Open() {
    ASSIGN_OR_RETURN(const Listing listing, ListFile(path_, {}));
    stored_ = std::make_unique<StoredTensor>(listing.tensors.at(0));
    view_ = std::make_unique<StoredView>(PlainView(path_, *stored_));
    ASSIGN_OR_RETURN(OpenView open, OpenView::Open(*view_));
    open_ = std::make_unique<OpenView>(std::move(open));
    buffers_ = std::make_unique<WorkBuffers>();
    ASSIGN_OR_RETURN(values_,
                     ValueStream::Open(*open_, stored_->dtype, *buffers_));
    return Done{};
  }

  std::string path_;
  std::unique_ptr<StoredTensor> stored_;
  std::unique_ptr<StoredView> view_;
  std::unique_ptr<OpenView> open_;
  std::unique_ptr<WorkBuffers> buffers_;
  std::optional<ValueStream> values_;
};

}  // namespace

Status PackTaps(const std::string& folder, const std::string& format,
                const onnx::OnnxFile& file, std::vector<TapRecord>& taps) {
  if (format == "npy") return Done{};
  const Codec* codec = FindCodec(format);
  std::ranges::sort(taps, {}, &TapRecord::tap);
  std::vector<TapRecord*> packed;
  for (TapRecord& tap : taps) {
    if (!tap.error && codec->holds(tap.dtype)) packed.push_back(&tap);
  }
  std::vector<LateValues> values;
  values.reserve(packed.size());
  std::vector<TensorToWrite> tensors;
  for (TapRecord* tap : packed) {
    LateValues& source = values.emplace_back(folder + "/" + tap->file);
    tap->tensor = file.Text(file.taps()[tap->tap].name);
    tensors.push_back({.name = tap->tensor,
                       .dtype = tap->dtype,
                       .shape = tap->shape,
                       .next = [&source] { return source.Next(); }});
  }
  if (tensors.empty()) return Done{};
  const std::string name = "outputs/outputs." + format;
  ASSIGN_OR_RETURN(OutputFile out, OutputFile::Create(folder + "/" + name));
  RETURN_IF_ERROR(codec->write(tensors, out));
  RETURN_IF_ERROR(out.Commit());
  std::error_code ignored;
  for (TapRecord* tap : packed) {
    std::filesystem::remove(folder + "/" + tap->file, ignored);
    tap->file = name;
  }
  return Done{};
}

}  // namespace assay
