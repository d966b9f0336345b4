#include "pipeline/overflow.h"

#include <fmt/format.h>

#include "app/command.h"
#include "app/common_options.h"
#include "app/interrupt.h"
#include "app/overflow_view.h"
#include "app/talk_line.h"
#include "base/progress.h"

namespace assay {
namespace {

constexpr int kShown = 20;

constexpr OptionSpec kOptions[] = {
    {"--json", "", "as JSON (assay.overflow/1)"},
    {"-n,--first", "N", "overflow records shown [20; all with --json]"},
    {"--dtype", "T", "type of raw .bin files"},
    {"--shape", "S", "shape of raw .bin files, as 1,16,16 [flat]"},
    {"--bf16-void", "", "NumPy arrays of type '|V2' hold bf16"},
    {"--threads", "N", "threads to use [all CPUs]"},
};

constexpr Example kExamples[] = {
    {"assay overflow dump/", "who overflowed, and the first nan or inf"},
    {"assay overflow dump/ -n 1", "the oldest record only"},
    {"assay overflow golden/ --json", "for scripts; any dump will do"},
};

Result<size_t> Shown(const Args& args) {
  if (!args.Has("first") && args.Has("json")) return ~size_t{0};
  ASSIGN_OR_RETURN(const int n, args.Count("first", kShown));
  return static_cast<size_t>(n);
}

// 130 > 2 > 1 > 0, as everywhere.
int ExitCode(const OverflowReport& report) {
  if (report.interrupted) return 130;
  if (!report.errors.empty()) return 2;
  return report.FoundSomething() ? 1 : 0;
}

Result<int> Run(const Args& args) {
  OverflowOptions options{.path = args.positionals[0]};
  ASSIGN_OR_RETURN(options.open, ReadOpenOptions(args));
  ASSIGN_OR_RETURN(options.measure, ReadMeasureOptions(args));
  ASSIGN_OR_RETURN(options.first, Shown(args));
  options.show_progress = CanShowProgress();
  ASSIGN_OR_RETURN(const OverflowReport report,
                   FindOverflows(options, TalkLine, WatchInterrupt()));
  if (args.Has("json")) {
    fmt::print("{}\n", OverflowJson(report, options.path, options.first));
  } else {
    fmt::print("{}", OverflowText(report, options.path, options.first));
  }
  for (const DumpNote& note : report.overflows.notes) {
    fmt::print(stderr, "note: {}: {}\n", note.file, note.text);
  }
  for (const Error& error : report.errors) {
    fmt::print(stderr, "{}", error.Text());
  }
  return ExitCode(report);
}

}  // namespace

extern constinit const Command kOverflow = {
    .name = "overflow",
    .sentence = "Who overflowed, and where the first nan or inf comes from.",
    .usage = "assay overflow [options] DIR",
    .notes =
        "  Decodes the overflow records of an Ascend dump (Opdebug files) and "
        "lists the tensors of\n"
        "  the operators they are about. In any dump it finds the first "
        "operator that makes nan or\n"
        "  inf of finite inputs, or else the first that has one.\n"
        "  Ends with 1 if a record or an output tells of something, else "
        "with 0; 2 is trouble.",
    .least = 1,
    .most = 1,
    .options = kOptions,
    .examples = kExamples,
    .run = Run,
};

}  // namespace assay
