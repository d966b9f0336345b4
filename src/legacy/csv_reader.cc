#include "legacy/csv_reader.h"

#include "base/text.h"

namespace assay {
namespace {

// Reads one cell and what ends it.
class CellReader {
 public:
  explicit CellReader(std::string_view text) : text_(text) {}

  bool done() const { return at_ >= text_.size(); }
  // True: the line goes on after it.
  bool Next(std::string& cell) {
    bool quoted = false;
    for (; !done(); ++at_) {
      const char c = text_[at_];
      if (c == '"' && quoted && at_ + 1 < text_.size() &&
          text_[at_ + 1] == '"') {
        cell += text_[++at_];
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && (c == ',' || c == '\n')) {
        ++at_;
        return c == ',';
      } else if (quoted || c != '\r') {
        cell += c;
      }
    }
    return false;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::vector<CsvRow> ParseCsv(std::string_view text) {
  text = WithoutByteOrderMark(text);
  std::vector<CsvRow> lines;
  for (CellReader reader(text); !reader.done();) {
    auto& line = lines.emplace_back();
    while (reader.Next(line.emplace_back())) {
    }
  }
  return lines;
}

}  // namespace assay
