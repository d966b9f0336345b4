// msit llm compare: TorchAir dumps, two files, two folders of tensors, weights.
#include <fmt/format.h>

#include <ctime>
#include <filesystem>

#include "base/parallel.h"
#include "legacy/legacy_tool.h"
#include "legacy/llm_table.h"
#include "legacy/llm_torchair.h"
#include "legacy/old_arguments.h"
#include "pairing/strategy.h"
#include "pipeline/choose_graphs.h"
#include "sources/source.h"
#include "sources/tree.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr OldOption kOptions[] = {
    {"-gp,--golden-path", OldOption::kOne, "the reference: a dump or a file",
     true},
    {"-mp,--my-path", OldOption::kOne, "the side under test", true},
    {"-cl,--cmp-level", OldOption::kOne, "only operators of this level", false,
     "layer,module,api,logits"},
    {"-o,--output", OldOption::kOne, "folder for the tables [./]"},
    {"-mf,--op-mapping-file", OldOption::kOne, "folder of operator mappings"},
    {"-alg,--custom-algorithms", OldOption::kMany,
     "own metrics, as file.py:function"},
    {"-l,--log-level", OldOption::kOne, "what to tell [info]", false,
     "debug,info,warning,error,fatal,critical"},
    {"-w,--weight", OldOption::kNothing, "compare the weights of two models"},
    {"-st,--stats", OldOption::kNothing, "compare the tensors' statistics"},
    {"-r,--rank", OldOption::kOne, "only this rank"},
};

void Say(const std::string& line) { fmt::print(stderr, "{}\n", line); }

bool IsOriginalGraph(std::string_view name) {
  return name.starts_with("dynamo_original_graph_") && name.ends_with(".txt");
}

// The folder that TorchAir wrote its graphs to; empty: none below.
std::string GraphFolder(const std::string& path) {
  if (!fs::is_directory(path)) return "";
  const std::string file = FindBelow(path, IsOriginalGraph);
  if (file.empty()) return "";
  const std::string folder(FolderOf(file));
  return folder.empty() ? path : path + "/" + folder;
}

Result<Dump> Open(const std::string& path) {
  return OpenSource(path, {.threads = DefaultThreads()});
}

// One command, as typed.
class LlmCompare {
 public:
  explicit LlmCompare(const OldArguments& arguments)
      : arguments_(arguments),
        golden_(arguments.Text("-gp")),
        my_(arguments.Text("-mp")),
        out_(arguments.Text("-o", ".")) {}

  Status Run() {
    RETURN_IF_ERROR(Check());
    if (arguments_.Has("-w")) return Pairs();
    if (const std::string graphs = GraphFolder(my_); !graphs.empty()) {
      return Torchair(graphs);
    }
    return fs::is_regular_file(my_) && fs::is_regular_file(golden_) ? TwoFiles()
                                                                    : Pairs();
  }

 private:
  Status Check() const {
    for (const std::string& path : {golden_, my_}) {
      if (!fs::exists(path)) return NotFound("no such file or folder").At(path);
    }
    const std::string rank = arguments_.Text("-r", "0");
    if (rank.find_first_not_of("0123456789") != std::string::npos) {
      return Usage("--rank '{}' is not a number", rank);
    }
    std::error_code failed;
    fs::create_directories(out_, failed);
    if (failed) return IoError("cannot make the folder").At(out_);
    return Done{};
  }

  Status Torchair(const std::string& graphs) {
    ASSIGN_OR_RETURN(Dump my, Open(graphs));
    RETURN_IF_ERROR(ChooseGraphs("", "my", my, Say));
    const std::string theirs = GraphFolder(golden_);
    ASSIGN_OR_RETURN(const Dump golden,
                     Open(theirs.empty() ? golden_ : theirs));
    if (golden.kind != "torchair-fx" && golden.kind != "torchair-ge") {
      return Usage("the golden path is {}, not a dump of TorchAir", golden.kind)
          .At(golden_)
          .Hint("give the folder that TorchAir wrote, of GE or of FX data");
    }
    size_t written = 0;
    for (const LlmReport& report : PlanTorchair(golden, my, Say)) {
      if (!IsWanted(report)) continue;
      std::vector<LlmRow> rows =
          KeptRows(CompareLlm(report.pairs, DefaultThreads(), Say));
      SortByMyTime(rows);
      RETURN_IF_ERROR(Write(rows, report.rank));
      ++written;
    }
    if (written > 0) return Done{};
    return NotFound("no graph, rank and token is on both sides").At(my_);
  }

  bool IsWanted(const LlmReport& report) const {
    return !arguments_.Has("-r") || !report.rank ||
           std::to_string(*report.rank) == arguments_.Text("-r");
  }

  Status TwoFiles() {
    ASSIGN_OR_RETURN(const std::vector<LlmRow> rows, ComparePairs());
    for (const LlmRow& row : rows) {
      for (size_t i = 0; i < kMsitMetrics.size(); ++i) {
        fmt::print("{}: {}\n", kMsitMetrics[i], row.values.metrics[i]);
      }
      fmt::print("cmp_fail_reason: {}\n", row.values.reason);
    }
    return Done{};
  }

  // Any two dumps: what their names tell.
  Status Pairs() {
    ASSIGN_OR_RETURN(const std::vector<LlmRow> rows, ComparePairs());
    return Write(KeptRows(rows), std::nullopt);
  }

  Result<std::vector<LlmRow>> ComparePairs() {
    ASSIGN_OR_RETURN(const Dump golden, Open(golden_));
    ASSIGN_OR_RETURN(const Dump my, Open(my_));
    ASSIGN_OR_RETURN(const Pairing pairing, PairDumps(golden, my, {}));
    std::vector<LlmPair> pairs;
    for (const Pair& pair : pairing.pairs) {
      const Dump& from = pair.golden_is_target ? my : golden;
      const TensorOf g = {&from, &from.tensors[pair.golden.tensor]};
      const TensorOf m = {&my, &my.tensors[pair.target.tensor]};
      pairs.push_back(
          {.token = std::max(m.tensor->id.step, 0),
           .id = static_cast<int64_t>(pairs.size()),
           .golden = g,
           .my = m,
           .golden_path = LlmPair::PathOf(g),
           .my_path = LlmPair::PathOf(m),
           .golden_type = std::string(from.names[g.tensor->id.type]),
           .my_type = std::string(my.names[m.tensor->id.type])});
    }
    if (pairs.empty()) return NotFound("no tensor is on both sides").At(my_);
    return CompareLlm(pairs, DefaultThreads(), Say);
  }

  // Files are named by the second; those of one run are told apart by taking
  // the next one, where the original would overwrite the first.
  Status Write(const std::vector<LlmRow>& rows, std::optional<int32_t> rank) {
    const bool statistics = arguments_.Has("-st");
    std::string path;
    do {
      path = fmt::format("{}/{}_cmp_report{}_{}.csv", out_,
                         statistics ? "statstics" : "msit",
                         rank ? fmt::format("_rank{}", *rank) : "",
                         TimeStamp(Clock::kUtc, later_));
    } while (fs::exists(path) && ++later_ > 0);
    RETURN_IF_ERROR(
        WriteWhole(path, statistics ? LlmStatistics(rows) : LlmTable(rows)));
    Say(fmt::format("{} rows are in {}", rows.size(), path));
    return Done{};
  }

  const OldArguments& arguments_;
  std::string golden_, my_, out_;
  int later_ = 0;  // seconds
};

int Run(std::vector<std::string> words) {
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
