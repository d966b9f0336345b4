#include "legacy/teco_log.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "base/parallel.h"
#include "legacy/numpy.h"
#include "sources/source.h"
#include "sources/tree.h"

namespace assay {
namespace {

std::set<std::string> NamesOf(const std::string& folder) {
  const auto names = NamesIn(folder, EntryKind::kFile);
  return {names.begin(), names.end()};
}

std::vector<std::string> Minus(const std::set<std::string>& a,
                               const std::set<std::string>& b) {
  std::vector<std::string> out;
  std::ranges::set_difference(a, b, std::back_inserter(out));
  return out;
}

std::vector<std::string> Common(const std::set<std::string>& a,
                                const std::set<std::string>& b) {
  std::vector<std::string> out;
  std::ranges::set_intersection(a, b, std::back_inserter(out));
  return out;
}

// One array of a folder.
struct Array {
  Dump dump;
  std::string path;

  static Result<Array> Open(const std::string& folder,
                            const std::string& name) {
    Array array = {.path = folder + "/" + name};
    ASSIGN_OR_RETURN(array.dump, OpenFiles(array.path, {}));
    return array;
  }
  StoredView view() const {
    return PlainView(path, dump.tensors.front().stored);
  }
};

// The file says nothing beyond that if the shapes differ.
bool Mismatched(const TecoNumbers& numbers, TecoFile& file) {
  file.mismatch = numbers.message;
  return !file.mismatch.empty();
}

Status CompareFile(const TecoFolders& folders, TecoFile& file) {
  ASSIGN_OR_RETURN(const Array device, Array::Open(folders.device, file.name));
  ASSIGN_OR_RETURN(const Array other, Array::Open(folders.compare, file.name));
  const double th = folders.th1;
  ASSIGN_OR_RETURN(file.compared, AskTeco({other.view(), device.view()}, th));
  file.nan_inf = file.compared.nan_inf;
  if (Mismatched(file.compared, file) || folders.golden.empty()) return Done{};
  ASSIGN_OR_RETURN(const Array golden, Array::Open(folders.golden, file.name));
  ASSIGN_OR_RETURN(file.device, AskTeco({golden.view(), device.view()}, th));
  ASSIGN_OR_RETURN(file.reference, AskTeco({golden.view(), other.view()}, th));
  file.nan_inf |= file.device->nan_inf;
  Mismatched(*file.device, file);
  return Done{};
}

// S is good if it is not more than `tag` times as wrong as C; NaN is not.
struct Judged {
  bool max, mean;
};
Judged Judge(const TecoFile& file, double tag) {
  return {file.device->diff3_max <= file.reference->diff3_max * tag,
          file.device->diff3_mean <= file.reference->diff3_mean * tag};
}

std::string_view Word(bool passed) { return passed ? "pass" : "fail"; }

std::string GoldenPart(const TecoFile& file, double tag) {
  const Judged judged = Judge(file, tag);
  const TecoNumbers &s = *file.device, &g = *file.reference;
  return fmt::format(
      "diff3_max={} | diff3_mean={} | diff3_max_sw: {} | diff3_max_g: "
      "{}*{}={} | diff3_mean_sw: {} | diff3_mean_g: {}*{}={}",
      Word(judged.max), Word(judged.mean), ReprText(s.diff3_max),
      ReprText(g.diff3_max), ReprText(tag), ReprText(g.diff3_max * tag),
      ReprText(s.diff3_mean), ReprText(g.diff3_mean), ReprText(tag),
      ReprText(g.diff3_mean * tag));
}

std::string LineOf(size_t index, const TecoFile& file,
                   const TecoFolders& folders) {
  const std::string head = fmt::format("index: {} | {}", index, file.name);
  // The original ends here and loses what it had.
  if (!file.mismatch.empty()) return head + " | " + file.mismatch;
  const std::string both =
      fmt::format("{} | nan_inf: {} | diff2: {}", head, BoolText(file.nan_inf),
                  ReprText(file.compared.diff2));
  if (file.device) return both + " | " + GoldenPart(file, folders.tag);
  return fmt::format("{} | all_close: {} | th: {}", both,
                     BoolText(file.compared.all_close), ReprText(folders.th1));
}

bool IsOther(const TecoFile& file, double tag) {
  if (!file.mismatch.empty()) return true;
  if (!file.device) return !file.compared.all_close;
  const Judged judged = Judge(file, tag);
  return !judged.max || !judged.mean;
}

// The files that are bad in one way or another.
struct Lists {
  std::vector<std::string> nan_inf, diff2, other;

