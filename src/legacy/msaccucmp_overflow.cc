// msaccucmp overflow: the first records of a dump, the operators they are about
// and the tensors of those.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>

#include "legacy/array_values.h"
#include "legacy/csv_table.h"
#include "legacy/msaccucmp_commands.h"
#include "legacy/msaccucmp_network.h"
#include "legacy/old_arguments.h"
#include "legacy/old_files.h"
#include "legacy/python_text.h"
#include "pipeline/overflow_entries.h"
#include "sources/tree.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgram = "msaccucmp overflow";
constexpr int kWidth = 102;  // of a line between two operators

constexpr OldOption kOptions[] = {
    {"-d,--dump_path", OldOption::kOne, "folder of the dump", true},
    {"-out,--output", OldOption::kOne, "folder for the results", true},
    {"-n,--top_n", OldOption::kOne, "records to look at [1]", false,
     "1,2,3,4,5"},
};

// Of what the units of one record say, the last that is an overflow.
OldResult<std::vector<OverflowEntry>> FirstRecords(const OverflowFiles& files,
                                                   size_t wanted) {
  OverflowOptions options;
  options.first = 0;  // tensors are read here
  const std::atomic<bool> stop = false;
  const OverflowEntries all = ReadOverflows(files, options, stop);
  if (!all.errors.empty()) return Failure(OldCode::kUnknown, all.errors[0]);
  std::vector<OverflowEntry> out;
  for (const OverflowEntry& entry : all.records) {
    const bool same = !out.empty() && out.back().file == entry.file;
    if (!same && out.size() == wanted) break;
    if (!same) {
      out.push_back(entry);
    } else if (entry.unit.HasOverflow()) {
      out.back() = entry;
    }
  }
  for (const OverflowEntry& entry : out) {
    if (entry.unit.HasOverflow()) continue;
    return Failure(OldCode::kOverflowType, "No unit of \"{}\" saw an overflow.",
                   entry.file);
  }
  return out;
}

// The dump's tensors as npy files, and a line for each in the summary.
OldStatus AddTensors(const std::string& path, const std::string& out,
                     std::string& text) {
  const auto dump = OpenDumpFile(path);
  if (!dump) return dump.error();
  for (const TensorInfo& tensor : dump->tensors) {
    const std::string& slot = tensor.stored.name;
    if (!slot.starts_with("input:") && !slot.starts_with("output:")) continue;
    const auto array = ReadArray(*dump, tensor, std::nullopt);
    if (!array) return array.error();
    std::string name = fmt::format("{}.{}.npy", NameIn(path), slot);
    name.replace(name.rfind(':'), 1, ".");
    if (auto wrote = WriteNpy(*array, out + "/" + name); !wrote) {
      return Failure(OldCode::kWrite, wrote.error());
    }
    const std::atomic<bool> stop = false;
    const auto spec = ReadSpec(dump->ViewOf(tensor), stop);
    if (!spec) return Failure(OldCode::kDumpData, spec.error());
    text +=
        fmt::format(" {}\n -[Format: {}] [Shape: {}] [Dtype: {}] {}\n", name,
                    Name(tensor.stored.layout), TupleText(array->shape),
                    NumpyType(tensor.stored.dtype), ExtremesText(*spec));
  }
  return Done{};
}

std::string StatusText(const UnitRecord& unit) {
  if (unit.status.size() == 1) return std::to_string(unit.status[0]);
  return fmt::format("[{}]", fmt::join(unit.status, ", "));
}

OldResult<std::string> Summary(const OverflowFiles& files,
                               const std::vector<OverflowEntry>& entries,
                               const std::string& out) {
  std::string text;
  for (size_t i = 0; i < entries.size(); ++i) {
    const OverflowEntry& entry = entries[i];
    const auto record = OpenDumpFile(files.root() + "/" + entry.file);
    if (!record) return record.error();
    if (auto wrote = WriteRecords(*record, out); !wrote) return wrote.error();
    const std::string number = fmt::format("[{}]", i + 1);
    const int left = (kWidth - static_cast<int>(number.size())) / 2;
    text += fmt::format("{:=>{}}{:=<{}}\n", "", left, number, kWidth - left);
    text += fmt::format("[{}] {}\n [{}][TaskId:{}][StreamId:{}][Status:{}]\n",
                        entry.type, entry.op, entry.unit.unit, entry.task,
                        entry.stream, StatusText(entry.unit));
    text += fmt::format(" [timestamp:{}]\n", entry.time);
    if (entry.dump.empty()) {
      LogWarning(entry.why);
      continue;
    }
    auto added = AddTensors(files.root() + "/" + entry.dump, out, text);
    if (!added) return added.error();
  }
  return text;
}

OldStatus Explain(const OldArguments& args) {
  const std::string folder = args.Text("-d"), out = args.Text("-out");
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    return Failure(OldCode::kPath, "The path \"{}\" is no folder.", folder);
  }
  const auto files = OverflowFiles::Find(folder);
  if (!files) return Failure(OldCode::kNoDump, files.error());
  fs::create_directories(out, ignored);
  const auto entries = FirstRecords(*files, std::stoul(args.Text("-n", "1")));
  if (!entries) return entries.error();
  if (entries->empty()) {
    LogInfo("There is no overflow record.");
    return Done{};
  }
  const auto text = Summary(*files, *entries, out);
  if (!text) return text.error();
  return WriteOldFile(
      fmt::format("{}/overflow_summary_{}.txt", out, TimeStamp(Clock::kLocal)),
      *text);
}

}  // namespace

int RunMsaccucmpOverflow(const std::vector<std::string>& words) {
  const auto args = ParseOldArguments(kOptions, words);
  if (!args) return RefuseArguments(kProgram, args.error());
  if (args->wants_help()) {
    fmt::print("{}", OldHelp(kProgram, "Explain overflow records.", kOptions));
    return 0;
  }
  const auto done = Explain(*args);
  return done ? 0 : GiveUp(done.error());
}

}  // namespace assay
