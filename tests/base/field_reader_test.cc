#include "base/field_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace assay {
namespace {

// Every field in a few letters: "op{ name='a' id=7 }".
std::string Walk(FieldReader& in) {
  std::string text;
  for (;;) {
    const Field f = in.Next();
    switch (f.kind) {
      case FieldKind::kBegin:
        text += fmt::format("{}{{ ", f.name);
        break;
      case FieldKind::kEnd:
        text += "} ";
        break;
      case FieldKind::kString:
        text += fmt::format("{}='{}' ", f.name, f.Text());
        break;
      case FieldKind::kNumber:
        text += fmt::format("{}={} ", f.name, f.Text());
        break;
      case FieldKind::kWord:
        text += fmt::format("{}:{} ", f.name, f.Text());
        break;
      case FieldKind::kNull:
        text += fmt::format("{}?{} ", f.name, f.text);
        break;
      case FieldKind::kDone:
        return text;
      case FieldKind::kError:
        EXPECT_EQ(in.Next().kind, FieldKind::kError);
        return fmt::format("{}! {} at {} line {}", text, in.error().what,
                           in.error().offset.value_or(0),
                           in.error().line.value_or(0));
    }
  }
}

std::string Json(const std::string& text) {
  return Walk(*ReadJsonFields(text, "f"));
}
std::string Text(const std::string& text) {
  return Walk(*ReadTextFields(text, "f"));
}

TEST(FieldReader, FormsGiveTheSameFields) {
  const std::string fields = "op{ name='a' } op{ name='b' i=1 i=-2 b:true } ";
  EXPECT_EQ(Json(R"({"op":[{"name":"a"},{"name":"b","i":[1,-2],"b":true}]})"),
            fields);
  EXPECT_EQ(Text("op { name: 'a' } op { name: 'b' i: 1 i: -2 b: true }"),
            fields);
  EXPECT_EQ(Text("op:[{name:\"a\"};,<name:'b' i:[1,-2] b:true>]"),
            "op{ name='a' } ! ',' or ']' expected, found ';' at 14 line 1");
  EXPECT_EQ(Text("op:[{name:\"a\"},<name:'b';i:[1 , -2] b:true>] x: []"),
            fields);
}

TEST(FieldReader, ReadsText) {
  const struct {
    std::string text, fields;
  } kRows[] = {
      {"", ""},
      {" # nothing\n", ""},
      {"a: 1, b: 2; c: X", "a=1 b=2 c:X "},
      {"a: 'x' \"y\" # c\n 'z' b: 1", "a='xyz' b=1 "},
      {R"(a: "\101\x42\n\"\'\?\u00e9\U0001F600")",
       "a='AB\n\"'?\u00e9\U0001F600' "},
      {"a: 'it\"s' b: \"it's\"", "a='it\"s' b='it's' "},
      {"a: 1.5f b: -inf c: 1e-5 d: 0x1F e: .5",
       "a=1.5f b=-inf c=1e-5 d=0x1F e=.5 "},
      {"[a.b/c] { } 5: 'x'", "[a.b/c]{ } 5='x' "},
      {"a <b <>>", "a{ b{ } } "},
      {"a: {} b: < > c {}", "a{ } b{ } c{ } "},
      {"a {", "a{ ! the text ends where '}' should be at 3 line 1"},
      {"a { >", "a{ ! '}' expected, found '>' at 4 line 1"},
      {"}", "! a field name expected, found '}' at 0 line 1"},
      {"a: [1,]", "a=1 ! a value expected, found ']' at 6 line 1"},
      {"a\n1", "! ':' or '{' expected, found '1' at 2 line 2"},
      {"a: 'x\n'", "! a closing quote expected, found '\\n' at 5 line 1"},
      {"a: 'x\\",
       "! the text ends where a closing quote should be at 6 line 1"},
      {"a: @", "! a value expected, found '@' at 3 line 1"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Text(row.text), row.fields);
}

TEST(FieldReader, ReadsJson) {
  const struct {
    std::string text, fields;
  } kRows[] = {
      {"{}", ""},
      {" { } ", ""},
      {R"({"a":"x\"\u00e9","b":-1.5e3,"c":null})",
       "a='x\"\u00e9' b=-1.5e3 c?null "},
      {R"({"a":[],"b":[[],[1,[2]]],"c":[{}]})", "a?[] b?[] b=1 b=2 c{ } "},
      {R"({"a":{"b":{"c":0}},"d":[null,true]})",
       "a{ b{ c=0 } } d?null d:true "},
      {R"({"a":NaN,"b":-Infinity})", "a=NaN b=-Infinity "},
      {"", "! the JSON text ends where a value should be at 0 line 1"},
      {"[1]", "! a JSON object expected at 3 line 1"},
      {"7", "! a JSON object expected at 1 line 1"},
      {"{\"a\":1,}", "a=1 ! not JSON: a key expected, found '}' at 7 line 1"},
      {"{\"a\":1 \"b\":2}",
       "a=1 ! not JSON: ',' or '}' expected, found '\"' at 7 line 1"},
      {"{\"a\":[1}",
       "a=1 ! not JSON: ',' or ']' expected, found '}' at 7 line 1"},
      {"{\"a\":01}", "! not JSON: a value expected, found '0' at 5 line 1"},
      {"{\"a\":tru}", "! not JSON: a value expected, found 't' at 5 line 1"},
      {"{\"a\":\n\"\\x\"}",
       "! not JSON: an escape sequence expected, found 'x' at 8 line 2"},
      {"{\"a\":\"x\ty\"}",
       "! not JSON: '\"' expected, found '\\t' at 7 line 1"},
      {"{\"a\"}", "! not JSON: ':' expected, found '}' at 4 line 1"},
      {"{\"a\":1}{", "a=1 ! not JSON: the end expected, found '{' at 7 line 1"},
      {"{\"a\":1",
       "a=1 ! the JSON text ends where ',' or '}' should be at 6 line 1"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Json(row.text), row.fields);
}