  explicit Lists(const TecoResult& result) {
    for (const TecoFile& file : result.files) {
      if (file.nan_inf) nan_inf.push_back(file.name);
      if (file.compared.diff2 > result.folders.th2) diff2.push_back(file.name);
      if (IsOther(file, result.folders.tag)) other.push_back(file.name);
    }
  }
};

std::string Quoted(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back("'" + name + "'");
  return fmt::format("{}", fmt::join(quoted, ", "));
}
std::string SetText(const std::vector<std::string>& names) {
  return names.empty() ? "set()" : "{" + Quoted(names) + "}";
}
std::string ListText(const std::vector<std::string>& names) {
  return "[" + Quoted(names) + "]";
}

std::string Title(std::string_view text) {
  const std::string dashes(25, '-');
  return fmt::format("{} {} {}", dashes, text, dashes);
}

CsvRow SheetRow(size_t index, const TecoFile& file,
                const TecoFolders& folders) {
  CsvRow row = {std::to_string(index), file.name, BoolText(file.nan_inf),
                ReprText(file.compared.diff2)};
  if (!file.device) {
    row.emplace_back(BoolText(file.compared.all_close));
    row.push_back(ReprText(folders.th1));
    return row;
  }
  const Judged judged = Judge(file, folders.tag);
  row.emplace_back(Word(judged.max));
  row.emplace_back(Word(judged.mean));
  row.push_back(ReprText(file.device->diff3_max));
  row.push_back(ReprText(file.reference->diff3_max * folders.tag));
  row.push_back(ReprText(file.device->diff3_mean));
  row.push_back(ReprText(file.reference->diff3_mean * folders.tag));
  row.push_back(ReprText(folders.tag));
  return row;
}

CsvRow SheetHeader(bool golden) {
  if (!golden) {
    return {"index", "file", "nan_inf", "diff2", "all_close", "th"};
  }
  return {"index",           "file",           "nan_inf",
          "diff2_val",       "diff3_max_val",  "diff3_mean_val",
          "diff3_max_sw",    "diff3_max_gold", "diff3_mean_sw",
          "diff3_mean_gold", "input_tag"};
}

Sheet NamesSheet(std::string name, const std::vector<std::string>& files) {
  Sheet sheet = {std::move(name), {{"file"}}};
  for (const std::string& file : files) sheet.rows.push_back({file});
  return sheet;
}

}  // namespace

Status CheckTecoFolder(const std::string& path) {
  std::error_code ignored;
  if (path.empty() || std::filesystem::is_directory(path, ignored)) {
    return Done{};
  }
  return Usage("dump_tools compares folders, and this is none").At(path);
}

Result<TecoResult> CompareTeco(const TecoFolders& folders) {
  for (const std::string& folder :
       {folders.device, folders.compare, folders.golden}) {
    RETURN_IF_ERROR(CheckTecoFolder(folder));
  }
  const auto device = NamesOf(folders.device), other = NamesOf(folders.compare);
  const auto golden = folders.golden.empty() ? other : NamesOf(folders.golden);
  TecoResult result = {.folders = folders,
                       .only_device = Minus(device, other),
                       .only_compare = Minus(other, device)};
  if (!folders.golden.empty()) result.only_golden = Minus(golden, device);
  for (const std::string& name : Common(device, other)) {
    if (golden.contains(name)) result.files.push_back({.name = name});
  }
  std::vector<Status> done(result.files.size(), Status(Done{}));
  ParallelFor(result.files.size(), DefaultThreads(), [&](size_t i, size_t) {
    done[i] = CompareFile(folders, result.files[i]);
  });
  for (Status& one : done) RETURN_IF_ERROR(std::move(one));
  return result;
}

std::vector<std::string> TecoLines(const TecoResult& result) {
  std::vector<std::string> lines;
  for (const TecoFile& file : result.files) {
    lines.push_back(LineOf(lines.size(), file, result.folders));
  }
  return lines;
}

std::string TecoLog(const TecoResult& result) {
  const TecoFolders& folders = result.folders;
  std::vector<std::string> lines = TecoLines(result), common;
  for (const TecoFile& file : result.files) common.push_back(file.name);
  const auto only = [&](const std::string& folder,
                        const std::vector<std::string>& names) {
    lines.push_back(
        fmt::format("Files only in {}: {}", folder, SetText(names)));
  };
  if (!folders.golden.empty()) only(folders.golden, result.only_golden);
  lines.push_back("Common files with differences: " + SetText(common));
  only(folders.device, result.only_device);
  only(folders.compare, result.only_compare);
  const Lists lists(result);
  lines.push_back(Title("summary message"));
  lines.push_back("nan_inf list: " + ListText(lists.nan_inf));
  lines.push_back(Title("diff2 list message"));
  lines.push_back("diff2 list: " + ListText(lists.diff2));
  lines.push_back(Title("diff3 list message"));
  lines.push_back("other list: " + ListText(lists.other));
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

std::vector<Sheet> TecoSheets(const TecoResult& result) {
  const TecoFolders& folders = result.folders;
  const bool golden = !folders.golden.empty();
  Sheet all = {"Sheet", {SheetHeader(golden)}};
  Sheet diff2 = {"diff2_val", {{"file", "diff2_val", "threshold"}}};
  for (size_t i = 0; i < result.files.size(); ++i) {
    const TecoFile& file = result.files[i];
    all.rows.push_back(SheetRow(i, file, folders));
    if (!(file.compared.diff2 > folders.th2)) continue;
    diff2.rows.push_back(
        {file.name, ReprText(file.compared.diff2), ReprText(folders.th2)});
  }
  const Lists lists(result);
  return {std::move(all), NamesSheet("nan_inf", lists.nan_inf),
          std::move(diff2),
          NamesSheet(golden ? "diff3_val" : "all_close", lists.other)};
}

}  // namespace assay
