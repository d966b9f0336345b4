#include "pipeline/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <set>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/text.h"
#include "kernel/value_stream.h"
#include "pipeline/converted_tensor.h"
#include "pipeline/overflow_record.h"
#include "sources/dump_name.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// One file to write and the tensors that go into it.
struct Output {
  std::string name;  // relative to the output folder
  const Dump* dump = nullptr;
  std::string path;  // of the input file
  std::vector<const TensorInfo*> tensors;
  bool record = false;  // an overflow record, told as JSON
};

// Names of tensors as parts of file names: ':' becomes '.', '/' becomes '_'.
std::string FileNamePart(std::string_view tensor) {
  std::string text(tensor);
  for (char& c : text) {
    if (c == ':') c = '.';
    if (c == '/' || c == '\\' || c == '\0') c = '_';
  }
  return text;
}

std::string Suffix(const Codec& codec) {
  return std::string(Split(codec.extensions, ' ').front());
}

// A format without a suffix must not bear that of another.
std::string_view BaseName(std::string_view file, const Codec& to) {
  if (!Suffix(to).empty()) return file;
  const size_t dot = file.rfind('.');
  const bool known = dot != std::string_view::npos && dot > 0 &&
                     FindCodec(file.substr(dot + 1)) != nullptr;
  return known ? file.substr(0, dot) : file;
}

bool IsOverflowRecord(const std::string& file) {
  const std::string last = fs::path(file).filename();
  const auto name = ParseDumpName(last);  // looks into `last`
  return name && name->IsOverflowRecord();
}

// What a device notes about an overflow is read as a record, too.
void PlanRecords(const Dump& dump, const std::vector<const TensorInfo*>& all,
                 std::vector<Output>& out) {
  for (const TensorInfo* tensor : all) {
    const std::string& file = dump.files[tensor->file];
    if (tensor->error() || tensor->stored.dtype != DType::kU8) continue;
    out.push_back({file + "." + FileNamePart(tensor->stored.name) + ".json",
                   &dump,
                   dump.PathOf(*tensor),
                   {tensor},
                   true});
  }
}

// FILE.npy for a file of one tensor, FILE.TENSOR.npy for one of several; a
// format that holds many tensors gets them all in one file.
void PlanFile(const Dump& dump, uint32_t file,
              const std::vector<const TensorInfo*>& tensors,
              const ConvertOptions& options, std::vector<Output>& out) {
  const Codec& to = *options.to;
  if (IsOverflowRecord(dump.files[file])) PlanRecords(dump, tensors, out);
  const std::string name(BaseName(dump.files[file], to));
  const std::string path = dump.PathOf(*tensors.front());
  if (options.tensor.empty() && (to.many || tensors.size() == 1)) {
    out.push_back({name + Suffix(to), &dump, path, tensors});
    return;
  }
  for (const TensorInfo* tensor : tensors) {
    if (!options.tensor.empty() && tensor->stored.name != options.tensor &&
        !tensor->error()) {
      continue;
    }
    out.push_back({name + "." + FileNamePart(tensor->stored.name) + Suffix(to),
                   &dump,
                   path,
                   {tensor}});
  }
}

std::vector<Output> PlanOutputs(const Dump& dump,
                                const ConvertOptions& options) {
  std::map<uint32_t, std::vector<const TensorInfo*>> by_file;
  for (const TensorInfo& tensor : dump.tensors) {
    by_file[tensor.file].push_back(&tensor);
  }
  std::vector<Output> outputs;
  for (const auto& [file, tensors] : by_file) {
    PlanFile(dump, file, tensors, options, outputs);
  }
  return outputs;
}

class Writer {
 public:
  Writer(const Output& output, const ConvertOptions& options,
         const WorkBuffers& buffers, const std::atomic<bool>& stop)
      : output_(output), options_(options), buffers_(buffers), stop_(stop) {}

  Status Run(std::vector<std::string>& notes) {
    const std::string path = options_.out + "/" + output_.name;
    if (output_.record) return WriteRecord(path);
    for (const TensorInfo* info : output_.tensors) {
      RETURN_IF_ERROR(Add(*info, notes));
    }
    if (tensors_.empty()) return Done{};  // the notes say why
    ASSIGN_OR_RETURN(OutputFile out, Create(path));
    RETURN_IF_ERROR(options_.to->write(tensors_, out));
    RETURN_IF_ERROR(out.Commit());
    wrote_ = true;
    return Done{};
  }

  bool wrote() const { return wrote_; }

 private:
  Result<OutputFile> Create(const std::string& path) const {
    return OutputFile::Create(path, options_.force
                                        ? OutputFile::Existing::kReplace
                                        : OutputFile::Existing::kRefuse);
  }

