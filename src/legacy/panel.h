#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

using TextLines = std::vector<std::string>;

// Boxes and tables as precision_tool draws them, as wide as what is in them:
// nothing is cut or wrapped, so that names can be found and copied. Whatever
// the text is, a terminal only shows it.

std::string Panel(std::string_view title, const TextLines& lines);

struct TextTable {
  std::string title;
  TextLines columns;
  std::vector<TextLines> rows;  // as many cells as there are columns
};
TextLines TableLines(const TextTable& table);

// Two blocks of lines, one beside the other.
TextLines Beside(const TextLines& left, const TextLines& right);

std::string Joined(const TextLines& lines);  // each with a newline

// As Python prints a list of texts: "['a', 'b']".
std::string ListText(const TextLines& texts);

}  // namespace assay
