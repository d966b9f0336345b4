#include "base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace assay {
namespace {

constexpr std::string_view kReplacementText = "\xef\xbf\xbd";
constexpr std::string_view kEllipsis = "…";

struct Range {
  char32_t first, last;
};

bool IsIn(char32_t code, std::initializer_list<Range> ranges) {
  return std::any_of(ranges.begin(), ranges.end(), [&](Range r) {
    return code >= r.first && code <= r.last;
  });
}

bool IsWide(char32_t code) {
  return IsIn(code, {{0x1100, 0x115f},
                     {0x2e80, 0x303e},
                     {0x3041, 0xa4cf},
                     {0xac00, 0xd7a3},
                     {0xf900, 0xfaff},
                     {0xfe30, 0xfe6f},
                     {0xff00, 0xff60},
                     {0xffe0, 0xffe6},
                     {0x1f300, 0x1f64f},
                     {0x1f900, 0x1f9ff},
                     {0x20000, 0x3fffd}});
}

// Controls, and the characters that turn the direction of writing.
bool IsControl(char32_t code) {
  return IsIn(code, {{0, 0x1f},
                     {0x7f, 0x9f},
                     {0x2028, 0x202e},
                     {0x2066, 0x2069},
                     {0xfeff, 0xfeff}});
}

std::string Escaped(char32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  if (code == '\r') return "\\r";
  const auto number = static_cast<uint32_t>(code);
  return number < 0x100 ? fmt::format("\\x{:02x}", number)
                        : fmt::format("\\u{:04x}", number);
}

std::string_view Cut(std::string_view& text, const Rune& rune) {
  const std::string_view bytes = text.substr(0, rune.bytes);
  text.remove_prefix(rune.bytes);
  return bytes;
}

std::vector<std::string_view> Characters(std::string_view text) {
  std::vector<std::string_view> characters;
  while (!text.empty()) characters.push_back(Cut(text, FirstRune(text)));
  return characters;
}

// The characters from `begin` on that fit into `width` columns.
template <typename Iterator>
Iterator Fitting(Iterator begin, Iterator end, int width) {
  for (; begin != end; ++begin) {
    width -= DisplayWidth(*begin);
    if (width < 0) break;
  }
  return begin;
}

template <typename Iterator>
std::string Joined(Iterator begin, Iterator end) {
  std::string text;
  for (; begin != end; ++begin) text += *begin;
  return text;
}

}  // namespace

Rune FirstRune(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1};
  const size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  const bool leads = first >= 0xc2 && first < 0xf5;
  if (!leads || bytes > text.size()) return {kReplacement, 1};
  char32_t code = first & (0xff >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) return {kReplacement, 1};
    code = code << 6 | (next & 0x3f);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kSmallest[bytes] || surrogate || code > 0x10ffff) {
    return {kReplacement, 1};
  }
  return {code, bytes};
}

std::string ValidUtf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const Rune rune = FirstRune(text);
    const std::string_view bytes = Cut(text, rune);
    valid += rune.code == kReplacement ? kReplacementText : bytes;
  }
  return valid;
}

std::string Printable(std::string_view text) {
  std::string printable;
  printable.reserve(text.size());
  while (!text.empty()) {
    const Rune rune = FirstRune(text);
    const std::string_view bytes = Cut(text, rune);
    if (IsControl(rune.code)) {
      printable += Escaped(rune.code);
    } else {
      printable += rune.code == kReplacement ? kReplacementText : bytes;
    }
  }
  return printable;
}

std::string PrintableLines(std::string_view text) {
  std::string out;
  for (size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    out += Printable(text.substr(0, end)) + "\n";
    text.remove_prefix(end + 1);
  }
  return out + Printable(text);
}

int DisplayWidth(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const Rune rune = FirstRune(text);
    width += IsWide(rune.code) ? 2 : 1;
    Cut(text, rune);
  }
  return width;
}

std::string ClipMiddle(std::string_view text, int width) {
  if (DisplayWidth(text) <= width) return std::string(text);
  if (width <= 0) return "";
  const std::vector<std::string_view> all = Characters(text);
  const int front = (width - 1) / 2;
  const auto head = Fitting(all.begin(), all.end(), front);
  const auto tail = Fitting(all.rbegin(), all.rend(), width - 1 - front);
  return Joined(all.begin(), head) + std::string(kEllipsis) +
         Joined(tail.base(), all.end());
}

std::string ClipEnd(std::string_view text, int width) {
  if (DisplayWidth(text) <= width) return std::string(text);
  if (width <= 0) return "";
  const std::vector<std::string_view> all = Characters(text);
  const auto end = Fitting(all.begin(), all.end(), width - 1);
  return Joined(all.begin(), end) + std::string(kEllipsis);
}

}  // namespace assay
