#include "base/result.h"

#include "base/utf8.h"

namespace assay {

std::string_view Name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "usage";
    case ErrorCode::kNotFound:
      return "not_found";
    case ErrorCode::kCorrupt:
      return "corrupt";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kTooLarge:
      return "too_large";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kInterrupted:
      return "interrupted";
    case ErrorCode::kInternal:
      break;
  }
  return "internal";
}

Error&& Error::At(std::string_view path) && {
  file = path;
  return std::move(*this);
}

Error&& Error::At(std::string_view path, uint64_t byte) && {
  file = path;
  offset = byte;
  return std::move(*this);
}

Error&& Error::AtLine(std::string_view path, uint64_t number) && {
  file = path;
  line = number;
  return std::move(*this);
}

Error&& Error::Of(std::string_view tensor_name) && {
  tensor = tensor_name;
  return std::move(*this);
}

Error&& Error::Hint(std::string_view text) && {
  hint = text;
  return std::move(*this);
}

std::string Error::Where() const {
  std::string text = file;
  if (offset) text += fmt::format(" (byte {})", *offset);
  if (line) text += fmt::format(" (line {})", *line);
  if (!tensor.empty()) {
    text += fmt::format("{}tensor {}", text.empty() ? "" : ", ", tensor);
  }
  return text;
}

std::string Error::Text() const {
  std::string text = fmt::format("assay: {}\n", what);
  if (const std::string where = Where(); !where.empty()) {
    text += fmt::format("  in    {}\n", where);
  }
  if (!hint.empty()) text += fmt::format("  hint  {}\n", hint);
  return PrintableLines(text);  // names of files may hold anything
}

}  // namespace assay
