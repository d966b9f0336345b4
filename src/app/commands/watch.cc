#include "pipeline/watch.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/command.h"
#include "app/common_options.h"
#include "app/interrupt.h"
#include "app/talk_line.h"

namespace assay {
namespace {

constexpr OptionSpec kOptions[] = {
    {"--keep", "KIND",
     "min-max: smallest and largest values, NAME_min_max.npy or .npz; stats: "
     "statistics, sketch and hash, NAME_stats.json [min-max]"},
    {"--once", "", "shrink what is there, then end"},
    {"--threads", "N", "threads to use [all CPUs]"},
};

constexpr Example kExamples[] = {
    {"assay watch msit_ge_dump -- python3 infer.py",
     "while the job runs; its exit code is kept"},
    {"assay watch data_dump", "until Ctrl-C"},
    {"assay watch dump/ --keep stats --once", "what is there now"},
};

Result<Keep> ReadKeep(const Args& args) {
  const std::string text = args.Text("keep");
  if (text.empty() || text == "min-max") return Keep::kMinMax;
  if (text == "stats") return Keep::kStats;
  return Usage("unknown kind '{}' for --keep", text).Hint("min-max or stats");
}

Result<int> Run(const Args& args) {
  WatchOptions options{.folder = args.positionals[0], .once = args.Has("once")};
  options.command.assign(args.positionals.begin() + 1, args.positionals.end());
  ASSIGN_OR_RETURN(options.keep, ReadKeep(args));
  ASSIGN_OR_RETURN(options.measure, ReadMeasureOptions(args));
  if (options.once && !options.command.empty()) {
    return Usage("--once and a job exclude each other");
  }
  std::error_code ignored;
  if (!std::filesystem::is_directory(options.folder, ignored)) {
    return NotFound("there is no such folder")
        .At(options.folder)
        .Hint("create it first: the job writes its dump there");
  }
  return Watch(options, TalkLine, WatchInterrupt());
}

}  // namespace

extern constinit const Command kWatch = {
    .name = "watch",
    .sentence = "Shrink dumps to records while a job writes them.",
    .usage = "assay watch [options] DIR [-- CMD ...]",
    .notes =
        "  REMOVES the dump files that it has shrunk. Only NumPy arrays and "
        "dumps of Ascend devices\n"
        "  are taken, and only when they are complete and nobody writes to "
        "them; .txt, .swp, .json, .csv\n"
        "  and files that are not understood stay as they are.",
    .least = 1,
    .most = ~size_t{0},
    .options = kOptions,
    .examples = kExamples,
    .run = Run,
};

}  // namespace assay
