#include "base/utf8.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(Utf8, ReplacesWhatIsNoText) {
  const struct {
    std::string text, valid;
  } kRows[] = {
      {"plain", "plain"},
      {"é名🙂", "é名🙂"},
      {"\xff", "�"},
      {"\xc3", "�"},
      {"\xc3(", "�("},
      {"\xc0\xaf", "��"},            // overlong
      {"\xed\xa0\x80", "���"},       // surrogate
      {"\xf4\x90\x80\x80", "����"},  // beyond Unicode
      {"\xe5\x90", "��"},            // cut
  };
  for (const auto& row : kRows) EXPECT_EQ(ValidUtf8(row.text), row.valid);
}

TEST(Utf8, ShowsControlCharacters) {
  EXPECT_EQ(Printable("a\n\t\r\x1b[31m\x7f"), R"(a\n\t\r\x1b[31m\x7f)");
  EXPECT_EQ(Printable("a\u202eb"), "a\\u202eb");
  EXPECT_EQ(PrintableLines("a\n\x1b\n\nb"), "a\n\\x1b\n\nb");
  EXPECT_EQ(Printable("名\xff"), "名�");
}

TEST(Utf8, CountsColumns) {
  const struct {
    std::string text;
    int width;
  } kRows[] = {{"", 0}, {"abc", 3}, {"é…", 2}, {"名前", 4}, {"🙂", 2}};
  for (const auto& row : kRows) EXPECT_EQ(DisplayWidth(row.text), row.width);
}

TEST(Utf8, Clips) {
  const struct {
    std::string text;
    int width;
    std::string middle, end;
  } kRows[] = {
      {"abcdef", 6, "abcdef", "abcdef"},
      {"abcdef", 5, "ab…ef", "abcd…"},
      {"abcdef", 4, "a…ef", "abc…"},
      {"abcdef", 1, "…", "…"},
      {"abcdef", 0, "", ""},
      {"名前名前", 6, "名…前", "名前…"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ClipMiddle(row.text, row.width), row.middle);
    EXPECT_EQ(ClipEnd(row.text, row.width), row.end);
  }
}

}  // namespace
}  // namespace assay
