#include "pairing/name_log.h"

#include <unordered_map>

#include "base/input_file.h"
#include "base/text.h"
#include "pairing/names.h"
#include "sources/array_name.h"
#include "sources/tree.h"

namespace assay {
namespace {

constexpr std::string_view kBegin = "dump file name:";
constexpr std::string_view kMiddle = " replace to ";

Result<NameLogLine> ParseLine(std::string_view line, const std::string& path,
                              uint64_t number) {
  const size_t middle = line.find(kMiddle);
  NameLogLine out{.number = number};
  if (middle != std::string_view::npos) {
    out.name = Trim(line.substr(0, middle));
    out.file = Trim(line.substr(middle + kMiddle.size()));
  }
  if (out.name.empty() || out.file.empty()) {
    return Corrupt("'{}' without two names", kBegin)
        .AtLine(path, number)
        .Hint("a line reads: dump file name:  LONG  replace to  SHORT");
  }
  return out;
}

using ByFile = std::unordered_map<std::string_view, const NameLogLine*>;

Result<ByFile> IndexOf(const std::vector<NameLogLine>& lines,
                       const std::string& path) {
  ByFile index;
  for (const NameLogLine& line : lines) {
    const auto [at, fresh] = index.emplace(line.file, &line);
    if (!fresh && at->second->name != line.name) {
      return Corrupt("line {} says that {} is another tensor",
                     at->second->number, line.file)
          .AtLine(path, line.number)
          .Hint("keep only the lines of the run that made this dump");
    }
  }
  return index;
}

// The name of a file without the suffix that all of them have.
std::string_view StemOf(std::string_view file) {
  constexpr std::string_view kSuffix = ".npy";
  if (file.ends_with(kSuffix)) file.remove_suffix(kSuffix.size());
  return file;
}

void Rename(const NameLogLine& line, std::string_view folder, Dump& dump,
            TensorInfo& tensor) {
  const std::string_view stem = StemOf(line.name);
  const auto in_folder = [&](std::string_view name) {
    return folder.empty() ? std::string(name)
                          : fmt::format("{}/{}", folder, name);
  };
  tensor.name = dump.names.Intern(in_folder(stem));
  const auto name = ParseArrayName(stem);
  const std::string op = Normalised(name ? name->op : stem);
  tensor.id.op = dump.names.Intern(in_folder(op));
  if (!name) return;
  tensor.id.port = name->port;
  tensor.id.index = name->index;
}

}  // namespace

Result<std::vector<NameLogLine>> ReadNameLog(const std::string& path) {
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  ASSIGN_OR_RETURN(const std::string text, file.Text(0, file.size()));
  std::vector<NameLogLine> lines;
  uint64_t number = 0;
  for (std::string_view line : Split(text, '\n')) {
    ++number;
    const size_t begin = line.find(kBegin);
    if (begin == std::string_view::npos) continue;
    line.remove_prefix(begin + kBegin.size());
    ASSIGN_OR_RETURN(NameLogLine one, ParseLine(line, path, number));
    lines.push_back(std::move(one));
  }
  if (!lines.empty()) return lines;
  return Corrupt("no line says 'dump file name:  LONG  replace to  SHORT'")
      .At(path)
      .Hint("the dump script prints one for each name that is too long");
}

Result<uint32_t> ApplyNameLog(const std::string& path, Dump& dump) {
  ASSIGN_OR_RETURN(const std::vector<NameLogLine> lines, ReadNameLog(path));
  ASSIGN_OR_RETURN(const ByFile index, IndexOf(lines, path));
  uint32_t count = 0;
  for (TensorInfo& tensor : dump.tensors) {
    const std::string& file = dump.files[tensor.file];
    const auto found = index.find(NameIn(file));
    if (found == index.end()) continue;
    Rename(*found->second, FolderOf(file), dump, tensor);
    ++count;
  }
  if (count > 0) return count;
  return Usage("{} in it, and none is in {}",
               Counted(lines.size(), "file name"), dump.source)
      .At(path)
      .Hint("is it the log of another run?");
}

}  // namespace assay