  Status WriteRecord(const std::string& path) {
    ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(output_.path));
    const Extent& extent = output_.tensors.front()->stored.extent;
    ASSIGN_OR_RETURN(const std::string bytes,
                     file.Text(extent.offset, extent.length));
    ASSIGN_OR_RETURN(const OverflowRecord record,
                     ParseOverflowRecord(bytes, file.path(), extent.offset));
    ASSIGN_OR_RETURN(OutputFile out, Create(path));
    RETURN_IF_ERROR(out.Append(RecordJson(record)));
    RETURN_IF_ERROR(out.Commit());
    wrote_ = true;
    return Done{};
  }

  Status Add(const TensorInfo& info, std::vector<std::string>& notes) {
    if (info.error()) return *info.error();
    const StoredTensor& stored = info.stored;
    const std::string what =
        stored.name.empty() ? output_.path : output_.path + ": " + stored.name;
    if (!HasNumbers(stored)) {
      notes.push_back(fmt::format("{} holds no numbers, left out", what));
      return Done{};
    }
    const DType to =
        options_.to->holds(stored.dtype) ? stored.dtype : Widened(stored.dtype);
    if (to != stored.dtype) {
      notes.push_back(fmt::format("{}: {} widened to {}", what,
                                  Name(stored.dtype), Name(to)));
    }
    if (KeepsUnnamedOrder(stored, options_)) {
      notes.push_back(fmt::format(
          "{}: its dimensions have no names; not brought into the order {}",
          what, Name(options_.layout)));
    }
    ASSIGN_OR_RETURN(
        auto reading,
        ConvertedTensor::Make(*output_.dump, info, to, options_, buffers_));
    TensorToWrite write = reading->Spec();
    write.name = stored.name.empty() ? "arr_0" : stored.name;
    write.next = [this, r = reading.get()]() -> Result<std::string_view> {
      if (stop_.load()) return Stopped();
      return r->Next();
    };
    tensors_.push_back(std::move(write));
    readings_.push_back(std::move(reading));
    return Done{};
  }

  static Error Stopped() {
    return MakeError(ErrorCode::kInterrupted, "interrupted");
  }

  const Output& output_;
  const ConvertOptions& options_;
  std::vector<std::unique_ptr<ConvertedTensor>> readings_;
  std::vector<TensorToWrite> tensors_;

  const WorkBuffers& buffers_;  // tensors are written one after the other
  const std::atomic<bool>& stop_;
  bool wrote_ = false;
};

std::vector<Dump> OpenAll(const ConvertOptions& options,
                          std::vector<Error>& failures) {
  std::vector<Dump> dumps;
  for (const std::string& source : options.sources) {
    auto dump = OpenFiles(source, options.open);
    if (dump) {
      dumps.push_back(*std::move(dump));
    } else {
      failures.push_back(std::move(dump).error());
    }
  }
  return dumps;
}

// Two inputs must not end in one file.
Status CheckNames(const std::vector<Output>& outputs) {
  std::set<std::string_view> names;
  for (const Output& output : outputs) {
    if (!names.insert(output.name).second) {
      return Usage("two tensors would be written to {}", output.name)
          .At(output.path)
          .Hint("convert them into different folders");
    }
  }
  return Done{};
}

Status MakeFolders(const std::vector<Output>& outputs, const std::string& out) {
  std::set<fs::path> folders;
  for (const Output& output : outputs) {
    folders.insert(fs::path(out + "/" + output.name).parent_path());
  }
  for (const fs::path& folder : folders) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed)
      return IoError("cannot make the folder: {}", failed.message())
          .At(folder.native());
  }
  return Done{};
}

// What else lies in a folder, but for its table of names.
void NoteLeftOut(const Dump& dump, std::vector<std::string>& notes) {
  for (const DumpNote& note : dump.notes) {
    if (fs::path(note.file).filename() == "mapping.csv") continue;
    notes.push_back(
        fmt::format("{}/{}: not read: {}", dump.root, note.file, note.text));
  }
}

// So that no thread is left alone with a large one.
void SortLargestFirst(std::vector<Output>& outputs) {
  const auto bytes = [](const Output& output) {
    uint64_t sum = 0;
    for (const TensorInfo* t : output.tensors) sum += t->stored.extent.length;
    return sum;
  };
  std::ranges::stable_sort(outputs, std::greater(), bytes);
}

}  // namespace

Result<ConvertResult> Convert(const ConvertOptions& options,
                              const std::atomic<bool>& stop) {
  ConvertResult result;
  const std::vector<Dump> dumps = OpenAll(options, result.failures);
  if (dumps.empty()) return result;
  std::vector<Output> outputs;
  for (const Dump& dump : dumps) {
    for (Output& o : PlanOutputs(dump, options))
      outputs.push_back(std::move(o));
  }
  if (outputs.empty()) {
    result.failures.push_back(
        NotFound("no tensor is called '{}'", options.tensor)
            .At(dumps.front().source)
            .Hint("'assay show' lists the names"));
    return result;
  }
  RETURN_IF_ERROR(CheckNames(outputs));
  RETURN_IF_ERROR(MakeFolders(outputs, options.out));

  SortLargestFirst(outputs);

  for (const Dump& dump : dumps) NoteLeftOut(dump, result.notes);
  std::mutex mutex;
  WorkerBuffers buffers(options.open.threads);
  Progress progress("converting", outputs.size(), Progress::Unit::kItems,
                    options.show_progress);
  ParallelFor(
      outputs.size(), options.open.threads,
      [&](size_t i, size_t worker) {
        Writer writer(outputs[i], options, buffers.Of(worker), stop);
        std::vector<std::string> notes;
        Status status = writer.Run(notes);
        const std::lock_guard lock(mutex);
        result.notes.insert(result.notes.end(), notes.begin(), notes.end());
        if (!status) {
          result.failures.push_back(std::move(status).error());
          std::string& file = result.failures.back().file;
          if (file.empty()) file = outputs[i].path;
        }
        if (writer.wrote()) result.written.push_back(outputs[i].name);
        progress.Add(1);
      },
      &stop);
  std::sort(result.written.begin(), result.written.end());
  std::sort(result.notes.begin(), result.notes.end());
  std::sort(result.failures.begin(), result.failures.end(),
            [](const Error& a, const Error& b) { return a.file < b.file; });
  return result;
}

}  // namespace assay
