#include "legacy/old_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/text.h"
#include "codecs/ascend.h"
#include "sources/array_name.h"
#include "sources/digits.h"
#include "sources/dump_name.h"
#include "sources/mapping_csv.h"
#include "sources/plain_names.h"
#include "sources/source.h"
#include "sources/tree.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// What a file of a folder is, as its name says.
enum class Kind : uint8_t { kOther, kArray, kStandard, kQuant, kDump };

// TYPE.OP.TASK.STREAM.TIME.TASKTYPE.CONTEXT.THREAD.DEVICE: there are five types
// of tasks.
bool HasUnknownTask(const std::string& name) {
  const auto parts = Split(name, '.');
  if (parts.size() <= 5 ||
      !std::all_of(parts.begin() + 2, parts.end(), AllDigits)) {
    return false;
  }
  const std::string_view task = parts[parts.size() - 4];
  return task.size() != 1 || task[0] > '4';
}

Kind KindOf(const std::string& name) {
  const std::string_view stem =
      std::string_view(name).substr(0, name.rfind('.'));
  if (name.ends_with(".npy")) {
    const bool known = ParseOutputName(stem) || ParseArrayName(stem);
    return known || IsShortened(name) ? Kind::kArray : Kind::kOther;
  }
  if (name.ends_with(".pb") || name.ends_with(".quant")) {
    if (!ParseOutputName(stem)) return Kind::kOther;
    return name.ends_with(".pb") ? Kind::kStandard : Kind::kQuant;
  }
  const bool dump =
      ParseDumpName(name) || IsShortened(name) || HasUnknownTask(name);
  return dump ? Kind::kDump : Kind::kOther;
}

// What the files directly in a folder are; the root of a tree has none.
OldResult<Kind> KindOfFolder(const std::string& folder) {
  std::set<Kind> kinds;
  bool root = false;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    root = root || entry.is_directory(error);
    if (!entry.is_regular_file(error)) continue;
    const std::string name = entry.path().filename();
    if (HasUnknownTask(name)) {
      return Failure(OldCode::kTaskType, "The task type of \"{}\" is unknown.",
                     name);
    }
    kinds.insert(KindOf(name));
  }
  kinds.erase(Kind::kOther);
  if (kinds.size() > 1) {
    return Failure(OldCode::kDumpFile,
                   "The files in {} are of several kinds; keep npy files and "
                   "dumps apart.",
                   folder);
  }
  if (kinds.empty() && !root) {
    return Failure(OldCode::kDumpFile,
                   "No valid dump files in the path \"{}\".", folder);
  }
  return kinds.empty() ? Kind::kOther : *kinds.begin();
}

// The folder below a root that has the arrays: operators are told apart by the
// names of files. A tree of device dumps is known by its root.
OldResult<std::string> ArraysBelow(const std::string& root) {
  const auto tree = WalkTree(root);
  if (!tree) return Failure(OldCode::kDumpFile, tree.error());
  std::set<std::string_view> folders;
  for (const std::string& file : tree->files) {
    const Kind kind = KindOf(std::string(NameIn(file)));
    if (kind == Kind::kDump) return root;
    if (kind != Kind::kOther) folders.insert(FolderOf(file));
  }
  if (folders.empty()) return root;
  if (folders.size() == 1) {
    return fmt::format("{}/{}", root, *folders.begin());
  }
  return Failure(OldCode::kDumpFile,
                 "Several folders in {} have arrays: {}. Give one of them.",
                 root, fmt::join(folders, ", "));
}

// The first output of a dump; one with an error if it cannot be read.
StoredTensor FirstOutput(const std::string& path, std::string_view name) {
  StoredTensor out{.dtype = DType::kOpaque};
  const auto fail = [&](Error error) {
    out.error = std::make_shared<const Error>(std::move(error));
    return out;
  };
  const auto file = InputFile::Open(path);
  if (!file) return fail(file.error());
  const auto header = ReadAscendHeader(*file, name);
  if (!header) return fail(header.error());
  for (StoredTensor& tensor : StoredTensors(*header, path)) {
    if (tensor.name == "output:0") return std::move(tensor);
  }
  return fail(Corrupt("the dump has no output").At(path));
}

// OPERATOR.INDEX.TIME.pb and .quant: dumps with one output, of a framework.
Dump OpenOutputs(const std::string& path) {
  Dump dump{.source = path, .root = path, .kind = "plain"};
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    dump.files.push_back(entry.path().filename());
  }
  std::ranges::sort(dump.files);
  std::erase_if(dump.files, [](const std::string& file) {
    return KindOf(file) != Kind::kStandard && KindOf(file) != Kind::kQuant;
  });
  for (uint32_t i = 0; i < dump.files.size(); ++i) {
    const std::string& file = dump.files[i];
    const auto name =
        ParseOutputName(std::string_view(file).substr(0, file.rfind('.')));
    TensorInfo& tensor = dump.tensors.emplace_back();
    tensor.file = i;
    tensor.stored = FirstOutput(fmt::format("{}/{}", path, file), file);
    tensor.name = tensor.id.op = dump.names.Intern(name->op);
    tensor.id.port = Port::kOutput;
    tensor.id.index = name->index;
    tensor.id.order = name->time;
  }
  return dump;
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

bool IsConverted(const Dump& dump) {
  return !dump.files.empty() &&
         (dump.files[0].ends_with(".pb") || dump.files[0].ends_with(".quant"));
}

OldResult<Dump> OpenOldFolder(const std::string& path,
                              const OldFolderOptions& options) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    return Failure(OldCode::kPath, "The path \"{}\" does not exist.", path);
  }
  const auto kind = KindOfFolder(path);
  if (!kind) return kind.error();
  if (*kind == Kind::kOther) {
    const auto below = ArraysBelow(path);
    if (!below) return below.error();
    if (*below != path) return OpenOldFolder(*below, options);
  }
  const OpenOptions open{.threads = options.threads};
  const bool outputs = *kind == Kind::kStandard || *kind == Kind::kQuant;
  auto dump = outputs                ? Result<Dump>(OpenOutputs(path))
              : options.slices_apart ? OpenApart(path, open)
                                     : OpenSource(path, open);
  if (!dump) return Failure(OldCode::kDumpFile, dump.error());
  for (const DumpNote& note : dump->notes) {
    LogWarning(fmt::format("{}: {}", note.file, note.text));
  }
  return *std::move(dump);
}

}  // namespace assay
