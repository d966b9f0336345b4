#include "legacy/array_text.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/output_file.h"
#include "legacy/array_values.h"
#include "pipeline/convert.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

bool IsThere(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// Writes values until the disk or the user says stop.
Status Append(const StoredView& view, const std::atomic<bool>& stop,
              OutputFile& out) {
  const auto width = view.shape.empty()
                         ? uint64_t{1}
                         : static_cast<uint64_t>(view.shape.back());
  uint64_t at = 0;
  Status written = Done{};
  const auto add = [&](const double* values, size_t n) {
    std::string text;
    for (size_t i = 0; i < n; ++i) {
      const bool last = ++at % width == 0;
      fmt::format_to(std::back_inserter(text), "{:g}{}", values[i],
                     last ? '\n' : ' ');
    }
    written = out.Append(text);
    if (written && stop.load()) written = Interrupted();
    return written.has_value();
  };
  RETURN_IF_ERROR(VisitValues<double>(view, add));
  return written;
}

}  // namespace

Result<std::string> DecodedPath(const FoundArray& array,
                                const OpenOptions& options,
                                const std::atomic<bool>& stop) {
  if (array.copy.empty()) return array.path;
  if (IsThere(array.copy)) return array.copy;
  const std::string folder = fs::path(array.copy).parent_path().string();
  ConvertOptions convert{.sources = {array.path},
                         .to = FindCodec("npy"),
                         .tensor = array.tensor.name,
                         .out = folder,
                         .open = options};
  ASSIGN_OR_RETURN(const ConvertResult result, Convert(convert, stop));
  if (stop.load()) return Interrupted();
  if (!result.failures.empty()) return result.failures.front();
  if (result.written.empty()) return Unsupported("no numbers").At(array.path);
  return fmt::format("{}/{}", folder, result.written.front());
}

Status WriteTextFile(const StoredView& view, const std::string& path,
                     const std::atomic<bool>& stop) {
  if (IsThere(path)) return Done{};
  ASSIGN_OR_RETURN(OutputFile out,
                   OutputFile::Create(path, OutputFile::Existing::kRefuse));
  RETURN_IF_ERROR(Append(view, stop, out));
  return out.Commit();
}

}  // namespace assay
