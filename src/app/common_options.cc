#include "app/common_options.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/text.h"
#include "kernel/work_buffers.h"
#include "reports/language.h"

namespace assay {
namespace {

Result<uint64_t> MaxMemory(const Args& args) {
  if (!args.Has("max-memory")) return ~uint64_t{0};
  const std::string text = args.Text("max-memory");
  const auto bytes = ParseBytes(text);
  if (!bytes) {
    return Usage("--max-memory '{}' is not a size", text)
        .Hint("for example 512M or 2G");
  }
  if (*bytes < WorkBuffers::kTotal) {
    return Usage("--max-memory {} is less than one thread needs, {}", text,
                 BytesText(WorkBuffers::kTotal));
  }
  return *bytes;
}

// As many as asked for, as long as their buffers fit.
Result<int> Threads(const Args& args) {
  ASSIGN_OR_RETURN(int threads, args.Count("threads", 0));
  if (threads == 0) threads = DefaultThreads();
  constexpr int kMost = 256;
  if (threads > kMost) {
    return Usage("--threads {} is more than {}", threads, kMost);
  }
  ASSIGN_OR_RETURN(const uint64_t bytes, MaxMemory(args));
  const uint64_t fit = bytes / WorkBuffers::kTotal;
  return static_cast<int>(
      std::min<uint64_t>(fit, static_cast<uint64_t>(threads)));
}

Result<const ReduceKernels*> Simd(const Args& args) {
  const auto kernels = AvailableKernels();
  const std::string wanted = args.Text("simd");
  if (wanted.empty()) return kernels.front();
  std::string names;
  for (const ReduceKernels* k : kernels) {
    if (k->name == wanted) return k;
    names += (names.empty() ? "" : ", ") + std::string(k->name);
  }
  return Usage("--simd '{}' is not available here", wanted)
      .Hint("this build and CPU have: " + names);
}

Status SinkToStdout(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(STDOUT_FILENO, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EPIPE) return Done{};
    if (n < 0)
      return IoError("cannot write: {}", std::strerror(errno)).At("stdout");
    text.remove_prefix(static_cast<size_t>(n));
  }
  return Done{};
}

}  // namespace

Result<OpenOptions> ReadOpenOptions(const Args& args) {
  OpenOptions options;
  options.show_progress = CanShowProgress();
  ASSIGN_OR_RETURN(options.threads, Threads(args));
  if (args.Has("dtype")) {
    options.hints.dtype = ParseDType(args.Text("dtype"));
    if (!options.hints.dtype) {
      std::vector<std::string_view> names;
      for (const DTypeInfo& info : AllDTypes()) names.push_back(info.name);
      return Usage("unknown type '{}'", args.Text("dtype"))
          .Hint(DidYouMean(args.Text("dtype"), names,
                           "types are f32, f16, bf16, i8, u8 …"));
    }
  }
  if (args.Has("shape")) {
    options.hints.shape = ParseShape(args.Text("shape"));
    if (!options.hints.shape) {
      return Usage("--shape '{}' is not a shape", args.Text("shape"))
          .Hint("for example --shape 1,16,16");
    }
  }
  options.hints.bf16_void = args.Has("bf16-void");
  ASSIGN_OR_RETURN(options.hints.max_memory, MaxMemory(args));
  return options;
}

Result<MeasureOptions> ReadMeasureOptions(const Args& args) {
  MeasureOptions options;
  ASSIGN_OR_RETURN(options.threads, Threads(args));
  ASSIGN_OR_RETURN(options.kernels, Simd(args));
  ASSIGN_OR_RETURN(
      options.tolerance.atol,
      args.Number("atol", args.Has("rtol") ? 0 : options.tolerance.atol));
  ASSIGN_OR_RETURN(
      options.tolerance.rtol,
      args.Number("rtol", args.Has("atol") ? 0 : options.tolerance.rtol));
  return options;
}

Result<std::string> ReadLanguage(const Args& args) {
  return Language::Check(args.Has("lang") ? args.Text("lang") : "en");
}

ReportOptions TerminalOptions() {
  ReportOptions options;
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  options.color = terminal && std::getenv("NO_COLOR") == nullptr;
  if (const char* columns = std::getenv("COLUMNS")) {
    options.width = std::atoi(columns);
  } else if (!terminal) {
    options.width = 0;  // into a file or a pipe: nothing is cut
  } else if (winsize size;
             ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    options.width = size.ws_col;
  }
  return options;
}

Result<Outputs> Outputs::Open(std::span<const std::string> paths) {
  Outputs outputs;
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(const Report* report, ReportForPath(path));
    const Status here = report->check ? report->check() : Done{};
    if (!here) return Error(here.error()).At(path);
    ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path));
    outputs.entries_.push_back({report, std::move(file)});
  }
  return outputs;
}

Status Outputs::Write(const Comparison& comparison,
                      const ReportOptions& options) {
  for (Entry& entry : entries_) {
    RETURN_IF_ERROR(
        WriteReport(*entry.report, comparison, options, entry.file));
  }
  return Done{};
}

Status PrintReport(std::string_view name, const Comparison& comparison,
                   const ReportOptions& options) {
  return FindReport(name)->print(comparison, options, SinkToStdout);
}

}  // namespace assay
