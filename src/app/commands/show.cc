#include <fmt/format.h>

#include <charconv>

#include "app/command.h"
#include "app/common_options.h"
#include "app/interrupt.h"
#include "app/views.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"
#include "pipeline/align.h"
#include "pipeline/look.h"
#include "pipeline/look_closer.h"
#include "reports/row_json.h"
#include "reports/run_file.h"

namespace assay {
namespace {

constexpr OptionSpec kOptions[] = {
    {"--json", "", "as JSON (assay.tensor/1; a run as assay.comparison/1)"},
    {"--worst", "K", "worst elements of a row [10]"},
    {"--values", "K", "values of a tensor [8]"},
    {"-o,--out", "FILE",
     "write a run as another report; the suffix picks the kind", true},
    {"--sort", "METRIC", "order of a run's table [worst first]"},
    {"--top", "N", "rows of a run's table [20]"},
    {"--lang", "en|zh",
     "language of what people read: verdicts, reasons, findings [en]"},
    {"--dtype", "T", "type of raw .bin files"},
    {"--shape", "S", "shape of raw .bin files, as 1,16,16 [flat]"},
    {"--bf16-void", "", "NumPy arrays of type '|V2' hold bf16"},
    {"--threads", "N", "threads to use [all CPUs]"},
};

constexpr Example kExamples[] = {
    {"assay show golden/", "every tensor with its statistics"},
    {"assay show golden/ conv1", "one tensor: statistics, values, histogram"},
    {"assay show run.assay", "a saved comparison"},
    {"assay show run.assay conv1 --worst 20", "one row: its worst elements"},
    {"assay show run.assay -o report.csv", "the run as another report"},
};

Result<size_t> Whole(const Args& args, std::string_view option, int otherwise) {
  ASSIGN_OR_RETURN(const int n, args.Count(option, otherwise));
  return static_cast<size_t>(n);
}

// By row number, row name or operator.
Result<const Row*> FindRow(const Comparison& run, const std::string& name) {
  std::vector<std::string_view> names;
  for (const Row& row : run.rows) {
    if (row.name == name || fmt::format("{}", row.number) == name) return &row;
    names.push_back(row.name);
  }
  for (const Row& row : run.rows) {
    if (row.op == name) return &row;
  }
  for (const UnpairedTensor& u : run.unpaired) {
    if (u.name != name) continue;
    return NotFound("'{}' of the {} side is in no row", name, Name(u.side))
        .At(u.file)
        .Hint(u.why);
  }
  return NotFound("no row is called '{}'", name).Hint(DidYouMean(name, names));
}

Result<int> ShowRow(const Comparison& run, const Row& found, const Args& args) {
  ASSIGN_OR_RETURN(const size_t worst, Whole(args, "worst", 10));
  ASSIGN_OR_RETURN(const OpenOptions open, ReadOpenOptions(args));
  Row row = found;
  std::optional<Detail> detail;
  const Result<RunDumps> dumps = ReopenRun(run, open);
  const auto job = dumps ? JobOfRow(*dumps, row) : dumps.error();
  if (job) {
    ASSIGN_OR_RETURN(detail, LookCloser(*job, {.worst = worst, .spread = true},
                                        WorkBuffers(), WatchInterrupt()));
    row.worst.clear();
    for (const ElementAt& at : detail->worst) {
      row.worst.push_back(
          {ElementIndex(at.index, job->golden), at.golden, at.target});
    }
  } else {
    const std::string where = job.error().Where();
    fmt::print(stderr, "note: only what the run saved: {}{}{}\n",
               Printable(job.error().what), where.empty() ? "" : ": ",
               Printable(where));
  }
  if (args.Has("json")) {
    fmt::print("{}\n", RowJson(row));
  } else {
    fmt::print("{}", RowText(row, detail ? &*detail : nullptr));
  }
  return 0;
}

Result<int> ShowRun(const std::string& path, const Args& args) {
  ASSIGN_OR_RETURN(const Comparison run, ReadRun(path));
  ReportOptions options = TerminalOptions();
  ASSIGN_OR_RETURN(options.top, Whole(args, "top", 20));
  options.sort = args.Text("sort");
  if (!options.sort.empty()) RETURN_IF_ERROR(MetricNamed(options.sort));
  ASSIGN_OR_RETURN(options.lang, ReadLanguage(args));
  if (args.positionals.size() > 1) {
    if (args.Has("out")) {
      return Usage("-o writes a whole run, not one row")
          .Hint("leave '" + args.positionals[1] + "' out, or print it: --json");
    }
    ASSIGN_OR_RETURN(const Row* row, FindRow(run, args.positionals[1]));
    return ShowRow(run, *row, args);
  }
  if (args.Has("out")) {
    ASSIGN_OR_RETURN(Outputs outputs, Outputs::Open(args.All("out")));
    RETURN_IF_ERROR(outputs.Write(run, options));
    return 0;
  }
  RETURN_IF_ERROR(
      PrintReport(args.Has("json") ? "json" : "text", run, options));
  return 0;
}

Result<int> ShowTensor(const Dump& dump, const TensorInfo& tensor,
                       const Args& args) {
  if (tensor.stored.summary && !args.Has("json")) {
    fmt::print("{}", SummaryText(dump, tensor));
    return 0;
  }
  ASSIGN_OR_RETURN(const MeasureOptions measure, ReadMeasureOptions(args));
  ASSIGN_OR_RETURN(const size_t values, Whole(args, "values", 8));
  JsonWriter json;
  json.BeginObject().Key("schema").Text("assay.tensor/1");
  json.Key("source").Text(dump.source).Key("tensors").BeginArray();
  if (tensor.stored.summary) {
    SummaryJson(dump, tensor, json);
  } else {
    ASSIGN_OR_RETURN(const TensorLook look,
                     LookAt(dump, tensor, measure, values));
    if (!args.Has("json")) {
      fmt::print("{}", TensorText(dump, tensor, look));
      return 0;
    }
    TensorJson(dump, tensor, look, json);
  }
  fmt::print("{}\n", json.EndArray().EndObject().text());
  return 0;
}

// Every tensor measured against itself gives the statistics of one side.
std::vector<TensorLine> MeasureEach(const Dump& dump,
                                    const MeasureOptions& options) {
  std::vector<TensorLine> lines;
  std::vector<MeasureJob> jobs;
  std::vector<size_t> owner;
  for (const TensorInfo& tensor : dump.tensors) {
    lines.push_back({&tensor, {}});
    lines.back().measured.error = tensor.error();
    if (tensor.error() || !HasNumbers(tensor.stored)) continue;
    const StoredView view = SeePlain(dump, tensor).view;
    jobs.push_back({view, view});
    owner.push_back(lines.size() - 1);
  }
  uint64_t bytes = 0;
  for (const MeasureJob& job : jobs) bytes += 2 * job.golden.stored_bytes();
  Progress progress("reading", bytes, Progress::Unit::kBytes,
                    CanShowProgress());
  std::vector<Measured> measured =
      Measure(jobs, options, progress, WatchInterrupt());
  for (size_t i = 0; i < jobs.size(); ++i) {
    lines[owner[i]].measured = std::move(measured[i]);
  }
  return lines;
}

Result<int> ShowAll(const Dump& dump, const Args& args) {
  ASSIGN_OR_RETURN(const MeasureOptions measure, ReadMeasureOptions(args));
  const std::vector<TensorLine> lines = MeasureEach(dump, measure);
  if (args.Has("json")) {
    JsonWriter json;
    json.BeginObject().Key("schema").Text("assay.tensor/1");
    json.Key("source").Text(dump.source).Key("tensors").BeginArray();
    for (const TensorLine& line : lines) TensorLineJson(dump, line, json);
    fmt::print("{}\n", json.EndArray().EndObject().text());
  } else {
    fmt::print("{}", TensorTable(dump, lines));
  }
  for (const DumpNote& note : dump.notes) {
    fmt::print(stderr, "not read: {}: {}\n", Printable(note.file),
               Printable(note.text));
  }
  const bool trouble = std::any_of(
      lines.begin(), lines.end(),
      [](const TensorLine& line) { return line.measured.error != nullptr; });
  return trouble ? 2 : 0;
}

// Several tensors bear that name; only the first is shown.
void TellOthers(const Dump& dump, const FoundTensor& found,
                const std::string& name) {
  std::string next = dump.PlacedName(*found.next);
  if (next == dump.PlacedName(*found.tensor)) {
    next = dump.files[found.next->file];
  }
  const bool tells = next != name && next != dump.files[found.tensor->file];
  fmt::print(stderr, "note: {} tensors are called '{}', this is the first{}\n",
             found.count, name,
             tells ? fmt::format("; the next is '{}'", next) : "");
}

// What is shown may not need them; a wrong one is said all the same.
Status CheckNumbers(const Args& args) {
  for (const std::string_view name : {"worst", "values", "top"}) {
    if (auto number = Whole(args, name, 0); !number) return number.error();
  }
  return Done{};
}

Result<int> Run(const Args& args) {
  RETURN_IF_ERROR(CheckNumbers(args));
  const std::string& path = args.positionals[0];
  if (IsRunFile(path)) return ShowRun(path, args);
  if (args.Has("out")) {
    return Usage("-o is for a saved run")
        .Hint("'assay convert' writes tensors");
  }
  ASSIGN_OR_RETURN(const OpenOptions open, ReadOpenOptions(args));
  ASSIGN_OR_RETURN(const Dump dump, OpenSource(path, open));
  if (args.positionals.size() > 1) {
    const std::string& name = args.positionals[1];
    ASSIGN_OR_RETURN(const FoundTensor found, FindTensor(dump, name));
    if (found.next != nullptr) TellOthers(dump, found, name);
    return ShowTensor(dump, *found.tensor, args);
  }
  if (dump.tensors.size() == 1) return ShowTensor(dump, dump.tensors[0], args);
  return ShowAll(dump, args);
}

}  // namespace

extern constinit const Command kShow = {
    .name = "show",
    .sentence = "Look at a tensor, a folder of tensors, a row, a saved run.",
    .usage = "assay show [options] PATH|RUN [NAME]",
    .least = 1,
    .most = 2,
    .options = kOptions,
    .examples = kExamples,
    .run = Run,
};

}  // namespace assay
