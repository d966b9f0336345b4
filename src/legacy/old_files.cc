#include "legacy/old_files.h"

#include <filesystem>

#include "base/output_file.h"
#include "codecs/ascend.h"
#include "codecs/codec.h"
#include "kernel/value_stream.h"
#include "legacy/csv_table.h"
#include "pipeline/overflow_record.h"
#include "sources/dump_name.h"
#include "sources/source.h"

namespace assay {
namespace {

std::string NameOf(const Dump& dump) {
  return std::filesystem::path(dump.source).filename();
}

Result<std::string> StoredBytes(const Dump& dump, const TensorInfo& tensor) {
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(dump.PathOf(tensor)));
  const Extent& extent = tensor.stored.extent;
  return file.Text(extent.offset, extent.length);
}

Result<std::string> RecordText(const Dump& dump, const TensorInfo& tensor) {
  ASSIGN_OR_RETURN(const std::string bytes, StoredBytes(dump, tensor));
  ASSIGN_OR_RETURN(const OverflowRecord record,
                   ParseOverflowRecord(bytes, dump.PathOf(tensor),
                                       tensor.stored.extent.offset));
  return RecordJson(record);
}

// Types that the old tool has no array for; one such tensor is enough.
bool HasOldType(const StoredTensor& tensor) {
  if (tensor.error) return tensor.error->code != ErrorCode::kUnsupported;
  return tensor.dtype != DType::kOpaque && tensor.dtype != DType::kI4;
}

OldStatus CheckTypes(const Dump& dump) {
  for (const TensorInfo& tensor : dump.tensors) {
    if (HasOldType(tensor.stored)) continue;
    return Failure(OldCode::kDataType,
                   "The data type of {} does not support. {}",
                   tensor.stored.name,
                   tensor.error() ? tensor.error()->what
                                  : std::string(Name(tensor.stored.dtype)));
  }
  return Done{};
}

// A dump whose header names no tensors is a good one.
bool IsEmptyDump(const std::string& path) {
  const auto file = InputFile::Open(path);
  if (!file || file->size() <= sizeof(uint64_t)) return false;
  const std::string name = std::filesystem::path(path).filename();
  const auto header = ReadAscendHeader(*file, name);
  return header && header->tensors.empty();
}

}  // namespace

OldResult<Dump> OpenDumpFile(const std::string& path) {
  auto dump = OpenFiles(path, {});
  if (!dump && IsEmptyDump(path)) return Dump{.source = path};
  if (!dump) {
    return Failure(OldCode::kDumpData, "Failed to parse dump file \"{}\". {}",
                   path, dump.error().what);
  }
  if (!path.ends_with(".npy")) {
    if (auto fine = CheckTypes(*dump); !fine) return fine.error();
  }
  for (const TensorInfo& tensor : dump->tensors) {
    if (tensor.error() && tensor.stored.name.empty()) {
      return Failure(OldCode::kDumpData, "Failed to parse dump file \"{}\". {}",
                     path, tensor.error()->what);
    }
  }
  return *std::move(dump);
}

Status WriteNpy(const OldArray& array, const std::string& path) {
  TensorToWrite tensor{.dtype = array.dtype, .shape = array.shape};
  bool given = false;
  tensor.next = [&]() -> Result<std::string_view> {
    if (std::exchange(given, true)) return std::string_view();
    return std::string_view(array.bytes);
  };
  ASSIGN_OR_RETURN(OutputFile out, OutputFile::Create(path));
  RETURN_IF_ERROR(FindCodec("npy")->write({&tensor, 1}, out));
  return out.Commit();
}

Status WriteNpy(const StoredView& view, const std::string& path) {
  WorkBuffers buffers;
  const Codec& npy = *FindCodec("npy");
  const bool empty = ElementCount(view.shape) == 0;  // NumPy's default type
  const DType stored = empty ? DType::kF64 : view.dtype();
  const DType type = npy.holds(stored) ? stored : Widened(stored);
  ASSIGN_OR_RETURN(const OpenView open, OpenView::Open(view));
  ASSIGN_OR_RETURN(ValueStream values, ValueStream::Open(open, type, buffers));
  TensorToWrite tensor{.name = "", .dtype = type, .shape = view.shape};
  tensor.next = [&] { return values.Next(); };
  ASSIGN_OR_RETURN(OutputFile out, OutputFile::Create(path));
  RETURN_IF_ERROR(npy.write({&tensor, 1}, out));
  return out.Commit();
}

OldResult<int> WriteRecords(const Dump& dump, const std::string& folder) {
  const std::string file = NameOf(dump);
  const auto name = ParseDumpName(file);
  if (!name || !name->IsOverflowRecord()) return 0;
  int count = 0;
  for (const TensorInfo& tensor : dump.tensors) {
    const auto text = RecordText(dump, tensor);
    if (!text) return Failure(OldCode::kDumpData, text.error());
    const auto wrote = WriteWhole(
        fmt::format("{}/{}.output.{}.json", folder, file, count++), *text);
    if (!wrote) return Failure(OldCode::kWrite, wrote.error());
  }
  return count;
}

OldStatus WriteBlocks(const Dump& dump, const std::string& folder) {
  for (const TensorInfo& tensor : dump.tensors) {
    const std::string& slot = tensor.stored.name;
    const bool buffer = slot.starts_with("buffer:");
    if (!buffer && !slot.starts_with("space:")) continue;
    const auto bytes = StoredBytes(dump, tensor);
    if (!bytes) return Failure(OldCode::kDumpData, bytes.error());
    const auto wrote =
        WriteWhole(fmt::format("{}/{}.{}.{}.bin", folder, NameOf(dump),
                               buffer ? "l1buffer" : "space",
                               slot.substr(slot.find(':') + 1)),
                   *bytes);
    if (!wrote) return Failure(OldCode::kWrite, wrote.error());
  }
  return Done{};
}

}  // namespace assay
