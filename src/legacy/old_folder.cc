#include "legacy/old_folder.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"
#include "sources/dump_name.h"
#include "sources/plain_names.h"
#include "sources/source.h"
#include "sources/tree.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// TYPE.OP.TASK.STREAM.TIME.TASKTYPE.CONTEXT.THREAD.DEVICE: there are five types
// of tasks.
bool HasUnknownTask(const std::string& name) {
  const auto parts = Split(name, '.');
  if (parts.size() <= 5) return false;
  const std::string_view task = parts[parts.size() - 4];
  return task.size() != 1 || task[0] < '0' || task[0] > '4';
}

OldStatus CheckNames(const std::string& folder) {
  bool arrays = false, dumps = false;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (!entry.is_regular_file(error)) continue;
    const std::string name = entry.path().filename();
    if (name.ends_with(".npy")) {
      arrays = true;
    } else if (ParseDumpName(name)) {
      dumps = true;
      if (!HasUnknownTask(name)) continue;
      return Failure(OldCode::kTaskType, "The task type of \"{}\" is unknown.",
                     name);
    }
  }
  if (!arrays || !dumps) return Done{};
  return Failure(OldCode::kDumpFile,
                 "The files in {} are of several kinds; keep npy files and "
                 "dumps apart.",
                 folder);
}

// Every file alone, under the name that stands in it.
Result<Dump> OpenApart(const std::string& path, const OpenOptions& options) {
  ASSIGN_OR_RETURN(Dump dump, OpenFiles(path, options));
  bool dumps = false;
  for (TensorInfo& tensor : dump.tensors) {
    const auto name = ParseDumpName(NameIn(dump.files[tensor.file]));
    if (!name) continue;
    const Slot slot = ParseSlot(tensor.stored.name);
    tensor.id.op = dump.names.Intern(name->op);
    tensor.id.type = dump.names.Intern(name->type);
    tensor.id.port = slot.port;
    tensor.id.index = slot.index;
    tensor.id.order = name->time;
    dumps = true;
  }
  if (dumps) dump.kind = "ascend";
  return dump;
}

}  // namespace

OldResult<Dump> OpenOldFolder(const std::string& path,
                              const OldFolderOptions& options) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    return Failure(OldCode::kPath, "The path \"{}\" does not exist.", path);
  }
  if (auto fine = CheckNames(path); !fine) return fine.error();
  const OpenOptions open{.threads = options.threads};
  auto dump =
      options.slices_apart ? OpenApart(path, open) : OpenSource(path, open);
  if (!dump) return Failure(OldCode::kDumpFile, dump.error());
  for (const DumpNote& note : dump->notes) {
    LogWarning(fmt::format("{}: {}", note.file, note.text));
  }
  return *std::move(dump);
}

}  // namespace assay
