// mscmp_advisor.py: the expert system alone, over a table written before.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>

#include "base/input_file.h"
#include "base/text.h"
#include "legacy/advisor.h"
#include "legacy/csv_reader.h"
#include "legacy/legacy_tool.h"
#include "legacy/msaccucmp_commands.h"
#include "legacy/old_arguments.h"

namespace assay {
namespace {

constexpr std::string_view kProgram = "mscmp_advisor";
constexpr uint64_t kLargest = 100 << 20;
constexpr size_t kLongestNodes = 1024;

constexpr OldOption kOptions[] = {
    {"-i,--input_file", OldOption::kOne, "result table (.csv)", true},
    {"-input_nodes,--input_nodes", OldOption::kOne,
     "names of the model's inputs, as \"a;b\""},
    {"-o,--out_path", OldOption::kOne, "folder for advisor_summary.txt [.]"},
    {"--lang", OldOption::kOne, "language of the advice [en]", false, "en,zh"},
};

OldResult<std::vector<CsvRow>> ReadTable(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return Failure(OldCode::kOpen, "The path \"{}\" does not exist.", path);
  }
  if (!path.ends_with(".csv")) {
    return Failure(OldCode::kFileType, "The file \"{}\" is no .csv file.",
                   path);
  }
  if (!std::filesystem::is_regular_file(path, error)) {
    return Failure(OldCode::kPath, "The path \"{}\" is no file.", path);
  }
  const auto file = InputFile::Open(path);
  if (!file) return Failure(OldCode::kOpen, file.error());
  if (file->size() > kLargest) {
    return Failure(OldCode::kInvalidFile,
                   "The file \"{}\" is larger than 100 MB.", path);
  }
  const auto text = file->Text(0, file->size());
  if (!text) return Failure(OldCode::kOpen, text.error());
  return ParseCsv(*text);
}

OldResult<std::vector<std::string>> ReadNodes(const std::string& text) {
  const bool fine = std::ranges::all_of(text, [](unsigned char c) {
    return c == ';' || IsOldPath({reinterpret_cast<const char*>(&c), 1});
  });
  if (!fine || text.size() > kLongestNodes) {
    return Failure(OldCode::kParameter,
                   "The input nodes are to be at most {} of "
                   "_A-Za-z0-9/.,;- characters.",
                   kLongestNodes);
  }
  std::vector<std::string> nodes;
  for (const std::string_view node : Split(text, ';')) {
    if (!node.empty()) nodes.emplace_back(node);
  }
  return nodes;
}

OldStatus AdviseOn(const OldArguments& args) {
  const auto nodes = ReadNodes(args.Text("-input_nodes"));
  if (!nodes) return nodes.error();
  const auto table = ReadTable(args.Text("-i"));
  if (!table) return table.error();
  const auto advice = Advise(*table, *nodes);
  if (!advice) return advice.error();
  const bool chinese = args.Text("--lang") == "zh";
  fmt::print("{}", AdviceText(*advice, chinese));
  return WriteAdvice(*advice, args.Text("-o", "."), chinese);
}

int Run(std::vector<std::string> words) {
  const auto args = ParseOldArguments(kOptions, words);
  if (!args) return RefuseArguments(kProgram, args.error());
  if (args->wants_help()) {
    fmt::print("{}", OldHelp(kProgram, "What a result table means.", kOptions));
    return 0;
  }
  const auto done = AdviseOn(*args);
  return done ? 0 : GiveUp(done.error());
}

}  // namespace

extern constinit const LegacyTool kMscmpAdvisor = {
    .words = "mscmp_advisor",
    .sentence = "mscmp_advisor.py: what a result table means",
    .run = Run,
};

}  // namespace assay
