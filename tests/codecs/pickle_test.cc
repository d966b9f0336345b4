#include "codecs/pickle.h"

#include <gtest/gtest.h>

#include <bit>

#include "base/text.h"
#include "codecs/pickle_builder.h"

namespace assay {
namespace {

using namespace pkl;
using Kind = PickleValue::Kind;
using Use = PickleGlobal::Use;

constexpr PickleGlobal kAllowed[] = {
    {"m.type", Use::kMention},
    {"m.call", Use::kCall},
    {"m.dict", Use::kFill},
    {"m.bad", Use::kRefuse, "do not"},
};

// As Python would print it; calls as name(arguments){items}.
std::string Print(const Pickle& pickle, const PickleValue& value) {
  std::string items;
  for (const PickleValue& item : pickle.Items(value)) {
    items += (items.empty() ? "" : ",") + Print(pickle, item);
  }
  switch (value.kind) {
    case Kind::kNothing:
      return "nothing";
    case Kind::kNone:
      return "None";
    case Kind::kBool:
      return value.number != 0 ? "True" : "False";
    case Kind::kInt:
      return fmt::format("{}", value.number);
    case Kind::kHuge:
      return "huge";
    case Kind::kFloat:
      return ShortestText(std::bit_cast<double>(value.number));
    case Kind::kText:
      return fmt::format("'{}'", pickle.Text(value));
    case Kind::kBytes:
      return fmt::format("b'{}'", pickle.Text(value));
    case Kind::kGlobal:
      return std::string(kAllowed[pickle.GlobalOf(value)].name);
    case Kind::kList:
      return "[" + items + "]";
    case Kind::kTuple:
      return "(" + items + ")";
    case Kind::kDict:
    case Kind::kSet:
      return "{" + items + "}";
    case Kind::kCall:
      return fmt::format("{}<{}>", kAllowed[pickle.GlobalOf(value)].name,
                         items);
    case Kind::kForeign:
      return "id<" + items + ">";
  }
  return "?";
}

std::string Read(const std::string& bytes, const PickleLimits& limits = {}) {
  const auto pickle = Pickle::Read(bytes, kAllowed, limits);
  if (pickle) return Print(*pickle, pickle->root());
  EXPECT_TRUE(pickle.error().offset) << pickle.error().what;
  return fmt::format("{} at {}", pickle.error().what,
                     pickle.error().offset.value_or(0));
}

TEST(Pickle, ReadsEveryOpcode) {
  const std::string zero(1, '\0');
  const std::string a8 = "\1" + std::string(7, '\0') + "a";  // length, text
  const struct {
    std::string code, text;
  } kRows[] = {
      {"N", "None"},
      {"\x88\x89\x86", "(True,False)"},
      {"K\xff", "255"},
      {"M\xff\xff", "65535"},
      {"J\xfe\xff\xff\xff", "-2"},
      {"\x8a" + zero, "0"},
      {"\x8a\x01\x80", "-128"},
      {"\x8a\x02\xff" + zero, "255"},
      {Int(INT64_MIN), fmt::format("{}", INT64_MIN)},
      {"\x8a\x09" + std::string(8, '\xff') + zero, "huge"},
      {"\x8b\x01" + zero + zero + zero + "\x07", "7"},
      {"G\x3f\xf8" + std::string(6, '\0'), "1.5"},
      {"\x8c\x01"
       "a"
       "U\x01"
       "b\x86",
       "('a','b')"},
      {Text("gr\xc3\xbc\xc3\x9f"), "'gr\xc3\xbc\xc3\x9f'"},
      {"T\x01" + zero + zero + zero + "a", "'a'"},
      {"\x8d" + a8 + "\x8e" + a8 + "\x96" + a8 + "\x87", "('a',b'a',b'a')"},
      {"C\x01"
       "aB\x01" +
           zero + zero + zero + "b\x86",
       "(b'a',b'b')"},
      {")K\1\x85K\1K\2\x86\x87", "((),(1),(1,2))"},
      {"(K\1K\2K\3\x87t", "((1,2,3))"},
      {"((]K\1a(K\2K\3el(K\4lt", "([[1,2,3]],[4])"},
      {"}K\1K\2s(K\3K\4K\5K\6u", "{1,2,3,4,5,6}"},
      {"(K\1K\2d", "{1,2}"},
      {"\x8f(K\1K\2\x90(K\3\x91\x86", "({1,2},{3})"},
      {"K\1"
       "0K\2(K\3"
       "1",
       "2"},
      {"K\1"
       "2\x86",
       "(1,1)"},
      {"K\7q" + zero + "0h" + zero, "7"},
      {"K\7r\2" + zero + zero + zero + "0j\2" + zero + zero + zero, "7"},
      {"K\7\x94K\x08\x94h" + zero + "\x86", "(8,7)"},
      {"]\x94h" + zero + "a0K\1", "1"},  // a list in itself
      {"\x95\2" + std::string(7, '\0') + "N", "None"},
      {Global("m", "type"), "m.type"},
      {"X\1" + zero + zero + zero + "mX\4" + zero + zero + zero + "call\x93",
       "m.call"},
      {Global("m", "call") + "K\1\x85R", "m.call<(1)>"},
      {Global("m", "dict") + ")RK\1K\2s(K\3K\4u}b", "m.dict<(),1,2,3,4>"},
      {"K\1Q", "id<1>"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Read(Whole(row.code)), row.text)
        << testing::PrintToString(row.code);
  }
}

TEST(Pickle, RefusesWhatWouldRunCode) {
  const std::string system = Global("os", "system"),
                    call = "(" + Text("id") + "tR";
  const std::string type = Global("m", "type");
  const struct {
    std::string code, error;
  } kRows[] = {
      {system + call, "GLOBAL asks for os.system, which is refused at 2"},
      {Text("os") + Text("system") + "\x93" + call,
       "STACK_GLOBAL asks for os.system, which is refused at 20"},
      // The name comes out of the memo.
      {Text("system") +
           "\x94"
           "0" +
           Text("os") + std::string("h\0\x93", 3) + call,
       "STACK_GLOBAL asks for os.system, which is refused at 24"},
      {Global("m.", "call"), "GLOBAL asks for m..call, which is refused at 2"},
      {Global("m", "call.__globals__"),
       "GLOBAL asks for m.call.__globals__, which is refused at 2"},
      {Global("m", "\x1b[2J"),
       "GLOBAL asks for m.\\x1b[2J, which is refused at 2"},
      {"(" + Text("id") + "ios\nsystem\n",
       "INST makes an object of os.system, which is refused at 10"},
      {"(" + type + "o",
       "OBJ makes an object of m.type, which is refused at 11"},
      {type + ")\x81",
       "NEWOBJ makes an object of m.type, which is refused at 11"},
      {type + ")}\x92",
       "NEWOBJ_EX makes an object of m.type, which is refused at 12"},
      {"NN\x81",
       "NEWOBJ makes an object of something that has no name, which is refused "
       "at 4"},
      {type + ")R", "REDUCE calls m.type, which is refused at 11"},
      {"N)R", "REDUCE calls something that has no name, which is refused at 4"},
      {Global("m", "call") + ")R)R",
       "REDUCE calls something that has no name, which is refused at 13"},
      {Global("m", "call") + ")R}b",
       "BUILD sets the state of an object, which is refused at 13"},
      {type + "}b",
       "BUILD sets the state of an object, which is refused at 11"},
      {"}}b", "BUILD sets the state of an object, which is refused at 4"},
      {"\x82\1", "EXT1 is an opcode, which is refused at 2"},
      {"\x97", "NEXT_BUFFER is an opcode, which is refused at 2"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Read(Whole(row.code)), row.error);
  const auto bad = Pickle::Read(Whole(Global("m", "bad")), kAllowed);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(bad.error().hint, "do not");
}

TEST(Pickle, SaysWhatIsWrong) {
  const std::string zero(1, '\0'), full = "\xff\xff\xff\xff";
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {"", "no pickle of protocols 2 to 5 begins here at 0"},
      {"(lp0\n.", "no pickle of protocols 2 to 5 begins here at 0"},
      {"\x80", "PROTO needs 1 bytes, 0 left at 1"},
      {"\x80\x01.", "the pickle has protocol 1 at 0"},
      {"\x80\x06.", "the pickle has protocol 6 at 0"},
      {kProto2, "the pickle ends without STOP at 2"},
      {Whole(""), "STOP finds no value at 2"},
      {Whole("N("), "STOP finds no value at 4"},
      {Whole("I1\n"), "0x49 is no opcode of protocols 2 to 5 at 2"},
      {Whole("\xff"), "0xff is no opcode of protocols 2 to 5 at 2"},
      {Whole("X" + full), "BINUNICODE needs 4294967295 bytes, 1 left at 7"},
      {Whole("\x8d" + full + full),
       "BINUNICODE8 needs 18446744073709551615 bytes, 1 left at 11"},
      {Whole("\x8b" + full), "LONG4 needs 4294967295 bytes, 1 left at 7"},
      {Whole("\x95" + full + zero + zero + zero + zero),
       "FRAME needs 4294967295 bytes, 1 left at 2"},
      {kProto2 + "cos\nsyst", "GLOBAL has no end of line at 2"},
      {Whole("t"), "TUPLE finds no mark at 2"},
      {Whole("N\x86"), "TUPLE2 finds no value at 3"},
      {Whole("N(\x85"), "TUPLE1 finds no value at 4"},
      {Whole("NNa"), "APPEND finds nothing to add to at 4"},
      {Whole(")(Ne"), "APPENDS finds nothing to add to at 5"},
      {Whole("}(Nu"), "SETITEMS finds a key without a value at 5"},
      {Whole("(Nd"), "DICT finds a key without a value at 4"},
      {Whole(Global("m", "call") + ")RNNs"),
       "SETITEM finds nothing to add to at 14"},
      {Whole(Global("m", "call") + "]R"),
       "REDUCE finds another kind of value than it needs at 11"},
      {Whole("NN\x93"),
       "STACK_GLOBAL finds another kind of value than it needs at 4"},
      {Whole("h\5"), "BINGET asks for memo 5, which was never set at 2"},
      {Whole("Nq\2h\1"), "BINGET asks for memo 1, which was never set at 5"},
      {Whole("Nr" + full),
       "LONG_BINPUT sets memo 4294967295, more than there can be at 3"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Read(row.bytes), row.error);
}

TEST(Pickle, HasLimits) {
  EXPECT_EQ(Read(Whole("NNN"), {.values = 2}),
            "the pickle holds more than 2 values at 4");
  EXPECT_EQ(Read(Whole("N" + std::string(100, '2')), {.values = 50}),
            "the pickle holds more than 50 values at 52");
  EXPECT_EQ(Read(Whole(std::string(100, '(')), {.values = 50}),
            "MARK comes too often at 52");
  // A small file of one-byte values ends at the default limit.
  EXPECT_EQ(Read(Whole(std::string(4 << 20, ']'))),
            "the pickle holds more than 2097152 values at 2097154");
}

TEST(Pickle, EveryCutIsAnError) {
  const std::string whole = Whole("(" + std::string(Tensor()) + "}" +
                                  Text("k") + Int(1) + "s\x8f]\x94t");
  constexpr PickleGlobal kTorch[] = {
      {"torch._utils._rebuild_tensor_v2", Use::kCall},
      {"torch.FloatStorage", Use::kMention},
      {"collections.OrderedDict", Use::kFill},
  };
  ASSERT_TRUE(Pickle::Read(whole, kTorch));
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(Pickle::Read(whole.substr(0, size), kTorch)) << size;
  }
}

}  // namespace
}  // namespace assay
