// msit llm compare: TorchAir dumps, two files, two folders of tensors, weights.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "legacy/legacy_tool.h"
#include "legacy/llm_custom.h"
#include "legacy/llm_level.h"
#include "legacy/llm_logits.h"
#include "legacy/llm_run.h"
#include "legacy/llm_weights.h"
#include "legacy/old_arguments.h"
#include "legacy/xlsx_table.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr OldOption kOptions[] = {
    {"-gp,--golden-path", OldOption::kOne, "the reference: a dump or a file",
     true},
    {"-mp,--my-path", OldOption::kOne, "the side under test", true},
    {"-cl,--cmp-level", OldOption::kOne,
     "only operators of this level; logits: two folders as llm logitscmp takes",
     false, "layer,module,api,logits"},
    {"-o,--output", OldOption::kOne, "folder for the tables [./]"},
    {"-mf,--op-mapping-file", OldOption::kOne,
     "folder of operator mappings; not read: names and places pair operators"},
    {"-alg,--custom-algorithms", OldOption::kMany,
     "own metrics, as file.py:function"},
    {"-l,--log-level", OldOption::kOne, "what to tell [info]", false,
     "debug,info,warning,error,fatal,critical"},
    {"-w,--weight", OldOption::kNothing, "compare the weights of two models"},
    {"-st,--stats", OldOption::kNothing, "compare the tensors' statistics"},
    {"-r,--rank", OldOption::kOne, "only this rank"},
};

void Say(const std::string& line) { fmt::print(stderr, "{}\n", line); }

// One command, as typed.
class LlmCompare {
 public:
  explicit LlmCompare(const OldArguments& arguments)
      : arguments_(arguments),
        sources_{.golden = arguments.Text("-gp"),
                 .my = arguments.Text("-mp"),
                 .say = Say},
        out_(arguments.Text("-o", ".")) {}

  Status Run() {
    RETURN_IF_ERROR(Check());
    if (arguments_.Has("-w")) return CompareWeights();
    if (IsLogits()) return CompareLogitFiles();
    ASSIGN_OR_RETURN(const auto plan, PlanLlm(sources_));
    if (!plan->torchair && arguments_.Has("-cl")) {
      TakeLevel(arguments_.Text("-cl"), plan->reports.front());
    } else if (plan->my.kind == "atb" && !arguments_.Has("-st")) {
      return WriteLevels(*plan);
    }
    const bool files = fs::is_regular_file(sources_.my) &&
                       fs::is_regular_file(sources_.golden);
    for (const LlmReport& report : plan->reports) {
      const std::vector<LlmRow> rows = RunLlm(*plan, report, sources_);
      RETURN_IF_ERROR(files ? Print(rows)
                            : Write(report, rows, plan->torchair));
    }
    return Done{};
  }

 private:
  // Everything that can be wrong is known before the long work.
  Status Check() {
    for (const std::string& path : {sources_.golden, sources_.my}) {
      if (!fs::exists(path)) return NotFound("no such file or folder").At(path);
    }
    if (arguments_.Has("-mf")) {
      Say("-mf is not read: operators are paired by their names and places");
    }
    if (arguments_.Has("-r")) RETURN_IF_ERROR(ReadRank());
    for (const std::string& text : arguments_.Words("-alg")) {
      ASSIGN_OR_RETURN(CustomMetric metric, CustomMetric::Parse(text));
      own_.push_back(std::move(metric));
    }
    std::error_code failed;
    fs::create_directories(out_, failed);
    if (failed) return IoError("cannot make the folder").At(out_);
    return Done{};
  }

  Status CompareLogitFiles() {
    ASSIGN_OR_RETURN(const auto table,
                     CompareLogits({sources_.golden, sources_.my}, {}));
    ASSIGN_OR_RETURN(const std::string path, WriteLogits(table, out_));
    Say(fmt::format("{} rows are in {}", table.size() - 1, path));
    return Done{};
  }

  // Of two models without anything quantised, where the original writes a
  // table without rows, the weights are compared as they are.
  Status CompareWeights() {
    ASSIGN_OR_RETURN(const auto plan, OpenLlm(sources_));
    ASSIGN_OR_RETURN(std::vector<LlmRow> rows,
                     CompareQuantisedWeights(*plan, sources_));
    const bool quantised = !rows.empty();
    if (quantised) {
      rows = KeptRows(std::move(rows));
      if (!own_.empty()) Say("-alg is left out: these weights are quantised");
    } else {
      RETURN_IF_ERROR(PairByNames(sources_, *plan));
      rows = RunLlm(*plan, plan->reports.front(), sources_);
    }
    std::vector<CsvRow> table = LlmWeights(rows);
    if (!quantised) AddOwn(rows, table);
    return WriteTable(table, NextPath("msit", std::nullopt, "csv"));
  }

  static Status WriteTable(const std::vector<CsvRow>& table,
                           const std::string& path) {
    RETURN_IF_ERROR(WriteWhole(path, CsvText(table, LineEnd::kLf)));
    Say(fmt::format("{} rows are in {}", table.size() - 1, path));
    return Done{};
  }

