#include "codecs/codec.h"

namespace assay {

Status PassValues(TensorToWrite& tensor,
                  const std::function<Status(std::string_view)>& sink) {
  const auto count = ElementCount(tensor.shape);
  const auto bytes = count ? ByteCount(tensor.dtype, *count) : std::nullopt;
  if (!bytes) {
    return Internal("shape {} is too large to write", ToText(tensor.shape))
        .Of(tensor.name);
  }
  uint64_t passed = 0;
  while (true) {
    ASSIGN_OR_RETURN(const std::string_view piece, tensor.next());
    if (piece.empty()) break;
    passed += piece.size();
    RETURN_IF_ERROR(sink(piece));
  }
  if (passed == *bytes) return Done{};
  return Internal("{} bytes to write, {} came", *bytes, passed).Of(tensor.name);
}

Status AppendValues(TensorToWrite& tensor, OutputFile& out) {
  return PassValues(tensor,
                    [&](std::string_view bytes) { return out.Append(bytes); });
}

}  // namespace assay
