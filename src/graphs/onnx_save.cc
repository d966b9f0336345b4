#include "graphs/onnx_save.h"

#include <filesystem>

#include "base/output_file.h"

namespace assay::onnx {
namespace {

namespace fs = std::filesystem;

Status Bring(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  if (fs::equivalent(from, to, failed)) return Done{};
  if (fs::exists(to, failed)) {
    return IoError("another file has the name of the model's values")
        .At(to.string())
        .Hint("write the model into a folder of its own");
  }
  fs::create_directories(to.parent_path(), failed);
  // Where a link leads; it may lead nowhere from another folder.
  const fs::path file = fs::canonical(from, failed);
  fs::create_hard_link(file, to, failed);
  if (!failed) return Done{};
  failed.clear();
  fs::copy_file(from, to, failed);
  if (!failed) return Done{};
  return IoError("cannot copy the model's values: {}", failed.message())
      .At(to.string());
}

}  // namespace

Status SaveModel(const OnnxFile& origin, std::string_view bytes,
                 const std::string& path) {
  std::error_code none;
  if (fs::equivalent(origin.path(), path, none)) {
    return Usage("this would overwrite the model itself")
        .At(path)
        .Hint("write to a file of another name");
  }
  const fs::path from = fs::path(origin.path()).parent_path();
  const fs::path to = fs::path(path).parent_path();
  for (const std::string& file : origin.ExternalFiles()) {
    RETURN_IF_ERROR(Bring(from / file, to / file));
  }
  ASSIGN_OR_RETURN(OutputFile out, OutputFile::Create(path));
  RETURN_IF_ERROR(out.Append(bytes));
  return out.Commit();
}

}  // namespace assay::onnx
