#include "pipeline/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/text.h"
#include "kernel/value_stream.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// One file to write and the tensors that go into it.
struct Output {
  std::string name;  // relative to the output folder
  const Dump* dump = nullptr;
  std::string path;  // of the input file
  std::vector<const TensorInfo*> tensors;
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

// FILE.npy for a file of one tensor, FILE.TENSOR.npy for one of several; a
// format that holds many tensors gets them all in one file.
void PlanFile(const Dump& dump, uint32_t file,
              const std::vector<const TensorInfo*>& tensors, const Codec& to,
              std::vector<Output>& out) {
  const std::string& name = dump.files[file];
  const std::string path = dump.PathOf(*tensors.front());
  if (to.many || tensors.size() == 1) {
    out.push_back({name + Suffix(to), &dump, path, tensors});
    return;
  }
  for (const TensorInfo* tensor : tensors) {
    out.push_back({name + "." + FileNamePart(tensor->stored.name) + Suffix(to),
                   &dump,
                   path,
                   {tensor}});
  }
}

std::vector<Output> PlanOutputs(const Dump& dump, const Codec& to) {
  std::map<uint32_t, std::vector<const TensorInfo*>> by_file;
  for (const TensorInfo& tensor : dump.tensors) {
    by_file[tensor.file].push_back(&tensor);
  }
  std::vector<Output> outputs;
  for (const auto& [file, tensors] : by_file) {
    PlanFile(dump, file, tensors, to, outputs);
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
    std::error_code ignored;
    fs::create_directories(fs::path(path).parent_path(), ignored);
    for (const TensorInfo* info : output_.tensors) {
      RETURN_IF_ERROR(Add(*info, notes));
    }
    if (tensors_.empty()) return Done{};  // the notes say why
    ASSIGN_OR_RETURN(OutputFile out,
                     OutputFile::Create(
                         path, options_.force ? OutputFile::Existing::kReplace
                                              : OutputFile::Existing::kRefuse));
    RETURN_IF_ERROR(options_.to->write(tensors_, out));
    RETURN_IF_ERROR(out.Commit());
    wrote_ = true;
    return Done{};
  }

  bool wrote() const { return wrote_; }

 private:
  // A tensor being read: the stream holds on to what stands before it.
  struct Reading {
    StoredView view;
    OpenView open;
    std::optional<ValueStream> values;
  };

  Status Add(const TensorInfo& info, std::vector<std::string>& notes) {
    if (info.error) return *info.error;
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
    Reading& reading = *readings_.emplace_back(std::make_unique<Reading>());
    reading.view = output_.dump->ViewOf(info);
    ASSIGN_OR_RETURN(reading.open, OpenView::Open(reading.view));
    tensors_.push_back(
        {.name = stored.name.empty() ? "arr_0" : stored.name,
         .dtype = to,
         .shape = reading.view.shape,
         .next = [this, to, &reading](std::string& bytes) -> Result<bool> {
           if (stop_.load()) return Stopped();
           return Next(reading, to, bytes);
         }});
    return Done{};
  }

  // The buffers serve one stream at a time: each is opened when its turn comes.
  Result<bool> Next(Reading& reading, DType to, std::string& bytes) {
    if (!reading.values) {
      ASSIGN_OR_RETURN(reading.values,
                       ValueStream::Open(reading.open, to, buffers_));
    }
    return reading.values->Next(bytes);
  }

  static Error Stopped() {
    return MakeError(ErrorCode::kInterrupted, "interrupted");
  }

  const Output& output_;
  const ConvertOptions& options_;
  std::vector<std::unique_ptr<Reading>> readings_;
  std::vector<TensorToWrite> tensors_;

  const WorkBuffers& buffers_;  // tensors are written one after the other
  const std::atomic<bool>& stop_;
  bool wrote_ = false;
};

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

}  // namespace

Result<ConvertResult> Convert(const ConvertOptions& options,
                              const std::atomic<bool>& stop) {
  std::vector<Dump> dumps;
  for (const std::string& source : options.sources) {
    ASSIGN_OR_RETURN(Dump dump, OpenSource(source, options.open));
    dumps.push_back(std::move(dump));
  }
  std::vector<Output> outputs;
  for (const Dump& dump : dumps) {
    for (Output& o : PlanOutputs(dump, *options.to))
      outputs.push_back(std::move(o));
  }
  RETURN_IF_ERROR(CheckNames(outputs));

  ConvertResult result;
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
