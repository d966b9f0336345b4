#include <fmt/format.h>

#include "advice/rule.h"
#include "app/command.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "codecs/codec.h"
#include "core/metrics.h"
#include "executors/executor.h"
#include "graphs/graph_kind.h"
#include "kernel/reduce.h"
#include "pairing/strategy.h"
#include "reports/report.h"
#include "sources/source.h"

namespace assay {
namespace {

struct Entry {
  std::string name, text;
};

std::string Suffixes(const Codec& codec) {
  if (codec.extensions.empty()) return {};
  return fmt::format(" ({})", codec.extensions);
}

std::vector<Entry> Codecs() {
  std::vector<Entry> out;
  for (const Codec* c : AllCodecs()) {
    out.push_back(
        {std::string(c->name), fmt::format("{}{}{}", c->summary, Suffixes(*c),
                                           !c->write  ? "; read only"
                                           : !c->list ? "; only written"
                                                      : "")});
  }
  return out;
}

template <typename List>
std::vector<Entry> Summaries(const List& list) {
  std::vector<Entry> out;
  for (const auto* item : list) {
    out.push_back({std::string(item->name), std::string(item->summary)});
  }
  return out;
}

std::vector<Entry> Sources() { return Summaries(AllSources()); }
std::vector<Entry> Graphs() { return Summaries(AllGraphKinds()); }
std::vector<Entry> Rules() { return Summaries(AllRules()); }
std::vector<Entry> Pairings() { return Summaries(AllStrategies()); }

std::vector<Entry> Metrics() {
  std::vector<Entry> out;
  for (const Metric& m : AllMetrics()) {
    out.push_back({std::string(m.name),
                   std::string(m.formula) +
                       (m.pass == Pass::kExtra ? " (extra pass)" : "")});
  }
  return out;
}

std::vector<Entry> Reports() {
  std::vector<Entry> out;
  for (const Report* r : AllReports()) {
    const Status here = r->check ? r->check() : Done{};
    out.push_back(
        {std::string(r->name),
         fmt::format(
             "{}{}{}", r->summary,
             r->suffix.empty() ? "" : fmt::format(" (-o FILE{})", r->suffix),
             here ? "" : fmt::format(" (not here: {})", here.error().what))});
  }
  return out;
}

std::vector<Entry> Executors() {
  std::vector<Entry> out;
  for (const Executor* e : AllExecutors()) {
    const ExecutorState state = CheckExecutor(*e);
    const std::string here = state.usable
                                 ? fmt::format("works here, {}", state.version)
                                 : fmt::format("not here: {}", state.why);
    out.push_back(
        {std::string(e->name), fmt::format("{} ({})", e->summary, here)});
  }
  return out;
}

std::vector<Entry> Simds() {
  std::vector<Entry> out;
  for (const ReduceKernels* k : AvailableKernels()) {
    out.push_back({std::string(k->name), "instruction set of this CPU"});
  }
  return out;
}

struct Kind {
  std::string_view name;
  std::vector<Entry> (*list)();
};
constexpr Kind kKinds[] = {
    {"codecs", Codecs},     {"sources", Sources},     {"graphs", Graphs},
    {"pairings", Pairings}, {"executors", Executors}, {"metrics", Metrics},
    {"rules", Rules},       {"reports", Reports},     {"simd", Simds}};

constexpr OptionSpec kOptions[] = {{"--json", "", "as JSON (assay.list/1)"}};
constexpr Example kExamples[] = {
    {"assay list metrics", "every metric with its formula"},
    {"assay list codecs", "file formats that can be read and written"}};

void Print(const Kind& kind, const std::vector<Entry>& entries) {
  size_t width = 0;
  for (const Entry& e : entries) width = std::max(width, e.name.size());
  fmt::print("{}\n", kind.name);
  for (const Entry& e : entries) {
    fmt::print("  {:<{}}  {}\n", e.name, width, e.text);
  }
}

void WriteJson(const Kind& kind, const std::vector<Entry>& entries,
               JsonWriter& json) {
  json.Key(kind.name).BeginArray();
  for (const Entry& e : entries) {
    json.BeginObject()
        .Key("name")
        .Text(e.name)
        .Key("text")
        .Text(e.text)
        .EndObject();
  }
  json.EndArray();
}

Result<int> Run(const Args& args) {
  std::vector<std::string_view> names;
  for (const Kind& kind : kKinds) names.push_back(kind.name);
  const std::string wanted =
      args.positionals.empty() ? "" : args.positionals[0];
  if (!wanted.empty() &&
      std::find(names.begin(), names.end(), wanted) == names.end()) {
    return Usage("nothing is listed as '{}'", wanted)
        .Hint(DidYouMean(wanted, names,
                         "codecs, sources, graphs, pairings, executors, "
                         "metrics, rules, reports and simd are"));
  }
  JsonWriter json;
  json.BeginObject().Key("schema").Text("assay.list/1");
  for (const Kind& kind : kKinds) {
    if (!wanted.empty() && kind.name != wanted) continue;
    if (args.Has("json")) {
      WriteJson(kind, kind.list(), json);
    } else {
      Print(kind, kind.list());
    }
  }
  if (args.Has("json")) fmt::print("{}\n", json.EndObject().text());
  return 0;
}

}  // namespace

extern constinit const Command kList = {
    .name = "list",
    .sentence = "List what this build knows.",
    .usage =
        "assay list "
        "[codecs|sources|graphs|pairings|executors|metrics|rules|reports|"
        "simd] "
        "[--json]",
    .most = 1,
    .options = kOptions,
    .examples = kExamples,
    .run = Run,
};

}  // namespace assay
