#include "sources/plain_names.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>

#include "base/text.h"
#include "sources/array_name.h"
#include "sources/digits.h"
#include "sources/dump_name.h"
#include "sources/tree.h"

namespace assay {
namespace {

// Without the codec's suffix; without any, if no codec is known.
std::string_view WithoutSuffix(std::string_view file, const Codec* codec) {
  if (codec == nullptr) {
    const size_t dot = file.rfind('.'), slash = file.rfind('/');
    const bool has_suffix =
        dot != std::string_view::npos && dot > 0 &&
        (slash == std::string_view::npos || dot > slash + 1);
    const bool is_dump = ParseDumpName(NameIn(file)).has_value();
    return has_suffix && !is_dump ? file.substr(0, dot) : file;
  }
  for (const std::string_view suffix : Split(codec->extensions, ' ')) {
    if (!suffix.empty() && file.ends_with(suffix) &&
        file.size() > suffix.size()) {
      return file.substr(0, file.size() - suffix.size());
    }
  }
  return file;
}

void SetOrder(int64_t time, TensorId& id) {
  if (time < 0) return;
  id.order = time;
  id.order_from = OrderFrom::kTimestamp;
}

bool IsProcess(std::string_view level) {
  const size_t bar = level.find('_');
  return bar != std::string_view::npos && AllDigits(level.substr(0, bar)) &&
         AllDigits(level.substr(bar + 1));
}

// Where tools that name operators keep runs of a model apart:
// rank_R/TIME/step_S/ of MindSpore, DEVICE_PROCESS/ROUND/ of ATB.
void SetPlace(std::string_view folder, TensorId& id) {
  bool in_process = false;
  for (const std::string_view level : Split(folder, '/')) {
    const auto number = [&](std::string_view mark) {
      return level.starts_with(mark) ? ParseSmall(level.substr(mark.size()))
                                     : std::nullopt;
    };
    if (const auto rank = number("rank_")) id.rank = *rank;
    if (const auto step = number(in_process ? "" : "step_")) id.step = *step;
    in_process = IsProcess(level);
  }
}

// An Ascend dump: the file names the operator, the member the port.
bool NameDump(std::string_view file, std::string_view member, Dump& dump,
              TensorId& id) {
  const auto name = ParseDumpName(NameIn(file));
  if (!name) return false;
  const Slot slot = ParseSlot(member);
  id.op = dump.names.Intern(WithoutSliceMarks(name->op));
  id.type = dump.names.Intern(name->type);
  id.port = slot.port;
  id.index = slot.index;
  SetOrder(name->time, id);
  return true;
}

// A table for many operators: "conv1/output:0".
bool NameRow(std::string_view member, Dump& dump, TensorId& id) {
  const Slot slot = ParseSlot(NameIn(member));
  const std::string_view op = FolderOf(member);
  if (slot.port == Port::kNone || op.empty()) return false;
  id.op = dump.names.Intern(op);
  id.port = slot.port;
  id.index = slot.index;
  return true;
}

bool NamePort(std::string_view path, Dump& dump, TensorId& id) {
  const auto name = ParsePortPath(path);
  if (!name) return false;
  id.op = dump.names.Intern(name->op);
  id.port = name->port;
  id.index = name->index;
  return true;
}

bool NameArray(std::string_view stem, Dump& dump, TensorId& id) {
  auto name = ParseArrayName(NameIn(stem));
  if (!name) name = ParsePortName(NameIn(stem));
  if (!name) return false;
  const std::string_view folder = FolderOf(stem);
  // Frameworks have nothing but the folder to keep runs apart.
  id.op = name->type.empty() && !folder.empty()
              ? dump.names.Intern(fmt::format("{}/{}", folder, name->op))
              : dump.names.Intern(name->op);
  id.type = dump.names.Intern(name->type);
  id.port = name->port;
  id.index = name->index;
  id.call = name->call;
  SetOrder(name->time, id);
  if (!name->type.empty()) SetPlace(folder, id);
  return true;
}

// Of an archive the member tells; several of them have the same operators.
bool NameMember(std::string_view file, std::string_view member, Dump& dump,
                TensorId& id) {
  if (NameRow(member, dump, id)) {
    SetPlace(FolderOf(file), id);
    return true;
  }
  const std::string path = dump.files.size() == 1
                               ? std::string(member)
                               : fmt::format("{}/{}", file, member);
  const bool port = ParsePortName(NameIn(member)).has_value();
  return port ? NameArray(path, dump, id) : NamePort(path, dump, id);
}

void AddTensor(uint32_t file, std::string_view original, StoredTensor stored,
               const Codec* codec, ErrorRef error, Dump& dump) {
  const bool is_member =
      !stored.name.empty() && codec != nullptr && codec->many;
  std::string name(WithoutSuffix(dump.files[file], codec));
  if (is_member) name += "/" + stored.name;

  TensorInfo& tensor = dump.tensors.emplace_back();
  tensor.file = file;
  tensor.name = dump.names.Intern(name);
  tensor.stored = std::move(stored);
  if (error) tensor.stored.error = std::move(error);
  TensorId& id = tensor.id;
  if (NameDump(original, tensor.stored.name, dump, id)) return;
  const std::string_view stem = WithoutSuffix(original, codec);
  const bool named =
      is_member ? NameMember(stem, tensor.stored.name, dump, id)
                : NameArray(stem, dump, id) || NamePort(stem, dump, id);
  if (!named) id.op = tensor.name;
}

// A table has a row for each time that an operator ran.
void CountCalls(std::span<TensorInfo> rows) {
  std::map<std::tuple<NameId, Port, int32_t>, int32_t> calls;
  for (TensorInfo& row : rows) {
    row.id.call = calls[{row.id.op, row.id.port, row.id.index}]++;
  }
}

}  // namespace

Slot ParseSlot(std::string_view member) {
  const size_t colon = member.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view port = member.substr(0, colon);
  const auto index = ParseSmall(member.substr(colon + 1));
  if (!index || (port != "input" && port != "output")) return {};
  return {port == "input" ? Port::kInput : Port::kOutput, *index};
}

void AddPlainFile(uint32_t file, std::string_view original,
                  Result<Listing> listing, Dump& dump) {
  // With the folder, as the file itself: its own name may be a number.
  const std::string_view folder = FolderOf(dump.files[file]);
  const std::string path = folder.empty()
                               ? std::string(original)
                               : fmt::format("{}/{}", folder, original);
  if (!listing) {
    AddTensor(file, path, {.dtype = DType::kOpaque}, nullptr,
              std::make_shared<const Error>(std::move(listing).error()), dump);
    return;
  }
  if (listing->tensors.empty()) {
    dump.notes.push_back({dump.files[file], std::move(listing->note)});
    return;
  }
  const size_t rows = listing->tensors.size();
  for (StoredTensor& stored : listing->tensors) {
    AddTensor(file, path, std::move(stored), listing->codec, nullptr, dump);
  }
  if (rows > 1) CountCalls(std::span(dump.tensors).last(rows));
}

}  // namespace assay
