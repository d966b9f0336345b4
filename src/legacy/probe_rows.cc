#include "legacy/probe_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "legacy/msprobe_statistics.h"
#include "legacy/numpy.h"

namespace assay {
namespace {

constexpr size_t kStatistics = 4, kMetrics = 6;
constexpr std::string_view kNone = "N/A";

// Floats of any width may meet; other types only their own.
bool MayMeet(std::string_view a, std::string_view b) {
  constexpr std::string_view kFloats[][4] = {
      {"Float16", "Float32", "Float64", "BFloat16"},
      {"torch.float16", "torch.float32", "torch.float64", "torch.bfloat16"}};
  return a == b || std::ranges::any_of(kFloats, [&](const auto& floats) {
           return std::ranges::count(floats, a) &&
                  std::ranges::count(floats, b);
         });
}

// 0 and 0.0 are the same number, which differs in columns of other values.
bool IsSame(const std::string& a, const std::string& b) {
  if (a == b) return true;
  char *end_a = nullptr, *end_b = nullptr;
  const double x = std::strtod(a.c_str(), &end_a);
  const double y = std::strtod(b.c_str(), &end_b);
  return *end_a == 0 && *end_b == 0 && !a.empty() && !b.empty() && x == y;
}

struct Pair {
  const ProbeItem* npu;
  ProbeItem bench;  // "N/A" all over if there is none
};

ProbeItem Nobody() {
  const std::string none(kNone);
  ProbeItem item{.name = none, .dtype = none, .shape = none, .data_name = none};
  item.statistics.fill({none});
  return item;
}

std::vector<Pair> PairItems(const ProbeSides& sides) {
  std::unordered_map<std::string_view, const ProbeItem*> benches;
  for (const ProbeItem& item : sides.bench.items) {
    benches.emplace(item.key, &item);
  }
  std::vector<Pair> pairs;
  for (const ProbeItem& item : sides.npu.items) {
    const auto found = benches.find(item.key);
    const bool meet =
        found != benches.end() && MayMeet(item.dtype, found->second->dtype);
    pairs.push_back({&item, meet ? *found->second : Nobody()});
  }
  return pairs;
}

// One column of statistics. pandas makes floats of whole numbers where all of
// a column are numbers and one is a float.
struct Column {
  std::vector<ProbeValue> values;

  bool All(auto is) const { return std::ranges::all_of(values, is); }
  bool whole() const {
    return All(
        [](const ProbeValue& v) { return v.kind == ProbeValue::kWhole; });
  }
  void Unify() {
    const bool numbers =
        All([](const ProbeValue& v) { return v.kind != ProbeValue::kOther; });
    if (!numbers || whole()) return;
    for (ProbeValue& v : values) {
      if (v.kind != ProbeValue::kWhole) continue;
      v = {ReprText(std::strtod(v.text.c_str(), nullptr)), ProbeValue::kReal};
    }
  }
};

class RowMaker {
 public:
  explicit RowMaker(const ProbeSides& sides)
      : sides_(sides), pairs_(PairItems(sides)) {
    for (const Pair& pair : pairs_) {
      for (size_t i = 0; i < kStatistics; ++i) {
        npu_[i].values.push_back(pair.npu->statistics[i]);
        bench_[i].values.push_back(pair.bench.statistics[i]);
      }
    }
    for (size_t i = 0; i < kStatistics; ++i) {
      npu_[i].Unify();
      bench_[i].Unify();
    }
  }

  std::vector<ProbeRow> Run() {
    std::vector<ProbeRow> rows;
    for (size_t i = 0; i < pairs_.size(); ++i) rows.push_back(Make(i));
    DecideResults(rows);
    for (size_t i = 0; i < pairs_.size(); ++i) {
      if (pairs_[i].bench.name == kNone) SayUnmatched(rows[i]);
    }
    return rows;
  }

 private:
  // The original calls it a pass; nothing was compared.
  static void SayUnmatched(ProbeRow& row) {
    row.result = kNone;
    row.messages = {"no bench data matched"};
  }

