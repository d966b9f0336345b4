// dc: decodes a file of the device's dump into array files.
#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"
#include "legacy/precision_tool.h"
#include "pipeline/convert.h"

namespace assay {
namespace {

constexpr OldOption kOptions[] = {
    {"-n", OldOption::kMany, "before the name; may be left out"},
    {"-f", OldOption::kOne, "unpack to NCHW, NHWC, ND … [as stored]"},
    {"-o", OldOption::kOne, "folder for the arrays [temp/decode/dump_convert]"},
};

// A path, or a file of a device's dump by its name or its beginning.
Result<std::string> FindDump(const WorkFolder& folder,
                             const std::string& name) {
  std::error_code ignored;
  if (std::filesystem::exists(name, ignored)) return name;
  std::vector<std::string_view> known;
  std::vector<DeviceFile> files;
  for (const WorkFolder::Run& run : folder.runs) {
    if (run.dump.empty()) continue;
    ASSIGN_OR_RETURN(auto found, DeviceFilesIn(run.dump));
    std::ranges::move(found, std::back_inserter(files));
  }
  std::vector<std::string> near;
  for (const DeviceFile& file : files) {
    if (file.name == name) return file.path;
    if (file.name.starts_with(name)) near.push_back(file.path);
    known.push_back(file.name);
  }
  if (near.size() == 1) return near[0];
  if (near.size() > 1) {
    return Usage("'{}' can be {}", name, Counted(near.size(), "dump"))
        .Hint(fmt::format("one is {}", near[0]));
  }
  return NotFound("no dump is called '{}'", name)
      .At(folder.root)
      .Hint(DidYouMean(name, known));
}

Status SetLayout(const std::string& name, ConvertOptions& options) {
  if (name.empty()) return Done{};
  const auto layout = ParseLayout(name);
  if (!layout) {
    return Usage("no layout '{}'", name).Hint("NCHW, NHWC, HWCN, ND …");
  }
  options.layouts = ConvertOptions::Layouts::kOne;
  options.layout = *layout;
  return Done{};
}

Result<int> Run(Prompt& prompt, const OldArguments& args) {
  ConvertOptions options{.to = FindCodec("npy"),
                         .out = args.Text("-o"),
                         .open = prompt.open,
                         .show_progress = prompt.show_progress};
  ASSIGN_OR_RETURN(std::string path,
                   FindDump(prompt.folder, args.Words("-n")[0]));
  options.sources = {std::move(path)};
  RETURN_IF_ERROR(SetLayout(args.Text("-f"), options));
  if (options.out.empty()) {
    options.out = prompt.folder.temp + "/decode/dump_convert";
  }
  ASSIGN_OR_RETURN(const ConvertResult result, Convert(options, *prompt.stop));
  for (const std::string& name : result.written) {
    prompt.print(fmt::format("{}/{}\n", options.out, name));
  }
  for (const std::string& note : result.notes) prompt.talk("note: " + note);
  for (const Error& error : result.failures) prompt.Complain(error);
  return result.failures.empty() ? 0 : 2;
}

}  // namespace

extern constinit const PromptCommand kPromptDc = {
    .name = "dc",
    .usage = "dc [-n] DUMP [-f LAYOUT] [-o DIR]",
    .sentence = "Decodes a dump of the device into array files.",
    .options = kOptions,
    .takes = PromptNames::kArrays,
    .names = 1,
    .run = Run,
};

}  // namespace assay
