#include "pipeline/capture_tf.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/output_file.h"
#include "base/text.h"
#include "kernel/work_buffers.h"
#include "pipeline/converted_tensor.h"
#include "pipeline/golden_names.h"
#include "sources/source.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// Writes tensors of one run as .npy files.
class ArrayWriter {
 public:
  ArrayWriter(const Dump& dump, const std::string& folder)
      : dump_(dump), folder_(folder), names_(folder) {
    options_.to = FindCodec("npy");
  }

  Status Write(const TensorInfo& info) {
    const DType stored = info.stored.dtype;
    const DType to = options_.to->holds(stored) ? stored : Widened(stored);
    ASSIGN_OR_RETURN(auto reading, ConvertedTensor::Make(dump_, info, to,
                                                         options_, buffers_));
    TensorToWrite write = reading->Spec();
    write.next = [&] { return reading->Next(); };
    const std::string name = names_.For(dump_.NameOf(info), info.id.order);
    ASSIGN_OR_RETURN(OutputFile out,
                     OutputFile::Create(folder_ + "/" + name,
                                        OutputFile::Existing::kRefuse));
    RETURN_IF_ERROR(options_.to->write({&write, 1}, out));
    return out.Commit();
  }

  Status Finish() { return names_.WriteMapping(); }

 private:
  const Dump& dump_;
  const std::string& folder_;
  GoldenNames names_;
  ConvertOptions options_;
  WorkBuffers buffers_;
};

Status WriteRun(const std::string& run, const std::string& folder,
                CaptureReport& report) {
  ASSIGN_OR_RETURN(const Dump dump, OpenSource(run, {}));
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return IoError("{}", failed.message()).At(folder);
  ArrayWriter writer(dump, folder);
  for (const TensorInfo& info : dump.tensors) {
    const std::string name(dump.NameOf(info));
    report.tensors.push_back(name);
    if (info.error()) {
      report.notes.push_back(fmt::format("{}: {}", name, info.error()->what));
    } else if (!HasNumbers(info.stored)) {
      report.notes.push_back(
          fmt::format("{} holds no numbers, left out", name));
    } else {
      RETURN_IF_ERROR(writer.Write(info));
      ++report.came.back().files;
    }
  }
  return writer.Finish();
}

}  // namespace

std::vector<std::string> RunsOf(const std::vector<std::string>& files) {
  std::set<std::string> runs;
  for (const std::string& file : files) {
    const size_t device = file.find("/_tfdbg_device_");
    if (device != std::string::npos) runs.insert(file.substr(0, device));
  }
  return {runs.begin(), runs.end()};
}

Status WriteTfdbgArrays(const CapturePlaces& places,
                        const std::vector<std::string>& runs,
                        CaptureReport& report) {
  report.came.push_back({"arrays", places.golden});
  for (const std::string& run : runs) {
    const std::string folder = runs.size() == 1
                                   ? places.golden
                                   : fmt::format("{}/{}", places.golden, run);
    RETURN_IF_ERROR(WriteRun(places.tfdbg + "/" + run, folder, report));
  }
  return Done{};
}

// [0.123]   4   Const   scope/node:0
std::vector<std::string> TensorsOfLt(std::string_view text) {
  std::vector<std::string> tensors;
  for (std::string_view line : Split(text, '\n')) {
    line = Trim(line);
    const size_t last = line.find_last_of(" \t");
    if (!line.starts_with('[') || last == line.npos) continue;
    const std::string_view name = line.substr(last + 1);
    if (name.find(':') != name.npos) tensors.emplace_back(name);
  }
  return tensors;
}

Result<std::string> PtCommands(const std::vector<std::string>& tensors,
                               const std::string& folder, int64_t time) {
  GoldenNames names(folder);
  std::map<std::string_view, int> seen;
  std::string text;
  for (const std::string& tensor : tensors) {
    text += fmt::format("pt {} -n {} -w {}/{}\n", tensor, seen[tensor]++,
                        folder, names.For(tensor, time));
  }
  RETURN_IF_ERROR(names.WriteMapping());
  return text;
}

}  // namespace assay
