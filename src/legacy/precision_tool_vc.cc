// vc: compares the whole network.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/attached_child.h"
#include "base/output_file.h"
#include "base/program_path.h"
#include "base/text.h"
#include "legacy/array_values.h"
#include "legacy/csv_table.h"
#include "legacy/precision_tool.h"
#include "pipeline/compare.h"
#include "reports/report.h"
#include "sources/tree.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr int kInterrupted = 130;

constexpr OldOption kVcOptions[] = {
    {"-lt", OldOption::kOne, "dump of the device [the first run's]"},
    {"-rt", OldOption::kOne, "the framework's dump [tf/dump]"},
    {"-g", OldOption::kOne, "graph of the device's dump [the run's]"},
};
// One comparison: two folders, the graph of the left one, and where the results
// go.
struct Job {
  std::string left, right, graph, out;
  std::string right_graph = {};
};

// As the old tool did it: msaccucmp writes the table, in a process of its own
// that Ctrl-C can end. Its status is not zero where operators were not dumped.
Status WriteTable(const Job& job) {
  std::vector<std::string> words = {ProgramPath(), "msaccucmp", "compare",
                                    "-m",          job.left,    "-g",
                                    job.right,     "-out",      job.out};
  if (!job.graph.empty()) words.insert(words.end(), {"-f", job.graph});
  ASSIGN_OR_RETURN(const int status, RunAttached(words));
  if (status == kInterrupted) return Interrupted();
  if (!TablesIn(job.out).empty()) return Done{};
  return Unsupported("msaccucmp ended with {}; its lines above say why",
                     status);
}

// Our own comparison, kept as a run for `show` and the others.
Result<int> KeepRun(Prompt& prompt, const Job& job) {
  CompareOptions options{.golden = job.right,
                         .target = job.left,
                         .graph = job.graph,
                         .golden_graph = job.right_graph,
                         .open = prompt.open,
                         .measure = prompt.measure,
                         .show_progress = prompt.show_progress};
  const auto silent = [](const std::string&) {};
  ASSIGN_OR_RETURN(const Comparison comparison,
                   Compare(options, silent, *prompt.stop));
  std::error_code ignored;  // told when the file is made
  fs::create_directories(job.out, ignored);
  const std::string path = job.out + "/run.assay";
  ASSIGN_OR_RETURN(const Report* report, ReportForPath(path));
  ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path));
  RETURN_IF_ERROR(WriteReport(*report, comparison, {}, file));
  const std::string origins =
      fmt::format("{}", fmt::join(comparison.origins, ", "));
  prompt.print(fmt::format("{}{}{}; run: {}\n", Name(comparison.verdict),
                           origins.empty() ? "" : ": made by ", origins, path));
  return comparison.exit;
}

// A second run of the device, made without fusion as a rule, is golden for the
// first.
Status CompareRuns(Prompt& prompt, const std::string& out) {
  const auto& runs = prompt.folder.runs;
  for (size_t i = 1; i < runs.size(); ++i) {
    if (runs[i].dump.empty() || runs[0].dump.empty()) continue;
    const Job job{.left = runs[0].dump,
                  .right = runs[i].dump,
                  .graph = runs[0].graphs,
                  .out = fmt::format("{}/{}", out, runs[i].id),
                  .right_graph = runs[i].graphs};
    prompt.print(fmt::format("{} against {}: ", runs[0].id, runs[i].id));
    RETURN_IF_ERROR(KeepRun(prompt, job));
  }
  return Done{};
}

// The folders that hold dumps, each one step of one graph.
Result<std::vector<std::string>> LeavesOf(const std::string& dump) {
  ASSIGN_OR_RETURN(const auto files, DeviceFilesIn(dump));
  std::vector<std::string> leaves;
  for (const DeviceFile& file : files) {
    std::string folder(FolderOf(file.path));
    if (std::ranges::find(leaves, folder) == leaves.end()) {
      leaves.push_back(std::move(folder));
    }
  }
  std::ranges::sort(leaves);
  if (leaves.empty()) leaves.push_back(dump);  // arrays, perhaps
  return leaves;
}

// The graph whose name is a folder on the way to the leaf, also with "_0"
// behind it; a single graph fits all.
std::string GraphFor(const std::string& leaf,
                     const std::vector<Graph>& graphs) {
  const auto folders = Split(leaf, '/');
  for (const Graph& graph : graphs) {
    for (const Graph::Part& part : graph.parts) {
      const std::string name(graph.Text(part.name));
      for (const std::string_view folder : folders) {
        if (folder == name || folder == name + "_0") return graph.file;
      }
    }
  }
  return graphs.size() == 1 ? graphs[0].file : "";
}

