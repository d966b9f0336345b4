// Logits of a model, token by token: files of one name in two folders.
#include "legacy/llm_logits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

#include "base/parallel.h"
#include "legacy/chunks.h"
#include "legacy/llm_logits_name.h"
#include "legacy/msit_metrics.h"
#include "legacy/numpy.h"
#include "pipeline/align.h"
#include "sources/source.h"
#include "sources/tree.h"

namespace assay {
namespace {

constexpr std::string_view kNone = "NA";
constexpr std::array<std::string_view, 10> kHeader = {
    "file_name",         "key",           "token_id",
    "cosine_similarity", "kl_divergence", "l1_norm",
    "ulp_max_diff",      "ulp",           "passed",
    "cmp_fail_reason"};

bool IsLogits(std::string_view name) {
  return name.ends_with(".pth") || name.ends_with(".npy");
}

std::set<std::string> FilesIn(const std::string& folder) {
  std::set<std::string> files;
  for (std::string& name : NamesIn(folder, EntryKind::kFile)) {
    if (IsLogits(name)) files.insert(std::move(name));
  }
  return files;
}

// A batch of one is no dimension.
StoredView WithoutBatch(StoredView view) {
  if (!view.shape.empty() && view.shape.front() == 1) {
    view.shape.erase(view.shape.begin());
  }
  return view;
}

// A view points into its dump.
struct Logits {
  std::unique_ptr<const Dump> dump;
  StoredView view;
};

Result<Logits> ReadLogits(const std::string& path) {
  ASSIGN_OR_RETURN(Dump opened, OpenSource(path, {}));
  auto dump = std::make_unique<const Dump>(std::move(opened));
  if (dump->tensors.size() != 1) {
    return Unsupported("it holds {} tensors, not one", dump->tensors.size())
        .At(path);
  }
  const TensorInfo& tensor = dump->tensors.front();
  if (tensor.error()) return Error(*tensor.error());
  StoredView view = WithoutBatch(SeePlain(*dump, tensor).view);
  return Logits{std::move(dump), std::move(view)};
}

// Sums of the magnitudes, in float64.
struct Magnitudes {
  double golden = 0, my = 0;
};

Result<Magnitudes> SumMagnitudes(const MeasureJob& job) {
  ASSIGN_OR_RETURN(const PairChunks pair, PairChunks::Open(job));
  Magnitudes sums;
  RETURN_IF_ERROR(
      pair.ForEach<double>(pair.my_count(), [&](const ChunkPair<double>& c) {
        for (size_t i = 0; i < c.n; ++i) {
          sums.golden += std::fabs(c.golden[i]);
          sums.my += std::fabs(c.my[i]);
        }
      }));
  return sums;
}

// How much larger the magnitudes are: less than 0 if they are smaller.
std::string L1Text(const Magnitudes& sums) {
  if (sums.golden == 0) return sums.my == 0 ? "0" : "1";
  return ReprText(sums.my / sums.golden - 1);
}

double Number(const std::string& text) {
  return std::strtod(text.c_str(), nullptr);
}

struct Measured {
  std::string cosine, divergence, l1, difference, ulp;
  std::string reason;  // why nothing was measured