constexpr std::string_view kWords[] = {"ZERO", "ONE"};
extern const Schema kNode;
constexpr SchemaField kNodeFields[] = {
    {1, "name"},
    {2, "i", SchemaKind::kSigned},
    {3, "u", SchemaKind::kUnsigned},
    {4, "z", SchemaKind::kZigZag},
    {5, "b", SchemaKind::kBool},
    {6, "e", SchemaKind::kEnum, nullptr, kWords},
    {7, "f", SchemaKind::kFloat},
    {8, "d", SchemaKind::kDouble},
    {9, "node", SchemaKind::kMessage, &kNode},
    {10, "one", SchemaKind::kSigned, nullptr, {}, true},
};
const Schema kNode = {kNodeFields};

std::string Wire(const std::string& bytes) {
  return Walk(*ReadWireFields(bytes, kNode, "f", 100));
}

TEST(FieldReader, ReadsWire) {
  using namespace std::string_literals;  // NOLINT: bytes with zeros
  const struct {
    std::string bytes, fields;
  } kRows[] = {
      {"", ""},
      {"\x0a\x01x", "name='x' "},
      {"\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "i=-1 "},
      {"\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
       "u=18446744073709551615 "},
      {"\x20\x03", "z=-2 "},
      {"\x28\x01\x28\x00"s, "b:true b:false "},
      {"\x30\x01\x30\x07", "e:ONE e=7 "},
      {"\x3d\x00\x00\xc0\x3f"s, "f=1.5 "},
      {"\x3d\xac\xc5\x27\x37"s, "f=1e-05 "},
      {"\x41\x00\x00\x00\x00\x00\x00\xe0\x3f"s, "d=0.5 "},
      {"\x12\x03\x01\x02\x03", "i=1 i=2 i=3 "},  // packed
      {"\x12\x00\x0a\x01x"s, "name='x' "},       // an empty list
      {"\x52\x01\x01\x50\x05", "one=5 "},        // never packed
      {"\x7a\x02xy\x0a\x01x", "name='x' "},      // number 15: not known
      {"\x08\x05\x0a\x01x", "name='x' "},        // another wire type
      {"\x4a\x05\x0a\x01y\x4a\x00\x0a\x01x"s,
       "node{ name='y' node{ } } name='x' "},
      {"\x0a\x05x", "! 'name' is longer than what it is in at 100 line 0"},
      {"\x4a\x02\x0a\x05",
       "node{ ! 'name' is longer than what it is in at 102 line 0"},
      {"\x10", "! 'i' is cut short at 100 line 0"},
      {"\x12\x01\xff", "! 'i' is cut short at 102 line 0"},
      {"\x00"s, "! a field number is damaged at 100 line 0"},
      {"\x7b", "! field 15 is damaged at 100 line 0"},
      {"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
       "! 'name' is longer than what it is in at 100 line 0"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Wire(row.bytes), row.fields);
}

TEST(FieldReader, SkipsMessages) {
  const std::unique_ptr<FieldReader> readers[] = {
      ReadJsonFields(R"({"node":{"node":[{"name":"y"}],"i":[1]},"name":"x"})",
                     "f"),
      ReadTextFields("node { node { name: 'y' } i: [1] } name: 'x'", "f"),
      ReadWireFields("\x4a\x07\x4a\x03\x0a\x01y\x10\x01\x0a\x01x", kNode, "f"),
  };
  for (const auto& in : readers) {
    const Field node = in->Next();
    ASSERT_EQ(node.kind, FieldKind::kBegin);
    in->Skip(node);
    const Field name = in->Next();
    EXPECT_EQ(name.text, "x");
    in->Skip(name);
    EXPECT_EQ(in->Next().kind, FieldKind::kDone);
    EXPECT_EQ(in->Next().kind, FieldKind::kDone);
  }
}

TEST(FieldReader, ReadsAhead) {
  std::string text;
  for (int i = 0; i < 9000; ++i) text += fmt::format("a {{ n: {} }} ", i);
  const std::string all = Text(text), broken = Text(text + "}");
  EXPECT_EQ(Walk(*ReadFieldsAhead(ReadTextFields(text, "f"), text)), all);
  EXPECT_EQ(Walk(*ReadFieldsAhead(ReadTextFields("", "f"), "")), "");
  text += "}";
  EXPECT_EQ(Walk(*ReadFieldsAhead(ReadTextFields(text, "f"), text)), broken);
  for (int used = 0; used < 3000; used += 500) {  // and then left alone
    const auto in = ReadFieldsAhead(ReadTextFields(text, "f"), text);
    for (int i = 0; i < used; ++i) in->Skip(in->Next());
    if (used > 0) {
      EXPECT_EQ(in->Wrong(in->Next(), "x").line, 1u);
    }
  }
}

TEST(FieldReader, DeepNestingIsAnError) {
  std::string text, json = "{", wire;
  for (int i = 0; i < 1100; ++i) text += "a{", json += "\"a\":{";
  for (int i = 0; i < 1100; ++i) {
    std::string length;
    for (size_t n = wire.size();; n >>= 7) {
      length += static_cast<char>(n > 0x7f ? n | 0x80 : n);
      if (n <= 0x7f) break;
    }
    wire.insert(0, length).insert(0, "\x4a");
  }
  EXPECT_TRUE(
      Json(json).ends_with("nested deeper than 1024 levels at 5120 line 1"));
  EXPECT_TRUE(
      Text(text).ends_with("nested deeper than 1024 levels at 2049 line 1"));
  EXPECT_NE(Wire(wire).find("nested deeper than 1024 levels"),
            std::string::npos);
}

TEST(Field, GivesValues) {
  const auto field = [](FieldKind kind, std::string_view text) {
    Field f{.kind = kind};
    f.text = text;
    return f;
  };
  const auto number = [&](std::string_view text) {
    return field(FieldKind::kNumber, text);
  };
  EXPECT_EQ(number("-12").Integer(), -12);
  EXPECT_EQ(number("0x1f").Integer(), 31);
  EXPECT_EQ(number("-010").Integer(), -8);
  EXPECT_EQ(number("9223372036854775807").Integer(), INT64_MAX);
  EXPECT_EQ(number("-9223372036854775808").Integer(), INT64_MIN);
  EXPECT_EQ(number("99999999999999999999").Integer(), std::nullopt);
  EXPECT_EQ(number("1.5").Integer(), std::nullopt);
  EXPECT_EQ(field(FieldKind::kString, "3").Integer(), 3);
  EXPECT_EQ(field(FieldKind::kString, "").Integer(), std::nullopt);
  EXPECT_EQ(number("1.5f").Real(), 1.5);
  EXPECT_EQ(number("-inf").Real(), -INFINITY);
  EXPECT_TRUE(std::isnan(*field(FieldKind::kWord, "nan").Real()));
  EXPECT_EQ(field(FieldKind::kString, "1e-05").Real(), 1e-05);
  EXPECT_EQ(number("x").Real(), std::nullopt);
  EXPECT_EQ(field(FieldKind::kWord, "true").Truth(), true);
  EXPECT_EQ(number("0").Truth(), false);
  EXPECT_EQ(field(FieldKind::kWord, "maybe").Truth(), std::nullopt);
  EXPECT_EQ(field(FieldKind::kBegin, "1").Integer(), std::nullopt);
}

}  // namespace
}  // namespace assay
