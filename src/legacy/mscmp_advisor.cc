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
    {"-o,--out_path", OldOption::kOne, "folder for advisor_summary.txt [none]"},
    {"--lang", OldOption::kOne, "language of the advice [en]", false, "en,zh"},
};

OldStatus CheckFile(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return Failure(OldCode::kOpen, "The path \"{}\" does not exist.", path);
  }
  if (std::filesystem::is_regular_file(path, error) &&
      std::filesystem::file_size(path, error) > kLargest) {
    return Failure(OldCode::kInvalidFile,
                   "The file \"{}\" is larger than 100 MB.", path);
  }
  if (!path.ends_with(".csv")) {
    return Failure(OldCode::kFileType, "The file \"{}\" is no .csv file.",
                   path);
  }
  if (!std::filesystem::is_regular_file(path, error)) {
    return Failure(OldCode::kPath, "The path \"{}\" is no file.", path);
  }
  return Done{};
}

OldResult<std::vector<CsvRow>> ReadTable(const std::string& path) {
  const auto file = InputFile::Open(path);
  if (!file) return Failure(OldCode::kOpen, file.error());
  const auto text = file->Text(0, file->size());
  if (!text) return Failure(OldCode::kOpen, text.error());
  if (text->find_first_not_of("\r\n") == text->npos) {
    return Failure(OldCode::kOpen, "The file \"{}\" is empty.", path);
  }
  std::vector<CsvRow> table = ParseCsv(*text);
  const auto longer = std::ranges::count_if(table, [&](const CsvRow& row) {
    return row.size() > table.front().size();
  });
  if (longer > 0) {
    LogWarning(
        fmt::format("{} of {} lines have more cells than the title: they are "
                    "left out.",
                    longer, table.size() - 1));
  }
  return table;
}

OldResult<std::vector<std::string>> ReadNodes(const std::string& text) {
  const bool fine = std::ranges::all_of(text, [](unsigned char c) {
    return c == ';' || IsOldPath({reinterpret_cast<const char*>(&c), 1});
  });
  if (!fine) {
    return Failure(OldCode::kUnknown,
                   "The input nodes are to be of _A-Za-z0-9/.,;- only.");
  }
  if (text.size() > kLongestNodes) {
    return Failure(OldCode::kInvalidFile,
                   "The input nodes are longer than {} characters.",
                   kLongestNodes);
  }
  std::vector<std::string> nodes;
  for (const std::string_view node : Split(text, ';')) {
    if (!node.empty()) nodes.emplace_back(node);
  }
  return nodes;
}

OldStatus AdviseOn(const OldArguments& args) {
  const std::string path = args.Text("-i");
  if (auto fine = CheckFile(path); !fine) return fine;
  const auto nodes = ReadNodes(args.Text("-input_nodes"));
  if (!nodes) return nodes.error();
  const auto table = ReadTable(path);
  if (!table) return table.error();
  const auto advice = Advise(*table, *nodes);
  if (!advice) return advice.error();
  const bool chinese = args.Text("--lang") == "zh";
  fmt::print("{}", AdviceText(*advice, chinese));
  if (args.Text("-o").empty()) return Done{};  // it is printed only
  return WriteAdvice(*advice, args.Text("-o"), chinese);
}

int Run(const std::vector<std::string>& words) {
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