  ProbeRow Make(size_t at) {
    const ProbeItem &n = *pairs_[at].npu, &b = pairs_[at].bench;
    ProbeRow row = {
        .api = n.api,
        .is_output = n.name.find(".output.") != n.name.npos,
        .grad_consistent = n.grad == b.grad ? "True" : "False",
        .data_name = fmt::format("['{}', '{}']", n.data_name, b.data_name)};
    row.cells = {n.name,  b.name,  n.dtype, b.dtype,
                 n.shape, b.shape, n.grad,  b.grad};
    if (sides_.mode == ProbeMode::kHash) {
      AddHashes(n, b, row);
      return row;
    }
    row.npu_max = npu_[0].values[at].text;
    row.npu_min = npu_[1].values[at].text;
    row.bench_max = bench_[0].values[at].text;
    row.bench_min = bench_[1].values[at].text;
    if (b.name != kNone) SetFacts(n, b, row);
    sides_.mode == ProbeMode::kReal ? AddMetrics(n, b, row)
                                    : AddDifferences(at, row);
    for (const auto* side : {&npu_, &bench_}) {
      for (const Column& column : *side) {
        row.cells.push_back(Shown(column.values[at]));
      }
    }
    return row;
  }

  // Spreadsheets take a bare inf for a name.
  static std::string Shown(const ProbeValue& value) {
    const bool infinite = value.text == "inf" || value.text == "-inf";
    return infinite && value.kind == ProbeValue::kReal ? " " + value.text
                                                       : value.text;
  }

  static void AddHashes(const ProbeItem& n, const ProbeItem& b, ProbeRow& row) {
    row.cells.insert(row.cells.end(), {n.md5, b.md5});
    if (n.md5 == b.md5) return;
    row.hash_missing = n.md5 == kNone || b.md5 == kNone;
    row.hashes_differ = !row.hash_missing;
  }

  static void SetFacts(const ProbeItem& n, const ProbeItem& b, ProbeRow& row) {
    const bool joined = b.name.find("qkv") != b.name.npos ||
                        b.name.find("gate_up") != b.name.npos;
    const bool scalars = n.dtype.find("class") != n.dtype.npos &&
                         b.dtype.find("class") != b.dtype.npos;
    row.grads_differ = n.grad != b.grad;
    row.types_differ = !joined && n.dtype != b.dtype;
    row.shapes_differ = n.shape != b.shape;
    row.scalars_differ = !row.is_output && scalars && n.shape == "[]" &&
                         !IsSame(row.npu_max, row.bench_max);
  }

  void AddMetrics(const ProbeItem& n, const ProbeItem& b, ProbeRow& row) {
    const bool values =
        n.data_name != "-1" && b.data_name != "-1" && b.data_name != kNone;
    std::vector<std::string> cells(kMetrics, "unsupported");
    if (values) cells = sides_.metrics(n);
    row.cosine = cells[0];
    row.thousandth = cells[4];
    for (const std::string& cell : cells) {
      row.cells.push_back(Shown({cell, ProbeValue::kReal}));
    }
  }

  void AddDifferences(size_t at, ProbeRow& row) {
    std::vector<std::string> relative;
    for (size_t i = 0; i < kStatistics; ++i) {
      const bool whole = npu_[i].whole() && bench_[i].whole();
      const StatisticDifference both = CompareStatistic(
          npu_[i].values[at].text, bench_[i].values[at].text, whole);
      row.cells.push_back(both.difference);
      relative.push_back(both.relative);
    }
    row.norm_relative = relative.back();
    row.cells.insert(row.cells.end(), relative.begin(), relative.end());
  }

  const ProbeSides& sides_;
  std::vector<Pair> pairs_;
  std::array<Column, kStatistics> npu_, bench_;
};

}  // namespace

std::vector<ProbeRow> MakeProbeRows(const ProbeSides& sides) {
  return RowMaker(sides).Run();
}

}  // namespace assay
