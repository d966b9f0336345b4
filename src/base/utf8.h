#pragma once

#include <string>
#include <string_view>

namespace assay {

// Names come from foreign files: any bytes. Reports are UTF-8 and go to
// terminals, so bytes that are not text never get through.

struct Rune {
  char32_t code = 0;
  size_t bytes = 1;
};
inline constexpr char32_t kReplacement = 0xfffd;

// The first character of a text that is not empty; a byte that is no UTF-8
// reads as kReplacement.
Rune FirstRune(std::string_view text);

// The same text, with U+FFFD for every byte that is no UTF-8.
std::string ValidUtf8(std::string_view text);
// ValidUtf8, and control characters as "\n", "\x1b": one line, and nothing a
// terminal obeys.
std::string Printable(std::string_view text);
// The same for each of its lines.
std::string PrintableLines(std::string_view text);

// Terminal columns: 2 for East Asian wide characters, 1 for others.
int DisplayWidth(std::string_view text);
// At most `width` columns, with '…' for what is left out.
std::string ClipMiddle(std::string_view text, int width);
std::string ClipEnd(std::string_view text, int width);

}  // namespace assay
