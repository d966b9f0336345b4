// ni: one operator, its tensors in the graph and in the dumps.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "legacy/array_values.h"
#include "legacy/csv_table.h"
#include "legacy/find_array.h"
#include "legacy/operator_lines.h"
#include "pairing/names.h"
#include "pipeline/graph_dot.h"
#include "sources/tree.h"

namespace assay {
namespace {

constexpr OldOption kOptions[] = {
    {"-n", OldOption::kMany, "before the name; may be left out"},
    {"-g", OldOption::kOne, "only in the graph of this name"},
    {"-a", OldOption::kNothing, "all attributes"},
    {"-c", OldOption::kNothing, "does nothing, as in the old tool"},
    {"-s", OldOption::kOne,
     "also draw what is so many edges around it [0: no]"},
};

// Exactly that name; else every operator that has the text in its name, or is
// it with _ for /.
std::vector<uint32_t> FindNamed(const Graph& graph, const std::string& name,
                                const std::string& part) {
  std::vector<uint32_t> exact, near;
  const std::string normal = Normalised(name);
  for (uint32_t i = 0; i < graph.operators.size(); ++i) {
    const Operator& op = graph.operators[i];
    const std::string_view own = graph.Text(op.name);
    if (!part.empty() && (op.part >= graph.parts.size() ||
                          graph.Text(graph.parts[op.part].name) != part)) {
      continue;
    }
    if (own == name) exact.push_back(i);
    if (own.find(name) != std::string_view::npos || Normalised(own) == normal) {
      near.push_back(i);
    }
  }
  return exact.empty() ? near : exact;
}

class Info {
 public:
  Info(Prompt& prompt, const WorkFolder::Run& run, const OldArguments& args)
      : prompt_(prompt), run_(run), args_(args) {}

  // How many operators were shown.
  Result<size_t> Show() {
    const RunGraphs opened = OpenRunGraphs(run_);
    for (const Error& error : opened.errors) prompt_.Complain(error);
    ASSIGN_OR_RETURN(const size_t levels, CountOf(args_, "-s", 0));
    size_t shown = 0;
    for (const Graph& graph : opened.graphs) {
      const auto found =
          FindNamed(graph, args_.Words("-n")[0], args_.Text("-g"));
      if (found.empty()) continue;
      const GraphIndex index(graph);
      for (const uint32_t number : found) {
        ShowOne(graph, index, number);
        if (levels > 0) RETURN_IF_ERROR(Draw(graph, index, number, levels));
      }
      shown += found.size();
    }
    return shown;
  }

 private:
  void ShowOne(const Graph& graph, const GraphIndex& index, uint32_t number) {
    const Operator& op = graph.operators[number];
    TextLines lines = OperatorPanelLines(graph, index, number, args_.Has("-a"));
    AddDeviceArrays(graph, op, lines);
    AddGoldenArrays(graph, op, lines);
    const std::string_view part = op.part < graph.parts.size()
                                      ? graph.Text(graph.parts[op.part].name)
                                      : "";
    prompt_.print(Panel(fmt::format("({}) {}", run_.id, part), lines));
  }

  void AddArray(size_t number, const FoundArray& array, TextLines& lines) {
    lines.push_back(fmt::format(" -[{}] {}", number, array.name));
    const auto spec = ReadSpec(array.View(), *prompt_.stop);
    lines.push_back("   └─ " + (spec ? SpecText(*spec) : spec.error().what));
  }

  void AddPort(std::string_view title, std::string_view port,
               const std::vector<FoundArray>& arrays, TextLines& lines) {
    lines.emplace_back(title);
    size_t number = 0;
    for (const FoundArray& array : arrays) {
      if (array.tensor.name.starts_with(port)) {
        AddArray(number++, array, lines);
      }
    }
  }

  // Dumps bear the operator's name with _ for what file names do not like.
  void AddDeviceArrays(const Graph& graph, const Operator& op,
                       TextLines& lines) {
    std::vector<FoundArray> arrays;
    const std::string wanted = Normalised(graph.Text(op.name));
    for (const DeviceFile& file : DeviceFiles()) {
      if (Normalised(file.op) != wanted) continue;
      auto tensors = TensorsOf(prompt_.folder, run_.id, file, prompt_.open);
      if (!tensors) {
        prompt_.Complain(tensors.error());
        continue;
      }
      std::ranges::move(*tensors, std::back_inserter(arrays));
    }
    AddPort("NpuDumpInput:", "input", arrays, lines);
    AddPort("NpuDumpOutput:", "output", arrays, lines);
  }

