// cp: two arrays, element by element, both as float32.
#include <fmt/format.h>

#include <cmath>

#include "legacy/array_text.h"
#include "legacy/array_values.h"
#include "legacy/chunks.h"
#include "legacy/find_array.h"
#include "legacy/numpy.h"
#include "legacy/panel.h"
#include "legacy/precision_tool.h"
#include "legacy/precision_tool_metrics.h"
#include "legacy/python_text.h"

namespace assay {
namespace {

constexpr OldOption kOptions[] = {
    {"-n", OldOption::kMany, "before the names; may be left out"},
    {"-p", OldOption::kOne, "bad elements and first elements shown [20]"},
    {"-al", OldOption::kOne, "absolute tolerance [0.001]"},
    {"-rl", OldOption::kOne, "relative tolerance, of the right array [0.001]"},
    {"-s", OldOption::kNothing, "write both arrays as text, too"},
    {"--pad", OldOption::kNothing, "the shorter array goes on with zeros"},
};

constexpr size_t kShown = 20;

struct Wishes {
  size_t shown = kShown;
  CpLimits limits;
  bool pad = false, save = false;
};

// The first elements, and the first that are too far apart.
class Elements {
 public:
  explicit Elements(const Wishes& wishes) : wishes_(wishes) {}

  void Add(const ChunkPair<float>& chunk) {
    for (size_t i = 0; i < chunk.n; ++i, ++at_) {
      const float left = chunk.my[i], right = chunk.golden[i];
      const float diff = std::fabs(left - right);
      if (top_.size() < wishes_.shown) top_.push_back(Row(left, right, diff));
      if (errors_.size() < wishes_.shown &&
          wishes_.limits.Exceeds(diff, right)) {
        errors_.push_back(Row(left, right, diff));
      }
    }
  }

  std::string Tables() const {
    const TextLines columns = {"Index", "Left", "Right", "Diff"};
    return Joined(Beside(TableLines({"Error Item Table", columns, errors_}),
                         TableLines({"Top Item Table", columns, top_})));
  }

 private:
  TextLines Row(float left, float right, float diff) const {
    return {fmt::format("{}", at_), Float32Text(left), Float32Text(right),
            Float32Text(diff)};
  }

  const Wishes& wishes_;
  uint64_t at_ = 0;
  std::vector<TextLines> errors_, top_;
};

Result<std::string> Tables(const MeasureJob& job, const Wishes& wishes) {
  ASSIGN_OR_RETURN(const PairChunks chunks, PairChunks::Open(job));
  Elements elements(wishes);
  RETURN_IF_ERROR(chunks.ForEach<float>(
      std::max(chunks.my_count(), chunks.golden_count()),
      [&](const ChunkPair<float>& chunk) { elements.Add(chunk); }));
  return elements.Tables();
}

Result<Wishes> ReadWishes(const OldArguments& args) {
  Wishes wishes{.pad = args.Has("--pad"), .save = args.Has("-s")};
  CpLimits& limits = wishes.limits;
  ASSIGN_OR_RETURN(wishes.shown, CountOf(args, "-p", kShown));
  ASSIGN_OR_RETURN(limits.absolute, NumberOf(args, "-al", limits.absolute));
  ASSIGN_OR_RETURN(limits.relative, NumberOf(args, "-rl", limits.relative));
  return wishes;
}

// Arrays of other sizes do not belong together; cp used to add zeros.
Status CheckSizes(const MeasureJob& job, const Wishes& wishes) {
  RETURN_IF_ERROR(CheckNumbers(job.target));
  RETURN_IF_ERROR(CheckNumbers(job.golden));
  const uint64_t left = RealCount(job.target), right = RealCount(job.golden);
  if (left == 0 && right == 0) return Unsupported("both arrays are empty");
  if (left == right || wishes.pad) return Done{};
  return Usage("{} values on the left, {} on the right", left, right)
      .Hint("--pad lets the shorter one go on with zeros");
}

// "Left" and its file, in the words of `labels`.
Status AddSide(Prompt& prompt, const FoundArray& array, const Wishes& wishes,
               std::string_view title, TextLines& lines) {
  std::string path = array.path, txt;
  if (wishes.save) {
    ASSIGN_OR_RETURN(path, DecodedPath(array, prompt.open, *prompt.stop));
    txt = path + ".txt";
    RETURN_IF_ERROR(WriteTextFile(array.View(), txt, *prompt.stop));
  } else if (!array.copy.empty()) {
    path += " " + array.tensor.name;
  }
  ASSIGN_OR_RETURN(const ArraySpec spec, ReadSpec(array.View(), *prompt.stop));
  if (prompt.labels == PromptLabels::kSeed) {
    lines.push_back(
        fmt::format("{}: {}", title == "Left" ? "SrcFile" : "DstFile", path));
    return Done{};
  }
  lines.push_back(fmt::format("{}:", title));
  lines.push_back(" ├─ NpyFile: " + path);
  if (!txt.empty()) lines.push_back(" ├─ TxtFile: " + txt);
  lines.push_back(" └─ NpySpec: " + SpecText(spec));
  return Done{};
}

void AddNumbers(const Cells& cells, const Wishes& wishes, bool seed,
                TextLines& lines) {
  for (const auto& [name, value] : cells) {
    const std::string_view label =
        seed && name == "CosSim" ? "ConSim" : std::string_view(name);
    const std::string padding(9 - std::min<size_t>(label.size(), 9), ' ');
    lines.push_back(fmt::format("{}:{}{}", label, seed ? " " : padding, value));
  }
  lines.back() += fmt::format("{}(rl= {}, al= {})", seed ? " " : "  ",
                              ReprText(wishes.limits.relative),
                              ReprText(wishes.limits.absolute));
}

Result<int> Run(Prompt& prompt, const OldArguments& args) {
  ASSIGN_OR_RETURN(const Wishes wishes, ReadWishes(args));
  ASSIGN_OR_RETURN(const FoundArray left,
                   FindArray(prompt.folder, args.Words("-n")[0], prompt.open));
  ASSIGN_OR_RETURN(const FoundArray right,
                   FindArray(prompt.folder, args.Words("-n")[1], prompt.open));
  const MeasureJob job{.golden = right.View(), .target = left.View()};
  RETURN_IF_ERROR(CheckSizes(job, wishes));
  ASSIGN_OR_RETURN(const Cells cells, CpCells(job, wishes.limits));
  ASSIGN_OR_RETURN(const std::string tables, Tables(job, wishes));
  const bool seed = prompt.labels == PromptLabels::kSeed;
  TextLines lines;
  RETURN_IF_ERROR(AddSide(prompt, left, wishes, "Left", lines));
  RETURN_IF_ERROR(AddSide(prompt, right, wishes, "Right", lines));
  AddNumbers(cells, wishes, seed, lines);
  if (left.tensor.shape != right.tensor.shape) {
    prompt.talk(fmt::format("shapes differ: {} and {}; compared flat",
                            TupleText(left.tensor.shape),
                            TupleText(right.tensor.shape)));
  }
  prompt.print(tables + (seed ? Joined(lines) : Panel("", lines)));
  return 0;
}

}  // namespace

extern constinit const PromptCommand kPromptCp = {
    .name = "cp",
    .usage = "cp [-n] LEFT RIGHT [-p N] [-al X] [-rl X] [-s] [--pad]",
    .sentence = "Compares two arrays; the right one is the reference.",
    .options = kOptions,
    .takes = PromptNames::kArrays,
    .names = 2,
    .run = Run,
};

}  // namespace assay
