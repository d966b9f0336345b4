#include "legacy/panel.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace assay {
namespace {

int Width(const TextLines& lines) {
  int width = 0;
  for (const std::string& line : lines) {
    width = std::max(width, DisplayWidth(line));
  }
  return width;
}

std::string Repeated(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

std::string Padded(std::string_view text, int width) {
  return std::string(text) + Repeated(" ", width - DisplayWidth(text));
}

std::string Centred(std::string_view text, int width, std::string_view fill) {
  const int room = std::max(0, width - DisplayWidth(text));
  return Repeated(fill, room / 2) + std::string(text) +
         Repeated(fill, room - room / 2);
}

TextLines Clean(const TextLines& lines) {
  TextLines clean;
  for (const std::string& line : lines) clean.push_back(Printable(line));
  return clean;
}

// The pieces of one line of a table's frame.
struct Frame {
  std::string_view left, fill, middle, right;
};

std::string FrameLine(const Frame& frame, const std::vector<int>& widths) {
  std::string line(frame.left);
  for (size_t i = 0; i < widths.size(); ++i) {
    if (i > 0) line += frame.middle;
    line += Repeated(frame.fill, widths[i] + 2);
  }
  return line + std::string(frame.right);
}

std::string CellLine(std::string_view bar, const TextLines& cells,
                     const std::vector<int>& widths) {
  std::string line(bar);
  for (size_t i = 0; i < cells.size(); ++i) {
    line += fmt::format(" {} {}", Padded(cells[i], widths[i]), bar);
  }
  return line;
}

}  // namespace

std::string Panel(std::string_view title, const TextLines& lines) {
  const TextLines clean = Clean(lines);
  const std::string name =
      title.empty() ? "" : fmt::format(" {} ", Printable(title));
  const int width = std::max(Width(clean) + 2, DisplayWidth(name) + 2);
  std::string text = fmt::format("╭{}╮\n", Centred(name, width, "─"));
  for (const std::string& line : clean) {
    text += fmt::format("│ {} │\n", Padded(line, width - 2));
  }
  return text + fmt::format("╰{}╯\n", Repeated("─", width));
}

TextLines TableLines(const TextTable& table) {
  const TextLines head = Clean(table.columns);
  std::vector<TextLines> rows;
  for (const TextLines& row : table.rows) rows.push_back(Clean(row));
  std::vector<int> widths;
  for (size_t i = 0; i < head.size(); ++i) {
    int width = DisplayWidth(head[i]);
    for (const TextLines& row : rows) {
      width = std::max(width, DisplayWidth(row[i]));
    }
    widths.push_back(width);
  }
  const std::string top = FrameLine({"┏", "━", "┳", "┓"}, widths);
  TextLines lines;
  if (!table.title.empty()) {
    lines.push_back(Centred(Printable(table.title), DisplayWidth(top), " "));
  }
  lines.push_back(top);
  lines.push_back(CellLine("┃", head, widths));
  lines.push_back(FrameLine({"┡", "━", "╇", "┩"}, widths));
  for (const TextLines& row : rows) {
    lines.push_back(CellLine("│", row, widths));
  }
  lines.push_back(FrameLine({"└", "─", "┴", "┘"}, widths));
  return lines;
}

TextLines Beside(const TextLines& left, const TextLines& right) {
  const int width = Width(left);
  TextLines lines;
  for (size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    const std::string begin = i < left.size() ? left[i] : "";
    lines.push_back(i < right.size()
                        ? fmt::format("{} {}", Padded(begin, width), right[i])
                        : begin);
  }
  return lines;
}

std::string Joined(const TextLines& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string ListText(const TextLines& texts) {
  std::string text;
  for (const std::string& one : texts) {
    text += fmt::format("{}'{}'", text.empty() ? "" : ", ", one);
  }
  return fmt::format("[{}]", text);
}

}  // namespace assay
