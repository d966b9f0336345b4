// Two files instead of two folders: compare says the numbers, file_compare
// writes them down.
#include "legacy/msaccucmp_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/input_file.h"
#include "legacy/msaccucmp_commands.h"
#include "legacy/old_arguments.h"
#include "legacy/python_text.h"
#include "sources/source.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// One tensor of each side; the dumps own what the job looks at.
struct TwoTensors {
  Dump my, golden;
  MeasureJob job;
};

OldFailure HoldsNoNumbers(const std::string& path) {
  return Failure(OldCode::kDumpData, "The file \"{}\" holds no numbers.", path);
}

std::string HeadOf(const std::string& path) {
  constexpr uint64_t kHeader = 128;
  const auto file = InputFile::Open(path);
  if (!file) return "";
  return file->Text(0, std::min(file->size(), kHeader)).value_or("");
}

// Of a dump with several tensors nobody could say which one is meant.
bool IsArrayFile(const std::string& path) {
  const std::string head = HeadOf(path);
  return head.starts_with("\x93NUMPY") || head.starts_with("PK") ||
         path.ends_with(".txt");
}

// NumPy does not load objects; text it loads, so that its shape counts first.
bool IsPickled(const std::string& path) {
  const std::string head = HeadOf(path);
  return head.starts_with("\x93NUMPY") && head.find("'|O'") != head.npos;
}

OldResult<Dump> OpenOne(const std::string& path) {
  if (!IsArrayFile(path)) {
    return Failure(OldCode::kDumpData,
                   "Failed to parse dump file \"{}\". Only data of the numpy "
                   "format is supported; 'assay compare' reads dumps.",
                   path);
  }
  auto dump = OpenSource(path, {});
  if (!dump) return Failure(OldCode::kDumpData, dump.error());
  const TensorInfo& tensor = dump->tensors.front();
  if (tensor.error()) return Failure(OldCode::kDumpData, *tensor.error());
  if (IsPickled(path)) return HoldsNoNumbers(path);
  return *std::move(dump);
}

OldStatus OpenTwo(const std::string& my, const std::string& golden,
                  TwoTensors& out) {
  for (const bool is_my : {true, false}) {
    auto dump = OpenOne(is_my ? my : golden);
    if (!dump) return dump.error();
    (is_my ? out.my : out.golden) = *std::move(dump);
  }
  out.job = {out.golden.ViewOf(out.golden.tensors.front()),
             out.my.ViewOf(out.my.tensors.front())};
  const Shape &m = out.job.target.shape, &g = out.job.golden.shape;
  if (m != g) {
    return Failure(OldCode::kShape, "The shapes {} and {} are not the same.",
                   TupleText(m), TupleText(g));
  }
  for (const Dump* dump : {&out.my, &out.golden}) {
    if (HasNumbers(dump->tensors.front().stored)) continue;
    return HoldsNoNumbers(dump->source);
  }
  return Done{};
}

// The values of the algorithms, in their order, of all elements: -max is for
// folders.
OldResult<std::vector<MsaccucmpCell>> Measure(
    const TwoTensors& two, const std::vector<OldAlgorithm>& algorithms) {
  const AlgorithmPair pair{two.job, two.my.source, two.golden.source};
  const auto answers = AskAlgorithms(
      {&pair, 1}, {.algorithms = algorithms, .empty_has_type = true});
  const auto& answer = answers.front();
  if (!answer) return Failure(OldCode::kDumpData, answer.error());
  if (!answer->refusal.empty()) {
    return OldFailure{OldCode::kDumpData, answer->refusal};
  }
  for (const MsaccucmpCell& cell : answer->cells) {
    if (!cell.message.empty()) LogWarning(cell.message);
  }
  return answer->cells;
}

// All but the two that file_compare leaves out.
std::vector<OldAlgorithm> FileAlgorithms() {
  std::vector<OldAlgorithm> out;
  for (const MsaccucmpMetric metric : AllMsaccucmpMetrics()) {
    if (metric == MsaccucmpMetric::kKullbackLeiblerDivergence ||
        metric == MsaccucmpMetric::kStandardDeviation) {
      continue;
    }
    out.push_back({.name = std::string(Name(metric)), .metric = metric});
  }
  return out;
}

constexpr OldOption kOptions[] = {
    {"-m,--my_dump_path", OldOption::kOne, "npy file under test", true},
    {"-g,--golden_dump_path", OldOption::kOne, "reference npy file", true},
    {"-out,--output", OldOption::kOne, "folder for the result", true},
};
constexpr std::string_view kProgram = "msaccucmp file_compare";

OldStatus CompareFiles(const OldArguments& args) {
  std::error_code ignored;
  for (const std::string_view option : {"-m", "-g"}) {
    const std::string path = args.Text(option);
    if (!path.ends_with(".npy")) {
      return Failure(OldCode::kFileType, "The file \"{}\" is no .npy file.",
                     path);
    }
    if (!fs::is_regular_file(path, ignored)) {
      return Failure(OldCode::kPath, "The path \"{}\" does not exist.", path);
    }
  }
  const std::string out = args.Text("-out");
  if (!fs::is_directory(out, ignored)) {
    return Failure(OldCode::kPath, "The folder \"{}\" does not exist.", out);
  }
  TwoTensors two;
  if (auto opened = OpenTwo(args.Text("-m"), args.Text("-g"), two); !opened) {
    return opened;
  }
  const std::vector<OldAlgorithm> algorithms = FileAlgorithms();
  const auto cells = Measure(two, algorithms);
  if (!cells) return cells.error();
  std::string text;
  for (size_t i = 0; i < algorithms.size(); ++i) {
    text += fmt::format("{}: {}\n", algorithms[i].name, (*cells)[i].value);
  }
  return WriteOldFile(
      fmt::format("{}/file_result_{}.txt", out, TimeStamp(Clock::kLocal)),
      text);
}

}  // namespace

OldResult<int> CompareTwoFiles(const NetworkRequest& request) {
  TwoTensors two;
  if (auto opened = OpenTwo(request.my, request.golden, two); !opened) {
    return opened.error();
  }
  const auto& algorithms = request.table.ask.algorithms;
  const auto cells = Measure(two, algorithms);
  if (!cells) return cells.error();
  std::string names, values;
  for (size_t i = 0; i < algorithms.size(); ++i) {
    const std::string &name = algorithms[i].name, &value = (*cells)[i].value;
    const bool last = i + 1 == algorithms.size();
    const size_t width = last ? 0 : std::max(name.size(), value.size());
    names += fmt::format("{:<{}} ", name, width);
    values += fmt::format("{:<{}} ", value, width);
  }
  fmt::print("{}\n{}\n", names, values);
  return 0;
}

int RunMsaccucmpFileCompare(const std::vector<std::string>& words) {
  const auto args = ParseOldArguments(kOptions, words);
  if (!args) return RefuseArguments(kProgram, args.error());
  if (args->wants_help()) {
    fmt::print("{}", OldHelp(kProgram, "Compare two npy files.", kOptions));
    return 0;
  }
  const auto done = CompareFiles(*args);
  return done ? 0 : GiveUp(done.error());
}

}  // namespace assay
