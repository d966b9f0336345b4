#include <fmt/format.h>

#include <filesystem>

#include "sources/source.h"

namespace assay {

extern const Source kModelDump, kMsprobe, kPrecisionData, kTorchairGe,
    kTorchairFx, kAtbTree, kTfdbgTree, kAscendTree, kPlain;
constinit const Source* const kSources[] = {
    &kModelDump, &kMsprobe,   &kPrecisionData, &kTorchairGe, &kTorchairFx,
    &kAtbTree,   &kTfdbgTree, &kAscendTree,    &kPlain};

std::span<const Source* const> AllSources() { return kSources; }

namespace {

Error NoSuchSource(const std::string& path) {
  Error error = NotFound("no such file or folder").At(path);
  if (path.find(':') != std::string::npos) {
    error.hint =
        "if EXECUTOR:MODEL is meant: 'assay list executors' shows who can run "
        "one";
  }
  return error;
}

Error NothingInside(const Dump& dump) {
  Error error = Unsupported("no tensor in it").At(dump.source);
  if (!dump.notes.empty()) {
    const DumpNote& first = dump.notes.front();
    error.hint = fmt::format("{} {} not understood; {}: {}", dump.notes.size(),
                             dump.notes.size() == 1 ? "file was" : "files were",
                             first.file, first.text);
  }
  return error;
}

Result<Dump> OpenAs(const Source& source, const std::string& path,
                    std::string why, const OpenOptions& options) {
  ASSIGN_OR_RETURN(Dump dump, source.open(path, options));
  dump.source = path;
  if (dump.kind.empty()) dump.kind = source.name;  // else another source's
  dump.why = std::move(why);
  if (dump.tensors.empty()) return NothingInside(dump);
  return dump;
}

}  // namespace

Result<Dump> OpenSource(const std::string& path, const OpenOptions& options) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return NoSuchSource(path);
  const Glimpse glimpse(path);
  for (const Source* source : kSources) {
    if (std::string why = source->recognise(glimpse); !why.empty()) {
      return OpenAs(*source, path, std::move(why), options);
    }
  }
  return Unsupported("no source recognises it").At(path);
}

Result<Dump> OpenFiles(const std::string& path, const OpenOptions& options) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return NoSuchSource(path);
  return OpenAs(kPlain, path, kPlain.recognise(Glimpse(path)), options);
}

}  // namespace assay