  Status ReadRank() {
    const std::string text = arguments_.Text("-r");
    if (text.empty() || text.size() > 9 ||
        text.find_first_not_of("0123456789") != text.npos) {
      return Usage("--rank '{}' is not a number", text);
    }
    sources_.rank = std::stoi(text);
    return Done{};
  }

  static Status Print(const std::vector<LlmRow>& rows) {
    for (const LlmRow& row : rows) {
      for (size_t i = 0; i < kMsitMetrics.size(); ++i) {
        fmt::print("{}: {}\n", kMsitMetrics[i], row.values.metrics[i]);
      }
      fmt::print("cmp_fail_reason: {}\n", row.values.reason);
    }
    return Done{};
  }

  // Dumps have no files of logits: there the word means every operator, as in
  // the original.
  bool IsLogits() const {
    if (arguments_.Text("-cl") != "logits" || IsTorchair(sources_.my)) {
      return false;
    }
    const auto opened = OpenLlm(sources_);
    return !opened || (*opened)->my.kind != "atb";
  }

  void TakeLevel(const std::string& level, LlmReport& report) {
    int64_t next_id = 0;
    report.pairs =
        PairsOfLevel(report.pairs, level == "logits" ? "api" : level, next_id);
  }

  // The original does not look at -st where TorchAir's graphs are: its report
  // is written, too.
  Status Write(const LlmReport& report, std::vector<LlmRow> rows,
               bool torchair) {
    rows = KeptRows(std::move(rows));
    const auto write = [&](std::string_view tool, std::vector<CsvRow> table) {
      AddOwn(rows, table);
      return WriteTable(table, NextPath(tool, report.rank, "csv"));
    };
    const bool stats = arguments_.Has("-st");
    if (stats) RETURN_IF_ERROR(write("statstics", LlmStatistics(rows)));
    if (stats && !torchair) return Done{};
    return write("msit", LlmTable(rows));
  }

  // The original has no column for the user's own metrics, so that nobody sees
  // them. What they say stands beside the reasons of the others.
  void AddOwn(const std::vector<LlmRow>& rows, std::vector<CsvRow>& table) {
    if (table.size() != rows.size() + 1) return;
    const auto found = std::ranges::find(table[0], "cmp_fail_reason");
    const auto reason = static_cast<size_t>(found - table[0].begin());
    for (const CustomMetric& metric : own_) {
      const std::vector<CustomCell> cells = AskCustom(metric, rows);
      table[0].push_back(metric.function);
      for (size_t i = 0; i < rows.size(); ++i) {
        CsvRow& row = table[i + 1];
        row.push_back(cells[i].value);
        if (cells[i].message.empty()) continue;
        Say(fmt::format("{} of {}: {}", metric.function, rows[i].pair.my_path,
                        cells[i].message));
        if (reason >= row.size() - 1) continue;  // a table without reasons
        if (!row[reason].empty()) row[reason] += ' ';
        row[reason] += cells[i].message;
      }
    }
  }

  Status WriteLevels(const LlmPlan& plan) {
    std::vector<Sheet> sheets;
    int64_t next_id = 0;
    for (const char* level : {"layer", "module", "api"}) {
      LlmReport report = plan.reports.front();
      report.pairs = PairsOfLevel(report.pairs, level, next_id);
      sheets.push_back({level, LlmTable(RunLlm(plan, report, sources_))});
    }
    const std::string path = NextPath("msit", std::nullopt, "xlsx");
    ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path));
    RETURN_IF_ERROR(WriteXlsx(file, sheets));
    Say(fmt::format("{} rows are in {}", next_id, path));
    return Done{};
  }

  // Files are named by the second; those of one run are told apart by taking
  // the next one, where the original would overwrite the first.
  std::string NextPath(std::string_view tool, std::optional<int32_t> rank,
                       std::string_view suffix) {
    for (;; ++later_) {
      std::string path = fmt::format("{}/{}_cmp_report{}_{}.{}", out_, tool,
                                     rank ? fmt::format("_rank{}", *rank) : "",
                                     TimeStamp(Clock::kUtc, later_), suffix);
      if (!fs::exists(path)) return path;
    }
  }

  const OldArguments& arguments_;
  LlmSources sources_;
  std::string out_;
  std::vector<CustomMetric> own_;
  int later_ = 0;  // seconds
};

int Run(const std::vector<std::string>& words) {
  constexpr std::string_view kSentence =
      "Compare two dumps of a large model, as msit llm compare does.";
  const Result<OldArguments> arguments = ParseOldArguments(kOptions, words);
  if (!arguments) {
    fmt::print(stderr, "{}", arguments.error().Text());
    return 2;
  }
  if (arguments->wants_help()) {
    fmt::print("{}", OldHelp("llm compare", kSentence, kOptions));
    return 0;
  }
  const Status done = LlmCompare(*arguments).Run();
  if (done) return 0;
  fmt::print(stderr, "{}", done.error().Text());
  return 1;
}

}  // namespace

extern constinit const LegacyTool kLlmCompare = {
    .words = "llm compare",
    .sentence = "compare two dumps of a large model",
    .run = Run,
};
extern constinit const LegacyTool kLlmCc = {
    .words = "llm cc",
    .sentence = "the same as llm compare",
    .run = Run,
};

}  // namespace assay