// What vc is asked to compare: `graph` a file, or that of a run.
struct Question {
  std::string left, right, graph;
  std::vector<Graph> graphs;
  bool own = false;  // the working folder's first run
};

Result<Question> ReadQuestion(const Prompt& prompt, const OldArguments& args) {
  const WorkFolder& folder = prompt.folder;
  Question asked{.left = args.Text("-lt"),
                 .right = args.Text("-rt"),
                 .graph = args.Text("-g")};
  asked.own = asked.left.empty() && !folder.runs.empty();
  if (asked.own) asked.left = folder.runs[0].dump;
  if (asked.right.empty()) asked.right = folder.golden;
  // Two dumps of devices go by their names.
  const bool fused = asked.own || !ArrayFilesIn(asked.right).empty();
  if (asked.graph.empty() && fused && !folder.runs.empty()) {
    asked.graph = folder.runs[0].graphs;
    asked.graphs = OpenRunGraphs(folder.runs[0]).graphs;
  }
  for (const auto& [path, what, option] :
       {std::tuple(&asked.left, "dump of the device", "-lt"),
        std::tuple(&asked.right, "dump of the framework", "-rt")}) {
    if (!path->empty()) continue;
    return NotFound("no {} in this folder", what)
        .At(folder.root)
        .Hint(fmt::format("{} DIR names one", option));
  }
  return asked;
}

Status WriteTables(Prompt& prompt, const Question& asked,
                   const std::string& out) {
  ASSIGN_OR_RETURN(const auto leaves, LeavesOf(asked.left));
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (prompt.stop->load()) return Done{};
    Job job{.left = leaves[i], .right = asked.right, .graph = asked.graph};
    if (!asked.graphs.empty()) job.graph = GraphFor(leaves[i], asked.graphs);
    job.out = leaves.size() == 1 ? out : fmt::format("{}/part_{}", out, i);
    std::error_code ignored;
    fs::create_directories(job.out, ignored);
    RETURN_IF_ERROR(WriteTable(job));
  }
  return Done{};
}

// A folder of its own for each comparison, called by the time.
Result<std::string> MakeFolder(const std::string& parent) {
  std::error_code failed;
  fs::create_directories(parent, failed);
  const std::string name =
      fmt::format("{}/{}", parent, TimeStamp(Clock::kLocal));
  std::string path = name;
  for (int i = 1; !failed; ++i) {
    if (fs::create_directory(path, failed)) return path;
    path = fmt::format("{}_{}", name, i);  // two in one second
  }
  return IoError("cannot make a folder: {}", failed.message()).At(path);
}

Result<int> CompareAll(Prompt& prompt, const Question& asked, size_t most) {
  ASSIGN_OR_RETURN(const std::string out, MakeFolder(TablesFolder(prompt)));
  const Status tables = WriteTables(prompt, asked, out);
  if (!tables && tables.error().code == ErrorCode::kInterrupted) {
    return tables.error();
  }
  if (!tables) prompt.Complain(tables.error());
  RETURN_IF_ERROR(PrintWorstOperators(prompt, out, most));
  const auto status =
      KeepRun(prompt, {asked.left, asked.right, asked.graph, out});
  if (status) prompt.run = out + "/run.assay";
  if (!asked.own) return status;
  const Status runs = CompareRuns(prompt, out);
  if (!runs) prompt.Complain(runs.error());
  return status;
}

Result<int> RunCompare(Prompt& prompt, const OldArguments& args) {
  ASSIGN_OR_RETURN(const Question asked, ReadQuestion(prompt, args));
  return CompareAll(prompt, asked, 1);
}

}  // namespace

Result<int> CompareWholeNetwork(Prompt& prompt, size_t most) {
  ASSIGN_OR_RETURN(const Question asked, ReadQuestion(prompt, {}));
  return CompareAll(prompt, asked, most);
}

extern constinit const PromptCommand kPromptVc = {
    .name = "vc",
    .usage = "vc [-lt DIR] [-rt DIR] [-g GRAPH]",
    .sentence = "Compares the whole network, device against framework.",
    .options = kVcOptions,
    .run = RunCompare,
};

}  // namespace assay
