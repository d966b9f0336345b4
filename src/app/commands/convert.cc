#include "pipeline/convert.h"

#include <fmt/format.h>

#include "app/command.h"
#include "app/common_options.h"
#include "app/interrupt.h"
#include "base/progress.h"
#include "base/text.h"

namespace assay {
namespace {

constexpr OptionSpec kOptions[] = {
    {"--to", "FORMAT", "npy, npz, safetensors or bin"},
    {"-o,--out", "DIR", "folder for the new files"},
    {"--force", "", "overwrite files that exist"},
    {"--dtype", "T", "type of raw .bin files"},
    {"--shape", "S", "shape of raw .bin files, as 1,16,16 [flat]"},
    {"--bf16-void", "", "NumPy arrays of type '|V2' hold bf16"},
    {"--threads", "N", "threads to use [all CPUs]"},
};

constexpr Example kExamples[] = {
    {"assay convert dump/ --to npy -o arrays/", "every tensor of a folder"},
    {"assay convert w.safetensors --to npz -o .", "one file"},
    {"assay convert x.bin --dtype f16 --shape 1,16 --to npy -o .",
     "raw values"},
};

Result<const Codec*> Format(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Codec* codec : AllCodecs()) {
    if (codec->write) names.push_back(codec->name);
  }
  constexpr std::string_view kFormats = "formats: npy, npz, safetensors, bin";
  if (name.empty()) return Usage("--to is missing").Hint(kFormats);
  const Codec* codec = FindCodec(name);
  if (codec != nullptr && codec->write) return codec;
  return Usage("cannot write '{}'", name)
      .Hint(DidYouMean(name, names, kFormats));
}

Result<int> Run(const Args& args) {
  ConvertOptions options;
  options.sources = args.positionals;
  ASSIGN_OR_RETURN(options.to, Format(args.Text("to")));
  options.out = args.Text("out");
  if (options.out.empty()) {
    return Usage("-o DIR is missing").Hint("the folder for the new files");
  }
  options.force = args.Has("force");
  ASSIGN_OR_RETURN(options.open, ReadOpenOptions(args));
  options.show_progress = CanShowProgress();
  const std::atomic<bool>& stop = WatchInterrupt();
  ASSIGN_OR_RETURN(const ConvertResult result, Convert(options, stop));
  for (const std::string& name : result.written) {
    fmt::print("{}/{}\n", options.out, name);
  }
  for (const std::string& note : result.notes)
    fmt::print(stderr, "note: {}\n", note);
  for (const Error& error : result.failures)
    fmt::print(stderr, "{}", error.Text());
  if (stop.load()) return 130;
  return result.failures.empty() ? 0 : 2;
}

}  // namespace

extern constinit const Command kConvert = {
    .name = "convert",
    .sentence = "Write tensors in another format.",
    .usage = "assay convert [options] SRC... --to FORMAT -o DIR",
    .notes =
        "  Writes FILE.npy for a file of one tensor, FILE.TENSOR.npy for each "
        "of several;\n"
        "  npz and safetensors take all tensors of a file.",
    .least = 1,
    .most = 1 << 20,
    .options = kOptions,
    .examples = kExamples,
    .run = Run,
};

}  // namespace assay
