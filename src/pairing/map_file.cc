#include "pairing/map_file.h"

#include "base/input_file.h"
#include "base/text.h"

namespace assay {
namespace {

// The fields of one CSV line; a doubled quote inside quotes is one quote.
std::vector<std::string> Fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

}  // namespace

Result<std::vector<MapLine>> ReadMap(const std::string& path) {
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  ASSIGN_OR_RETURN(const std::string text, file.Text(0, file.size()));
  std::vector<MapLine> lines;
  uint64_t number = 0;
  for (std::string_view line : Split(WithoutByteOrderMark(text), '\n')) {
    ++number;
    line = Trim(line);
    if (line.empty() || line.starts_with('#')) continue;
    if (number == 1 && line == "golden,target") continue;
    std::vector<std::string> fields = Fields(line);
    if (fields.size() != 2) {
      return Usage("{} where two are wanted", Counted(fields.size(), "field"))
          .AtLine(path, number)
          .Hint("a map line is golden,target");
    }
    lines.push_back(
        {std::string(Trim(fields[0])), std::string(Trim(fields[1])), number});
  }
  return lines;
}

}  // namespace assay
