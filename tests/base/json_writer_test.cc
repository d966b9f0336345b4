#include "base/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>

namespace assay {
namespace {

using namespace std::string_literals;

TEST(JsonWriter, EscapesText) {
  const struct {
    std::string text, json;
  } kRows[] = {
      {"", R"("")"},
      {"plain", R"("plain")"},
      {R"(a"b\c/)", R"("a\"b\\c/")"},
      {"a\n\t\r", R"("a\n\t\u000d")"},
      {"\x1b[31m\x7f", R"("\u001b[31m\u007f")"},
      {"\0x"s, R"("\u0000x")"},
      {"é名🙂", R"("é名🙂")"},
      {"\xff", R"("�")"},
      {"a\xc3", R"("a�")"},
      {"\xed\xa0\x80", R"("���")"},  // surrogate
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(JsonQuoted(row.text), row.json);
    EXPECT_EQ(JsonWriter().Text(row.text).text(), row.json);
    EXPECT_EQ(JsonWriter().Key(row.text).text(), row.json + ":");
  }
}

// Text is looked at eight bytes at a time: no place in it is special.
TEST(JsonWriter, EscapesAtEveryPlace) {
  for (const char c : "\"\\\n\x1f\x7f\x80\xff \x21~"s) {
    const std::string alone = JsonQuoted(std::string(1, c));
    const std::string escaped = alone.substr(1, alone.size() - 2);
    for (size_t before = 0; before < 17; ++before) {
      for (size_t after = 0; after < 9; ++after) {
        const std::string a(before, 'a'), b(after, 'b');
        EXPECT_EQ(JsonQuoted(a + c + b), '"' + a + escaped + b + '"');
      }
    }
  }
}

TEST(JsonWriter, WritesNumbers) {
  const struct {
    double value;
    std::string json;
  } kRows[] = {
      {0, "0"},
      {-0.0, "-0"},
      {0.1, "0.1"},
      {1e300, "1e+300"},
      {5e-324, "5e-324"},
      {std::nan(""), R"("nan")"},
      {-std::nan(""), R"("nan")"},
      {HUGE_VAL, R"("inf")"},
      {-HUGE_VAL, R"("-inf")"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(JsonWriter().Real(row.value).text(), row.json);
  }
  EXPECT_EQ(JsonWriter().Int(INT64_MIN).text(), "-9223372036854775808");
  EXPECT_EQ(JsonWriter().Uint(UINT64_MAX).text(), "18446744073709551615");
}

TEST(JsonWriter, PutsCommasBetween) {
  JsonWriter json;
  json.BeginObject().Key("a").BeginArray().Int(1).Uint(2).Text(":");
  json.BeginArray().EndArray().BeginObject().EndObject().EndArray();
  json.Key("b").Bool(true).Key("c").Null().Key("d").TextOrNull("");
  json.Key("e").TextOrNull("{").Key("f").Raw("[1]").Key("g").Bool(false);
  json.EndObject();
  EXPECT_EQ(json.text(), R"({"a":[1,2,":",[],{}],"b":true,"c":null,"d":null,)"
                         R"("e":"{","f":[1],"g":false})");
}

TEST(JsonWriter, CanBeUsedAgain) {
  JsonWriter json;
  json.BeginObject().EndObject();
  EXPECT_EQ(json.Take(), "{}");
  EXPECT_EQ(json.BeginArray().EndArray().text(), "[]");
}

}  // namespace
}  // namespace assay
