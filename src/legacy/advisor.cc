#include "legacy/advisor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "base/text.h"
#include "legacy/msaccucmp_network.h"

namespace assay {
namespace {

constexpr double kLimit = 0.99;  // of the cosine

// The texts by kind: type and advice, in English and in Chinese.
struct Words {
  std::string_view type, advice, chinese_type, chinese_advice;
};
constexpr Words kWords[] = {
    {"NA", "NA", "NA", "NA"},
    {"FP16 overflow",
     "Float16 data overflow occurs. Rectify the fault and perform comparison "
     "again.",
     "FP16溢出检测", "存在Float16数据溢出，请修正溢出问题，再进行比对。"},
    {"Input Inconsistent",
     "The two runs did not receive the same input. Check the input files and "
     "the pre-processing, then compare again.",
     "输入不一致检测",
     "两次运行的输入数据不一致，请检查输入文件和预处理，再进行比对。"},
    {"Global Consistency",
     "All compared operators meet the limit. If the final result is still "
     "wrong, look at post-processing.",
     "整网一致性检测",
     "所有比对的算子均达标。如果最终结果仍然异常，请检查后处理。"},
    {"Global Consistency",
     "The error starts at this operator and reaches the output. Check its "
     "implementation, layout and, for quantised models, calibration; report "
     "it if it cannot be fixed.",
     "整网一致性检测",
     "误差从该算子开始并传递到输出。请检查算子实现、数据格式以及量化校准；若无"
     "法解决，请反馈。"},
    {"Global Consistency",
     "This operator deviates but the network output is good. It can usually "
     "be tolerated; report it if needed.",
     "整网一致性检测",
     "该算子存在单点误差，但网络输出达标，通常可以忽略；如有需要，请反馈。"},
};

// A table by the names of its columns; the first of several counts.
class Columns {
 public:
  explicit Columns(std::span<const CsvRow> table) : table_(table) {}

  std::optional<size_t> Find(std::string_view name) const {
    if (table_.empty()) return std::nullopt;
    const auto at = std::ranges::find(table_[0], name);
    if (at == table_[0].end()) return std::nullopt;
    return static_cast<size_t>(at - table_[0].begin());
  }
  // Lines with too many cells are no part of the table.
  std::vector<const CsvRow*> Rows() const {
    std::vector<const CsvRow*> rows;
    for (size_t i = 1; i < table_.size(); ++i) {
      if (table_[i].size() <= table_[0].size()) rows.push_back(&table_[i]);
    }
    return rows;
  }

 private:
  std::span<const CsvRow> table_;
};

std::string Cell(const CsvRow& row, size_t column) {
  return column < row.size() ? row[column] : "";
}

struct Cosine {
  std::string index, op;
  double value = 0;

  bool IsBad() const { return value < kLimit; }
};

std::vector<Cosine> Cosines(const Columns& columns) {
  const auto cosine = columns.Find("CosineSimilarity");
  const size_t index = *columns.Find("Index"), op = *columns.Find("NPUDump");
  std::vector<Cosine> out;
  if (!cosine) return out;
  for (const CsvRow* row : columns.Rows()) {
    const std::string text(Trim(Cell(*row, *cosine)));
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || std::isnan(value)) continue;
    out.push_back({Cell(*row, index), Cell(*row, op), value});
  }
  return out;
}

std::optional<OldAdvice> FindOverflow(const Columns& columns) {
  const auto overflow = columns.Find("OverFlow");
  if (!overflow) return std::nullopt;
  for (const CsvRow* row : columns.Rows()) {
    if (Cell(*row, *overflow) != "YES") continue;
    return OldAdvice{OldAdvice::kOverflow, Cell(*row, *columns.Find("Index"))};
  }
  return std::nullopt;
}

std::optional<OldAdvice> FindInput(std::span<const Cosine> cosines,
                                   std::span<const std::string> inputs) {
  for (const std::string& input : inputs) {
    for (const Cosine& cosine : cosines) {
      if (cosine.op == input && cosine.IsBad()) {
        return OldAdvice{OldAdvice::kInput, cosine.index};
      }
    }
  }
  return std::nullopt;
}

// The network as a whole: does the last result tell that an error stayed?
OldAdvice FindGlobal(std::span<const Cosine> cosines) {
  if (cosines.empty()) return {};
  const auto bad = std::ranges::find_if(cosines, &Cosine::IsBad);
  if (bad == cosines.end()) return {OldAdvice::kConsistent, "NA"};
  return {cosines.back().IsBad() ? OldAdvice::kProblemNode
                                 : OldAdvice::kSinglePoint,
          bad->index};
}

}  // namespace

OldResult<OldAdvice> Advise(std::span<const CsvRow> table,
                            std::span<const std::string> inputs) {
  const Columns columns(table);
  if (!columns.Find("Index") || !columns.Find("NPUDump")) {
    return Failure(OldCode::kInvalidFile,
                   "The table has no column Index or no column NPUDump.");
  }
  if (const auto overflow = FindOverflow(columns)) return *overflow;
  const std::vector<Cosine> cosines = Cosines(columns);
  if (const auto input = FindInput(cosines, inputs)) return *input;
  return FindGlobal(cosines);
}

std::string AdviceText(const OldAdvice& advice, bool chinese) {
  const Words& words = kWords[advice.kind];
  if (chinese) {
    return fmt::format("检测类型：{}\nOperator Index：{}\n专家建议：{}\n",
                       words.chinese_type, advice.index, words.chinese_advice);
  }
  return fmt::format(
      "Detection Type: {}\nOperator Index: {}\nExpert Advice: {}\n", words.type,
      advice.index, words.advice);
}

OldStatus WriteAdvice(const OldAdvice& advice, const std::string& folder,
                      bool chinese) {
  const std::string text = AdviceText(advice, chinese);
  for (const std::string_view line : Split(Trim(text), '\n')) LogInfo(line);
  return WriteOldFile(folder + "/advisor_summary.txt", text);
}

}  // namespace assay
