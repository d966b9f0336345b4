#include "sources/dump_name.h"

#include <vector>

#include "base/text.h"
#include "sources/digits.h"

namespace assay {
namespace {

constexpr std::string_view kSummaries[] = {".csv", "_min_max.npz",
                                           "_stats.json"};
constexpr std::string_view kSliceMark = "_lxslice";
constexpr std::string_view kGraphMark = "sgt_graph_";

using Fields = std::vector<std::string_view>;

// A type is letters, digits, '_' and '-', and not a number.
bool IsType(std::string_view text) {
  bool letter = false;
  for (const char c : text) {
    const bool mark = c == '_' || c == '-' || c == '*';
    const bool digit = c >= '0' && c <= '9';
    const bool alpha = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!mark && !digit && !alpha) return false;
    letter |= alpha;
  }
  return letter;
}

int64_t Number(std::string_view text) { return ParseDigits(text).value_or(-1); }

bool NumbersFrom(const Fields& fields, size_t first) {
  for (size_t i = first; i < fields.size(); ++i) {
    if (!AllDigits(fields[i])) return false;
  }
  return true;
}

// Removes TASKTYPE.CONTEXT.THREAD[.DEVICE] and notes them.
void TakeSlice(Fields& fields, DumpName& name) {
  for (const size_t extra : {size_t{4}, size_t{3}}) {
    if (fields.size() < 4 + extra) continue;
    const size_t at = fields.size() - extra;
    const bool is_type = fields[at].size() == 1 && fields[at] <= "4";
    if (!is_type || !NumbersFrom(fields, at) || !ParseTime(fields[at - 1])) {
      continue;
    }
    name.task_type = Number(fields[at]);
    name.context = Number(fields[at + 1]);
    name.thread = Number(fields[at + 2]);
    if (extra == 4) name.device = Number(fields[at + 3]);
    fields.resize(at);
    return;
  }
}

// exception_info.STREAM.TASK and KERNEL.STREAM.TASK.CORETYPE.CORE, the time
// already taken.
bool TakeException(const Fields& fields, DumpName& name) {
  const bool info = fields.size() == 3 && fields[0] == "exception_info";
  const bool kernel = fields.size() == 5;
  if ((!info && !kernel) || !AllDigits(fields[1]) || !AllDigits(fields[2])) {
    return false;
  }
  name.op = name.type;
  name.stream = Number(fields[1]);
  name.task = Number(fields[2]);
  return true;
}

// From the first byte of one field to the last of another.
std::string_view Span(std::string_view first, std::string_view last) {
  return {first.data(),
          static_cast<size_t>(last.data() + last.size() - first.data())};
}

// TYPE.OPERATOR.TASK[.STREAM]: dots in the operator are what is left over.
bool TakeOperator(const Fields& fields, DumpName& name) {
  if (!AllDigits(fields.back())) return false;
  const bool has_stream =
      fields.size() >= 4 && AllDigits(fields[fields.size() - 2]);
  const size_t task = fields.size() - (has_stream ? 2 : 1);
  if (task < 2) return false;
  name.op = Span(fields[1], fields[task - 1]);
  name.task = Number(fields[task]);
  if (has_stream) name.stream = Number(fields.back());
  return !name.op.empty();
}

// Digits of any other number tell nothing, but five fields of which three are
// numbers are a dump all the same.
bool TakeTime(Fields& fields, DumpName& name) {
  const auto time = ParseTime(fields.back());
  if (!time && (fields.size() != 5 || !NumbersFrom(fields, 2))) return false;
  name.time = time.value_or(-1);
  fields.pop_back();
  return true;
}

}  // namespace

std::optional<DumpName> ParseDumpName(std::string_view file) {
  DumpName name;
  for (const std::string_view suffix : kSummaries) {
    if (!file.ends_with(suffix)) continue;
    file.remove_suffix(suffix.size());
    name.summary = true;
    break;
  }
  // Most names that are not ours end here, before anything is allocated.
  if (file.empty() || file.back() < '0' || file.back() > '9') {
    return std::nullopt;
  }
  Fields fields = Split(file, '.');
  if (fields.size() < 4 || !IsType(fields[0])) return std::nullopt;
  name.type = fields[0];
  TakeSlice(fields, name);
  if (!TakeTime(fields, name)) return std::nullopt;
  if (TakeException(fields, name) || TakeOperator(fields, name)) return name;
  return std::nullopt;
}

std::string_view WithoutSliceMarks(std::string_view op) {
  if (SliceNumber(op) >= 0) op = op.substr(0, op.rfind(kSliceMark));
  for (size_t at = op.rfind(kGraphMark); at != std::string_view::npos;
       at = at == 0 ? std::string_view::npos : op.rfind(kGraphMark, at - 1)) {
    const size_t number = at + kGraphMark.size();
    const size_t end = op.find_first_not_of("0123456789", number);
    if (end == std::string_view::npos || end == number || op[end] != '_') {
      continue;
    }
    return end + 1 < op.size() ? op.substr(end + 1) : op;
  }
  return op;
}

int64_t SliceNumber(std::string_view op) {
  const size_t at = op.rfind(kSliceMark);
  if (at == std::string_view::npos || at == 0) return -1;
  return Number(op.substr(at + kSliceMark.size()));
}

}  // namespace assay
