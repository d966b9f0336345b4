#include <fmt/format.h>

#include <algorithm>

#include "app/command.h"
#include "app/graph_actions.h"
#include "base/text.h"

namespace assay {
namespace {

constexpr OptionSpec kOptions[] = {
    {"--json", "", "as JSON (assay.graph/1)"},
    {"--name", "RE", "ls: operators whose name has it"},
    {"--type", "T", "ls: operators whose type has this text in it"},
    {"--pass", "P", "ls: operators that this fusion pass made"},
    {"--kernel", "K", "ls: operators whose kernel has this text in it"},
    {"-a,--all", "", "info: all attributes"},
    {"-n,--levels", "N", "svg: how many edges away [2]"},
    {"--from", "NAMES", "text, extract: tensors to begin with [the inputs]"},
    {"--to", "NAMES",
     "text, extract: tensors to end with [the outputs]; mark: which [all]"},
    {"--graph", "PATH",
     "fusion of runs: graph of the build with fusion [found again]"},
    {"-o,--out", "FILE",
     "svg: write the picture here [stdout]; extract, mark: the new model; "
     "fusion: the switch file [fusion_switch.cfg]"},
};

constexpr Example kExamples[] = {
    {"assay graph ls model.om --type Conv", "every convolution"},
    {"assay graph info model.json conv1", "its tensors, producers, consumers"},
    {"assay graph fusion model.json",
     "what became of the framework's operators"},
    {"assay graph fusion fusion_result.json", "which passes did something"},
    {"assay graph fusion on.assay off.assay",
     "which passes make the error; writes fusion_switch.cfg"},
    {"assay graph diff on.json off.json", "how two builds differ"},
    {"assay graph svg model.json conv1 -n 3 -o conv1.svg", "what is around it"},
    {"assay graph extract m.onnx --from a,b --to c -o sub.onnx",
     "a part of a model"},
};

struct Action {
  std::string_view name;
  std::string_view usage;
  size_t least, most;  // positionals after its name
  std::string_view options;
  Result<int> (*run)(const Args& args);
};
constexpr size_t kMany = 1 << 20;
constexpr Action kActions[] = {
    {"ls", "FILE", 1, 1, "name type pass kernel json", GraphLs},
    {"info", "FILE NAME", 2, 2, "all json", GraphInfo},
    {"fusion", "FILE...", 1, kMany, "json out graph", GraphFusion},
    {"diff", "FILE FILE", 2, 2, "json", GraphDifference},
    {"svg", "FILE NAME", 2, 2, "levels out json", GraphSvg},
    {"text", "FILE", 1, 1, "from to json", GraphText},
    {"extract", "FILE", 1, 1, "from to out", GraphExtract},
    {"mark", "FILE", 1, 1, "to out", GraphMark},
};

Status CheckOptions(const Action& action, const Args& args) {
  const auto known = Split(action.options, ' ');
  for (const auto& [name, values] : args.options) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    return Usage("'assay graph {}' has no option --{}", action.name, name)
        .Hint("'assay graph --help' shows which action takes which");
  }
  return Done{};
}

Result<int> Run(const Args& args) {
  const std::string& wanted = args.positionals[0];
  std::vector<std::string_view> names;
  for (const Action& action : kActions) {
    names.push_back(action.name);
    if (action.name != wanted) continue;
    const size_t given = args.positionals.size() - 1;
    if (given < action.least || given > action.most) {
      return Usage("'assay graph {}' takes {}, {} given", action.name,
                   Counted(action.least, "argument"), given)
          .Hint(fmt::format("usage: assay graph {} {}", action.name,
                            action.usage));
    }
    RETURN_IF_ERROR(CheckOptions(action, args));
    return action.run(args);
  }
  return Usage("'assay graph' cannot '{}'", wanted)
      .Hint(DidYouMean(wanted, names,
                       "it can ls, info, fusion, diff, svg, text, "
                       "extract and mark"));
}

}  // namespace

extern constinit const Command kGraph = {
    .name = "graph",
    .sentence =
        "Look at graphs: operators, fusion, differences, pictures; cut models.",
    .usage =
        "assay graph ls|info|fusion|diff|svg|text|extract|mark FILE... "
        "[options]",
    .notes =
        "  ls FILE           every operator as [type][passes] name; the number "
        "of each type first\n"
        "  info FILE NAME    one operator: tensors, producers, consumers, what "
        "it was made of\n"
        "  fusion FILE...    groups of fused operators of a graph; passes of a "
        "fusion_result.json;\n"
        "                    a fusion switch file, checked\n"
        "  fusion ON OFF     two runs, or folders of the device's dumps, with "
        "fusion and without: the\n"
        "                    passes that make the error, and a switch file "
        "without them; ends with 1 if any\n"
        "  diff FILE FILE    operators of one only, other types, dtypes and "
        "layouts; ends with 1 if any\n"
        "  svg FILE NAME     the neighbourhood of an operator, drawn by "
        "Graphviz\n"
        "  text FILE         an ONNX model as a program, one statement per "
        "node\n"
        "  extract FILE      the part of an ONNX model between --from and "
        "--to\n"
        "  mark FILE         an ONNX model with more of its tensors as "
        "outputs\n"
        "  FILE is a graph of any kind that 'assay list graphs' shows.",
    .least = 1,
    .most = kMany,
    .options = kOptions,
    .examples = kExamples,
    .run = Run,
};

}  // namespace assay