  bool Passes(const LogitsLimits& limits) const {
    const bool close = Number(cosine) > limits.cosine &&
                       Number(divergence) < limits.divergence &&
                       Number(l1) < limits.l1;
    return close || Number(difference) <= Number(ulp);
  }
};

// The largest logits are apart by no more than one step of the type.
void AddUlp(const MsitRow& row, double step, Measured& out) {
  const auto golden = static_cast<float>(Number(row.golden.max));
  const auto my = static_cast<float>(Number(row.my.max));
  if (my == 0) {
    out.reason = "the largest value is 0, which has no ulp";
    return;
  }
  const float ulp =
      std::exp2(std::floor(std::log2(my))) * static_cast<float>(step);
  out.difference = ReprText(std::fabs(golden - my));
  out.ulp = std::isnan(ulp) ? "nan" : ReprText(ulp);
}

Result<Measured> Measure(const MeasureJob& job, double step) {
  Measured out;
  ASSIGN_OR_RETURN(const MsitRow row, AskMsit(job));
  out.reason = row.reason;
  if (job.golden.shape != job.target.shape &&
      !out.reason.starts_with(kMsitShapeReason)) {
    out.reason = std::string(kMsitShapeReason) +
                 (out.reason.empty() ? "" : " " + out.reason);
  }
  if (!out.reason.empty()) return out;
  out.cosine = row.metrics[0];
  out.divergence = row.metrics[5];
  ASSIGN_OR_RETURN(const Magnitudes sums, SumMagnitudes(job));
  out.l1 = L1Text(sums);
  AddUlp(row, step, out);
  return out;
}

struct LogitsRow {
  std::optional<LogitsName> name;
  std::string file;
  CsvRow cells;
};

LogitsRow Failed(const std::string& file, std::optional<LogitsName> name,
                 std::string_view why) {
  CsvRow cells(kHeader.size(), std::string(kNone));
  cells.front() = file;
  if (name) {
    cells[1] = name->key;
    cells[2] = std::to_string(name->token);
  }
  cells.back() = why;
  return {std::move(name), file, std::move(cells)};
}

LogitsRow CompareFile(const std::string& file, const LogitsSides& sides,
                      const LogitsLimits& limits) {
  const auto name = ParseLogitsName(file);
  if (!name) {
    return Failed(file, {}, "parse_error:no key and token in the name");
  }
  const auto golden = ReadLogits(sides.golden + "/" + file);
  if (!golden) return Failed(file, name, golden.error().what);
  const auto my = ReadLogits(sides.my + "/" + file);
  if (!my) return Failed(file, name, my.error().what);
  const MeasureJob job = {golden->view, my->view};
  const auto m = Measure(job, limits.ulp);
  if (!m) return Failed(file, name, m.error().what);
  if (!m->reason.empty()) return Failed(file, name, m->reason);
  return {
      name,
      file,
      {file, name->key, std::to_string(name->token), m->cosine, m->divergence,
       m->l1, m->difference, m->ulp, m->Passes(limits) ? "True" : "False", ""}};
}

// Numbers first, then languages, then what has no key.
auto PlaceOf(const LogitsRow& row) {
  const int kind = !row.name ? 2 : row.name->language.empty() ? 0 : 1;
  return std::tuple(kind, row.name.value_or(LogitsName{}), row.file);
}

}  // namespace

Result<double> UlpOfOne(std::string_view type) {
  if (type == "bf16") return 0x1p-7;
  if (type == "fp16") return 0x1p-10;
  if (type == "fp32") return 0x1p-23;
  return Usage("'{}' is none of fp16, bf16, fp32", type);
}

Result<std::vector<CsvRow>> CompareLogits(const LogitsSides& sides,
                                          const LogitsLimits& limits) {
  const auto golden = FilesIn(sides.golden), my = FilesIn(sides.my);
  std::vector<std::string> common;
  std::ranges::set_intersection(golden, my, std::back_inserter(common));
  if (common.empty()) {
    return NotFound("no file of logits is in both folders")
        .At(sides.my)
        .Hint("their names end _KEY_TOKEN.pth (or .npy), as logits_3_0.pth");
  }
  std::vector<LogitsRow> rows(common.size());
  ParallelFor(common.size(), DefaultThreads(), [&](size_t i, size_t) {
    rows[i] = CompareFile(common[i], sides, limits);
  });
  for (const std::string& file : golden) {
    if (!my.contains(file))
      rows.push_back(Failed(file, {}, "only_in_golden_path"));
  }
  for (const std::string& file : my) {
    if (!golden.contains(file))
      rows.push_back(Failed(file, {}, "only_in_my_path"));
  }
  std::ranges::sort(rows, {}, PlaceOf);
  std::vector<CsvRow> table = {CsvRow(kHeader.begin(), kHeader.end())};
  for (LogitsRow& row : rows) table.push_back(std::move(row.cells));
  return table;
}

Result<std::string> WriteLogits(const std::vector<CsvRow>& table,
                                const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return IoError("cannot make the folder").At(folder);
  constexpr int kEast = 8 * 3600;  // the original's clock is UTC+8
  std::string path = fmt::format("{}/logits_cmp_res_{}.csv", folder,
                                 TimeStamp(Clock::kUtc, kEast));
  RETURN_IF_ERROR(WriteWhole(path, CsvText(table, LineEnd::kCrLf)));
  return path;
}

}  // namespace assay
