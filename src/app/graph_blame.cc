// graph fusion ON OFF: which fusion passes make the error. Both are run files
// with one golden side, or both are folders of dumps.
#include <fmt/format.h>

#include "app/common_options.h"
#include "app/graph_actions.h"
#include "app/graph_json.h"
#include "app/interrupt.h"
#include "base/output_file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "pipeline/choose_graphs.h"
#include "pipeline/compare.h"
#include "pipeline/fusion_blame.h"
#include "reports/run_file.h"

namespace assay {
namespace {

constexpr std::string_view kSwitchFile = "fusion_switch.cfg";

// What the run was told about the graph; empty: nothing.
std::string AskedGraph(const Comparison& run) {
  for (size_t i = 0; i + 1 < run.run.argv.size(); ++i) {
    if (run.run.argv[i] == "--graph") return run.run.argv[i + 1];
  }
  return "";
}

// The graphs that the run was paired by: a run file keeps their names only.
Result<std::vector<GraphRef>> GraphsOf(const Comparison& run,
                                       const Args& args) {
  const std::string asked =
      args.Has("graph") ? args.Text("graph") : AskedGraph(run);
  ASSIGN_OR_RETURN(const OpenOptions open, ReadOpenOptions(args));
  auto dump = OpenSource(run.target.source, open);
  if (!dump && asked.empty()) {
    return std::move(dump).error().Hint(
        "the dump of that run is gone; --graph FILE names its graph");
  }
  if (!dump) dump = Dump();
  const auto silent = [](const std::string&) {};
  RETURN_IF_ERROR(ChooseGraphs(asked, "target", *dump, silent));
  if (!dump->graphs.empty()) return std::move(dump->graphs);
  return NotFound("no graph beside {}", run.target.source)
      .Hint("--graph FILE names the graph of the build with fusion");
}

// What is blamed, and for what.
struct Runs {
  Comparison on, off;
  bool saved = true;  // false: on is against off
};

Result<Runs> ReadRuns(const Args& args) {
  Runs runs{.saved = IsRunFile(args.positionals[1])};
  if (runs.saved) {
    ASSIGN_OR_RETURN(runs.on, ReadRun(args.positionals[1]));
    ASSIGN_OR_RETURN(runs.off, ReadRun(args.positionals[2]));
    return runs;
  }
  CompareOptions options{.golden = args.positionals[2],
                         .target = args.positionals[1],
                         .graph = args.Text("graph")};
  ASSIGN_OR_RETURN(options.open, ReadOpenOptions(args));
  ASSIGN_OR_RETURN(options.measure, ReadMeasureOptions(args));
  const auto silent = [](const std::string&) {};
  ASSIGN_OR_RETURN(runs.on, Compare(options, silent, WatchInterrupt()));
  return runs;
}

std::string ErrorText(const FusionSuspect::Operator& op, bool saved) {
  constexpr double kNumber = 1e29;  // above: nan and inf, or no number at all
  const auto text = [&](double error) {
    return error > kNumber ? "beyond numbers" : RoundedText(error);
  };
  if (!saved) {
    return fmt::format("rel_l2 {} against the run without", text(op.on));
  }
  return fmt::format("rel_l2 {} with fusion, {} without", text(op.on),
                     op.off ? text(*op.off) : "not compared");
}

std::string NamesLine(std::string_view title,
                      const std::vector<std::string>& names) {
  if (names.empty()) return "";
  std::string text(title);
  for (size_t i = 0; i < names.size(); ++i) {
    text += (i > 0 ? ", " : " ") + Printable(names[i]);
  }
  return text + "\n";
}

std::string BlameText(const FusionBlame& blame, bool saved) {
  std::string text =
      blame.suspects.empty()
          ? "no fusion pass made an operator where an error starts\n"
          : "fusion passes where an error starts, the most suspicious first\n";
  if (!blame.by_origin && !blame.suspects.empty()) {
    text += "no row is known to be an origin: all bad rows count\n";
  }
  for (size_t i = 0; i < blame.suspects.size(); ++i) {
    const FusionSuspect& suspect = blame.suspects[i];
    text += fmt::format("[{}] {}: {} of {} it made\n", i + 1,
                        Printable(suspect.pass), suspect.operators.size(),
                        Counted(suspect.made, "operator"));
    for (const FusionSuspect::Operator& op : suspect.operators) {
      text += fmt::format("      {}  {}: {}\n", Printable(op.row),
                          Name(op.verdict), ErrorText(op, saved));
    }
  }
  return text + NamesLine("as bad without fusion:", blame.cleared) +
         NamesLine("not made by fusion:", blame.not_fused);
}

void NamesJson(std::string_view key, const std::vector<std::string>& names,
               JsonWriter& json) {
  json.Key(key).BeginArray();
  for (const std::string& name : names) json.Text(name);
  json.EndArray();
}

std::string BlameJson(const FusionBlame& blame, const std::string& file) {
  JsonWriter json;
  BeginGraphJson("fusion", json);
  json.Key("suspects").BeginArray();
  for (const FusionSuspect& suspect : blame.suspects) {
    json.BeginObject().Key("pass").Text(suspect.pass);
    json.Key("made").Uint(suspect.made).Key("operators").BeginArray();
    for (const FusionSuspect::Operator& op : suspect.operators) {
      json.BeginObject().Key("name").Text(op.name).Key("row").Text(op.row);
      json.Key("verdict").Text(Name(op.verdict)).Key("on").Real(op.on);
      json.Key("off");
      op.off ? json.Real(*op.off) : json.Null();
      json.EndObject();
    }
    json.EndArray().EndObject();
  }
  json.EndArray();
  NamesJson("cleared", blame.cleared, json);
  NamesJson("not_fused", blame.not_fused, json);
  json.Key("by_origin").Bool(blame.by_origin);
  json.Key("switch").TextOrNull(file);
  return json.EndObject().Take();
}

// A file that the user did not name is never replaced.
Result<OutputFile> OpenSwitch(const Args& args) {
  if (args.Has("out")) return OutputFile::Create(args.Text("out"));
  auto file = OutputFile::Create(std::string(kSwitchFile),
                                 OutputFile::Existing::kRefuse);
  if (!file) file.error().hint = "-o FILE names another, or replaces it";
  return file;
}

}  // namespace

Result<int> GraphBlame(const Args& args) {
  ASSIGN_OR_RETURN(OutputFile out, OpenSwitch(args));
  ASSIGN_OR_RETURN(const Runs runs, ReadRuns(args));
  ASSIGN_OR_RETURN(const auto graphs, GraphsOf(runs.on, args));
  const FusionBlame blame = BlameFusion(runs.on, runs.off, graphs);
  std::string written;
  if (!blame.suspects.empty()) {
    RETURN_IF_ERROR(out.Append(FusionSwitchFile(SwitchOff(blame))));
    RETURN_IF_ERROR(out.Commit());
    written = out.path();
  }
  if (args.Has("json")) {
    fmt::print("{}\n", BlameJson(blame, written));
  } else {
    fmt::print("{}", BlameText(blame, runs.saved));
    if (!written.empty()) fmt::print("{} switches them off\n", written);
  }
  return blame.suspects.empty() ? 0 : 1;
}

}  // namespace assay
