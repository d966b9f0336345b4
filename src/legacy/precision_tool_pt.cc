// pt: the values of an array, and a text file of all of them.
#include <fmt/format.h>

#include <filesystem>

#include "base/output_file.h"
#include "legacy/array_text.h"
#include "legacy/array_values.h"
#include "legacy/find_array.h"
#include "legacy/panel.h"
#include "legacy/precision_tool.h"

namespace assay {
namespace {

constexpr OldOption kOptions[] = {
    {"-n", OldOption::kMany, "before the name; may be left out"},
};

constexpr size_t kRows = 16, kColumns = 8;

std::vector<TextLines> ValueRows(const StoredView& view,
                                 const std::vector<Number>& values) {
  std::vector<TextLines> rows;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i % kColumns == 0) rows.push_back({fmt::format("{}", i), ""});
    std::string& line = rows.back()[1];
    line += (line.empty() ? "" : " ") + NumpyText(view.dtype(), values[i]);
  }
  return rows;
}

struct Shown {
  std::string name, path, txt;
  ArraySpec spec;
  std::vector<TextLines> rows;  // index, values
};

std::string ToolText(const Shown& shown) {
  TextLines lines =
      TableLines({.columns = {"Index", "Data"}, .rows = shown.rows});
  lines.push_back(SpecText(shown.spec));
  lines.push_back("Path: " + shown.path);
  lines.push_back("TxtFile: " + shown.txt);
  return Panel(shown.name, lines);
}

std::string SeedText(const Shown& shown) {
  std::string text = "Array: [";
  for (const TextLines& row : shown.rows) {
    text += (row[0] == "0" ? "" : "\n ") + row[1];
  }
  const ArraySpec& spec = shown.spec;
  return text + fmt::format(
                    "]\n=============\nShape: {}\nDtype: {}\nMax:  {}\n"
                    "Min:  {}\nMean: {}\nPath: {}\nTxtFile: {}\n",
                    spec.shape, spec.dtype, spec.max, spec.min, spec.mean,
                    shown.path, shown.txt);
}

Result<int> Run(Prompt& prompt, const OldArguments& args) {
  ASSIGN_OR_RETURN(const FoundArray array,
                   FindArray(prompt.folder, args.Words("-n")[0], prompt.open));
  const StoredView view = array.View();
  Shown shown{.name = array.name};
  ASSIGN_OR_RETURN(shown.spec, ReadSpec(view, *prompt.stop));
  ASSIGN_OR_RETURN(const auto values, FirstValues(view, kRows * kColumns));
  shown.rows = ValueRows(view, values);
  ASSIGN_OR_RETURN(shown.path, DecodedPath(array, prompt.open, *prompt.stop));
  shown.txt = shown.path + ".txt";
  if (const Status written = WriteTextFile(view, shown.txt, *prompt.stop);
      !written) {
    if (written.error().code == ErrorCode::kInterrupted) {
      return written.error();
    }
    shown.txt += fmt::format(" (not written: {})", written.error().what);
  }
  prompt.print(prompt.labels == PromptLabels::kSeed ? SeedText(shown)
                                                    : ToolText(shown));
  return 0;
}

}  // namespace

extern constinit const PromptCommand kPromptPt = {
    .name = "pt",
    .usage = "pt [-n] ARRAY",
    .sentence =
        "Shows an array's values; writes all of them as text beside it.",
    .options = kOptions,
    .takes = PromptNames::kArrays,
    .names = 1,
    .run = Run,
};

}  // namespace assay
