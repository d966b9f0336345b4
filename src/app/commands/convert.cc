#include "pipeline/convert.h"

#include <fmt/format.h>

#include "app/command.h"
#include "app/common_options.h"
#include "app/interrupt.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"

namespace assay {
namespace {

constexpr OptionSpec kOptions[] = {
    {"--to", "FORMAT", "npy, npz, safetensors, bin, txt, ascend or atb"},
    {"-o,--out", "DIR", "folder for the new files"},
    {"--force", "", "overwrite files that exist"},
    {"--layout", "L",
     "unpack to NCHW, NHWC, HWCN, ND or host (what the framework had), or "
     "pack into NC1HWC0, FRACTAL_NZ, FRACTAL_Z, … [as stored]"},
    {"--tensor", "NAME", "only this tensor of each file, as output:0"},
    {"--txt-plain", "", "text exactly as numpy.savetxt(a.flatten())"},
    {"--dtype", "T", "type of raw .bin files"},
    {"--shape", "S",
     "with --layout the shape to cut to, in its order; else that of raw .bin "
     "files, as 1,16,16 [flat]"},
    {"--bf16-void", "", "NumPy arrays of type '|V2' hold bf16"},
    {"--threads", "N", "threads to use [all CPUs]"},
};

constexpr Example kExamples[] = {
    {"assay convert dump/ --to npy -o arrays/", "every tensor of a folder"},
    {"assay convert w.safetensors --to npz -o .", "one file"},
    {"assay convert Conv2D.conv1.3.7.1700000000000002 --layout NCHW --to npy "
     "-o .",
     "a device dump as the framework sees it"},
    {"assay convert dump/ --layout host --to safetensors -o plain/",
     "a whole dump without device layouts"},
    {"assay convert x.bin --dtype f16 --shape 1,16 --to npy -o .",
     "raw values"},
};

Result<const Codec*> Format(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Codec* codec : AllCodecs()) {
    if (codec->write) names.push_back(codec->name);
  }
  constexpr std::string_view kFormats =
      "formats: npy, npz, safetensors, bin, txt, ascend, atb";
  if (name.empty()) return Usage("--to is missing").Hint(kFormats);
  const Codec* codec = FindCodec(name);
  if (codec != nullptr && codec->write) return codec;
  return Usage("cannot write '{}'", name)
      .Hint(DidYouMean(name, names, kFormats));
}

Result<const Codec*> FormatOf(const Args& args) {
  const std::string to = args.Text("to");
  if (!args.Has("txt-plain")) return Format(to);
  if (to.empty() || to == "txt" || to == "txt-plain") {
    return Format("txt-plain");
  }
  return Usage("--txt-plain writes text, not {}", to).Hint("leave --to away");
}

// --layout, and --shape where it goes with it.
Status ReadLayout(const Args& args, ConvertOptions& options) {
  const std::string name = args.Text("layout");
  if (name.empty()) return Done{};
  using Layouts = ConvertOptions::Layouts;
  options.layouts = name == "host" ? Layouts::kHost : Layouts::kOne;
  if (options.layouts == Layouts::kOne) {
    const auto layout = ParseLayout(name);
    const bool usable =
        layout && (IsPacked(*layout) || !Dimensions(*layout).empty() ||
                   *layout == Layout::kND);
    if (!usable) {
      return Usage("no layout '{}'", name)
          .Hint(
              "NCHW, NHWC, HWCN, CHWN, NCDHW, NDHWC, ND, host; NC1HWC0, "
              "NC1HWC0_C04, NDC1HWC0, FRACTAL_NZ, FRACTAL_Z, FRACTAL_Z_3D, "
              "C1HWNCoC0");
    }
    options.layout = *layout;
  }
  if (!args.Has("dtype")) {  // a raw file needs the shape for itself
    options.shape = options.open.hints.shape;
    options.open.hints.shape.reset();
  }
  return Done{};
}

Result<int> Run(const Args& args) {
  ConvertOptions options;
  options.sources = args.positionals;
  ASSIGN_OR_RETURN(options.to, FormatOf(args));
  options.tensor = args.Text("tensor");
  options.out = args.Text("out");
  if (options.out.empty()) {
    return Usage("-o DIR is missing").Hint("the folder for the new files");
  }
  options.force = args.Has("force");
  ASSIGN_OR_RETURN(options.open, ReadOpenOptions(args));
  RETURN_IF_ERROR(ReadLayout(args, options));
  options.show_progress = CanShowProgress();
  const std::atomic<bool>& stop = WatchInterrupt();
  ASSIGN_OR_RETURN(const ConvertResult result, Convert(options, stop));
  for (const std::string& name : result.written) {
    fmt::print("{}/{}\n", options.out, name);
  }
  for (const std::string& note : result.notes)
    fmt::print(stderr, "note: {}\n", Printable(note));
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
        "  npz, safetensors and ascend take all tensors of a file.",
    .least = 1,
    .most = 1 << 20,
    .options = kOptions,
    .examples = kExamples,
    .run = Run,
};

}  // namespace assay