  // Both dumps are listed once, however many operators are shown.
  const std::vector<DeviceFile>& DeviceFiles() {
    if (device_files_) return *device_files_;
    device_files_.emplace();
    if (run_.dump.empty()) return *device_files_;
    auto files = DeviceFilesIn(run_.dump);
    if (!files) prompt_.Complain(files.error());
    if (files) device_files_ = *std::move(files);
    return *device_files_;
  }

  const std::vector<std::string>& GoldenFiles() {
    if (!golden_files_) golden_files_ = ArrayFilesIn(prompt_.folder.golden);
    return *golden_files_;
  }

  // Of the framework's tensors that the outputs hold; if there are none, of
  // the operator's own name.
  void AddGoldenArrays(const Graph& graph, const Operator& op,
                       TextLines& lines) {
    lines.emplace_back("TfDumpOutput:");
    TextLines files;
    TextLines names;
    for (const GraphTensor& tensor : op.output_tensors) {
      if (tensor.origin == kNoName) continue;
      const std::string name = Normalised(graph.Text(tensor.origin));
      if (std::ranges::find(names, name) != names.end()) continue;
      names.push_back(name);
      AddGoldenFiles(name, files);
    }
    if (files.empty()) AddGoldenFiles(Normalised(graph.Text(op.name)), files);
    for (size_t i = 0; i < files.size(); ++i) {
      const auto array = FindArray(prompt_.folder, files[i], prompt_.open);
      if (array) {
        AddArray(i, *array, lines);
      } else {
        lines.push_back(fmt::format(" -[{}] {}", i, NameIn(files[i])));
        lines.push_back("   └─ " + array.error().what);
      }
    }
  }

  void AddGoldenFiles(const std::string& name, TextLines& out) {
    for (const std::string& file : GoldenFiles()) {
      if (NameIn(file).starts_with(name + ".")) out.push_back(file);
    }
  }

  // The picture's source and, where Graphviz is, the picture.
  Status Draw(const Graph& graph, const GraphIndex& index, uint32_t number,
              size_t levels) {
    constexpr size_t kFarthest = 100, kLongestName = 200;
    const auto around = FindNeighbours(
        graph, index, number, static_cast<int>(std::min(levels, kFarthest)));
    const std::string dot = DotText(graph, around);
    const std::string folder = prompt_.folder.temp + "/op_graph";
    std::error_code ignored;  // told when a file is written
    std::filesystem::create_directories(folder, ignored);
    const std::string base =
        fmt::format("{}/{}", folder,
                    Normalised(graph.Text(graph.operators[number].name))
                        .substr(0, kLongestName));
    RETURN_IF_ERROR(WriteWhole(base + ".dot", dot));
    prompt_.print(fmt::format("{}.dot\n", base));
    ASSIGN_OR_RETURN(const std::string svg, DrawSvg(dot));
    RETURN_IF_ERROR(WriteWhole(base + ".svg", svg));
    prompt_.print(fmt::format("{}.svg\n", base));
    return Done{};
  }

  Prompt& prompt_;
  const WorkFolder::Run& run_;
  const OldArguments& args_;
  std::optional<std::vector<DeviceFile>> device_files_;
  std::optional<std::vector<std::string>> golden_files_;
};

Result<int> Run(Prompt& prompt, const OldArguments& args) {
  size_t shown = 0;
  for (const WorkFolder::Run& run : prompt.folder.runs) {
    ASSIGN_OR_RETURN(const size_t here, Info(prompt, run, args).Show());
    shown += here;
  }
  if (shown > 0) return 0;
  return NotFound("no operator is called '{}' or has that in its name",
                  args.Words("-n")[0])
      .At(prompt.folder.root)
      .Hint("'ls -n TEXT' lists those with a text in their name");
}

}  // namespace

extern constinit const PromptCommand kPromptNi = {
    .name = "ni",
    .usage = "ni [-n] NAME [-g GRAPH] [-a] [-s LEVELS]",
    .sentence = "Shows an operator: what the graph says, what was dumped.",
    .options = kOptions,
    .takes = PromptNames::kOperators,
    .names = 1,
    .run = Run,
};

}  // namespace assay
