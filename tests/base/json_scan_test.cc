#include "base/json_scan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "temp_file.h"
#include "test_paths.h"

namespace assay {
namespace {

using namespace std::string_literals;
using enum JsonKind;

std::string Shown(const JsonToken& token) {
  switch (token.kind) {
    case kKey:
      return token.Text() + ":";
    case kString:
      return "'" + token.Text() + "'";
    case kEnd:
      return "end";
    default:
      return std::string(token.text);
  }
}

// All tokens with a space between them, or what is wrong and where.
std::string Tokens(std::string_view json) {
  JsonScanner scan(json, "f");
  std::string out;
  for (JsonToken token = scan.Next();; token = scan.Next()) {
    if (token.kind == kError) {
      const Error error = scan.error();
      return fmt::format("{} @{}:{}", error.what, *error.line, *error.offset);
    }
    out += (out.empty() ? "" : " ") + Shown(token);
    if (token.kind == kEnd) return out;
  }
}

TEST(JsonScan, HandsOutTokens) {
  const struct {
    std::string json, tokens;
  } kRows[] = {
      {"{}", "{ } end"},
      {"[]", "[ ] end"},
      {" [ ] \n", "[ ] end"},
      {"\"\"", "'' end"},
      {"0", "0 end"},
      {"[1,-2.5,1e9,0.1E-7,-0]", "[ 1 -2.5 1e9 0.1E-7 -0 ] end"},
      {"[true,false,null]", "[ true false null ] end"},
      {"[NaN,Infinity,-Infinity]", "[ NaN Infinity -Infinity ] end"},
      {"{\"a\" : {\"b\":[1,{}]} , \"c\":\"d\"}",
       "{ a: { b: [ 1 { } ] } c: 'd' } end"},
      {"[[[]],[]]", "[ [ [ ] ] [ ] ] end"},
      {"[\"a long text without an escape\"]",
       "[ 'a long text without an escape' ] end"},
      {"\"gr\xc3\xbc\xc3\x9f\"", "'gr\xc3\xbc\xc3\x9f' end"},
      {R"("\"\\\/\b\f\n\r\t")", "'\"\\/\b\f\n\r\t' end"},
      {R"("\u0041\u00e9\u20ac\ud83d\ude00")",
       "'A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80' end"},
      {R"("\ud83dx\ude00\ud83d\ud83d")",
       "'\xef\xbf\xbdx\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd' end"},
      {R"("\u0000")", "'"s + '\0' + "' end"},
      {R"({"k\u0041": 1})", "{ kA: 1 } end"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Tokens(row.json), row.tokens);
}

TEST(JsonScan, SaysWhatIsWrong) {
  const struct {
    std::string json, error;
  } kRows[] = {
      {"", "the JSON text ends where a value should be @1:0"},
      {"[1,\n", "the JSON text ends where a value should be @2:4"},
      {"{\"a", "the JSON text ends where '\"' should be @1:3"},
      {"{\"a\"", "the JSON text ends where ':' should be @1:4"},
      {"{\"a\":1", "the JSON text ends where ',' or '}' should be @1:6"},
      {"[", "the JSON text ends where a value or ']' should be @1:1"},
      {"{", "the JSON text ends where a key or '}' should be @1:1"},
      {"\"\\u00",
       "the JSON text ends where four hexadecimal digits should be "
       "@1:5"},
      {"[1,]", "not JSON: a value expected, found ']' @1:3"},
      {"[,1]", "not JSON: a value or ']' expected, found ',' @1:1"},
      {"{\"a\":1,}", "not JSON: a key expected, found '}' @1:7"},
      {"{1:2}", "not JSON: a key or '}' expected, found '1' @1:1"},
      {"{\"a\" 1}", "not JSON: ':' expected, found '1' @1:5"},
      {"[1 2]", "not JSON: ',' or ']' expected, found '2' @1:3"},
      {"[1}", "not JSON: ',' or ']' expected, found '}' @1:2"},
      {"{\"a\":1]", "not JSON: ',' or '}' expected, found ']' @1:6"},
      {"]", "not JSON: a value expected, found ']' @1:0"},
      {"1 2", "not JSON: the end expected, found '2' @1:2"},
      {"{}\n\n{}", "not JSON: the end expected, found '{' @3:4"},
      {"01", "not JSON: a value expected, found '0' @1:0"},
      {"1.", "not JSON: a value expected, found '1' @1:0"},
      {"1e", "not JSON: a value expected, found '1' @1:0"},
      {"+1", "not JSON: a value expected, found '+' @1:0"},
      {"-", "not JSON: a value expected, found '-' @1:0"},
      {".5", "not JSON: a value expected, found '.' @1:0"},
      {"nul", "not JSON: a value expected, found 'n' @1:0"},
      {"nan", "not JSON: a value expected, found 'n' @1:0"},
      {"truex", "not JSON: the end expected, found 'x' @1:4"},
      {"'a'", "not JSON: a value expected, found ''' @1:0"},
      {"\xef\xbb\xbf{}",
       "not JSON: a value expected, found '\xef\xbf\xbd' "
       "@1:0"},
      {"\"a\nb\"", "not JSON: '\"' expected, found '\\n' @1:2"},
      {"\"01234567\1\"", "not JSON: '\"' expected, found '\\x01' @1:9"},
      {"\"\\x\"", "not JSON: an escape sequence expected, found 'x' @1:2"},
      {"\"\\u12g4\"",
       "not JSON: four hexadecimal digits expected, found 'g' "
       "@1:5"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Tokens(row.json), row.error);
}

TEST(JsonScan, AnErrorStays) {
  JsonScanner scan("[1 2]", "f");
  for (int i = 0; i < 10; ++i) scan.Next();
  EXPECT_FALSE(scan.ok());
  scan.SkipValue();
  EXPECT_EQ(scan.error().what, "not JSON: ',' or ']' expected, found '2'");
  EXPECT_EQ(scan.error().Where(), "f (byte 3) (line 1)");
}

TEST(JsonScan, DepthIsLimited) {
  const std::string bound(JsonScanner::kDeepest, '[');
  EXPECT_EQ(Tokens(bound + std::string(bound.size(), ']')).size(),
            4 * bound.size() + 3);
  for (const char* open : {"[", "{\"a\":"}) {
    std::string deep;
    for (int i = 0; i < 1000000; ++i) deep += open;
    JsonScanner scan(deep, "f");
    scan.SkipValue();
    EXPECT_EQ(scan.error().what, "nested deeper than 1024 levels");
  }
}

// Quotes, backslashes and control characters at every place of a word.
TEST(JsonScan, FindsTheEndOfAStringAnywhere) {
  for (size_t before = 0; before < 20; ++before) {
    for (size_t after = 0; after < 20; ++after) {
      const std::string left(before, '\xff'), right(after, '!');
      const std::string text = fmt::format(R"({}\"{})", left, right);
      const std::string json = "\"" + text + "\"";
      JsonScanner scan(json);
      const JsonToken token = scan.Next();
      EXPECT_EQ(token.text, text);
      EXPECT_TRUE(token.escaped);
      EXPECT_EQ(token.Text(), fmt::format("{}\"{}", left, right));
      EXPECT_EQ(scan.Next().kind, kEnd);
      const std::string control = fmt::format("\"{}\x1f{}\"", left, right);
      JsonScanner bad(control);
      EXPECT_EQ(bad.Next().kind, kError);
      EXPECT_EQ(bad.error().offset, before + 1);
    }
  }
}

TEST(JsonScan, TellsWhereTokensAre) {
  const std::string json = "{\n  \"a\": [1,\"b\"]}";
  JsonScanner scan(json);
  for (const uint64_t at : {0, 4, 9, 10, 12, 15, 16, 17}) {
    EXPECT_EQ(scan.Next().at, at);
  }
}

TEST(JsonScan, SkipsValues) {
  const std::string json =
      R"({"a": {"x": [1, {"y": "]}"}]}, "b": 7, "c": [], "d": "z"})";
  JsonScanner scan(json);
  std::string keys;
  scan.Next();
  for (JsonToken key = scan.Next(); key.kind == kKey; key = scan.Next()) {
    keys += key.text;
    scan.SkipValue();
  }
  EXPECT_EQ(keys, "abcd");
  EXPECT_EQ(scan.Next().kind, kEnd);
}

TEST(JsonScan, SkipsWhatWasBegun) {
  JsonScanner scan("[[1,[2]],3]");
  scan.Next();
  scan.Skip(scan.Next());
  const JsonToken three = scan.Next();
  EXPECT_EQ(three.text, "3");
  scan.Skip(three);
  EXPECT_EQ(scan.Next().kind, kEndArray);
}

TEST(JsonScan, Numbers) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const struct {
    std::string json;
    std::optional<int64_t> integer;
    std::optional<double> real;
  } kRows[] = {
      {"7", 7, 7},
      {"-9223372036854775808", INT64_MIN, -0x1p63},
      {"9223372036854775808", {}, 0x1p63},
      {"2.5", {}, 2.5},
      {"1e3", {}, 1000},
      {"1e999", {}, kInf},
      {"-1e999", {}, -kInf},
      {"1e-999", {}, 0},
      {"Infinity", {}, kInf},
      {"-Infinity", {}, -kInf},
      {"null", {}, {}},
      {"\"7\"", {}, {}},
  };
  for (const auto& row : kRows) {
    const JsonToken token = JsonScanner(row.json).Next();
    EXPECT_EQ(token.Integer(), row.integer) << row.json;
    EXPECT_EQ(token.Real(), row.real) << row.json;
  }
  EXPECT_TRUE(std::isnan(*JsonScanner("NaN").Next().Real()));
}

TEST(JsonScan, WhatTheReaderDoesNotWant) {
  JsonScanner scan("[\n1, x", "f");
  scan.Next();
  const Error wrong = scan.Wrong(scan.Next(), "a text is needed");
  EXPECT_EQ(wrong.what + " " + wrong.Where(),
            "a text is needed f (byte 2) (line 2)");
  EXPECT_EQ(scan.Wrong(scan.Next(), "a text is needed").what,
            "not JSON: a value expected, found 'x'");
}

// What the fuzzer starts from, and what it found.
TEST(JsonScan, CorpusIsReplayed) {
  size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(FuzzCorpus("json_scan"))) {
    EXPECT_FALSE(Tokens(ReadAll(entry.path())).empty()) << entry.path();
    ++files;
  }
  EXPECT_GT(files, 2u);
}

}  // namespace
}  // namespace assay
