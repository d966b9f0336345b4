// Broken files: an error that says where, never a crash.
#include <gtest/gtest.h>

#include "graphs/graph_kind.h"
#include "temp_file.h"
#include "test_paths.h"

namespace assay {
namespace {

const std::string kData = TestData("graphs/");

Error ErrorOf(std::string_view suffix, const std::string& bytes) {
  const TempFile file(suffix, bytes);
  const Result<Graph> graph = OpenGraph(file.path());
  if (graph) return Error{.what = "no error"};
  EXPECT_EQ(graph.error().file, file.path());
  return graph.error();
}

TEST(BrokenGraph, SaysWhatAndWhere) {
  const struct {
    std::string suffix, bytes, error;
    uint64_t byte, line;
  } kRows[] = {
      {".txt", "graph {\n op {\n name: \"a",
       "the text ends where a closing quote should be", 23, 3},
      {".txt", "graph {\n op { name: 'a' }\n",
       "the text ends where '}' should be", 26, 3},
      {".txt", "graph {\n op { name: \n}", "a value expected, found '}'", 21,
       3},
      {".txt", "name: 'x'\ngraph { op }", "':' or '{' expected, found '}'", 21,
       2},
      {".txt", "graph { op { name { } } }", "'name' should be text", 18, 1},
      {".txt", "graph { op { id: 'x' } }", "'id' should be an integer", 17, 1},
      {".txt", "graph { op { output_desc: 3 } }",
       "'output_desc' should be a message", 26, 1},
      {".txt", "op { attr { key: 'k' value { i: 1.5 } } }",
       "an integer expected", 32, 1},
      {".txt", "op { attr { key: 'k' value { list: 1 } } }",
       "'list' should be a message", 35, 1},
      {".txt", "name: 'only'", "there is no graph in it", 0, 1},
      {".json", "{\"graph\":[\n{\"op\":[{\"name\":\"a\"",
       "the JSON text ends where ',' or '}' should be", 29, 2},
      {".json", "{\"graph\":[{\"op\":[{\"name\":\n[[{}]]}]}]}",
       "'name' should be text", 28, 2},
      {".json", "{\"graph\":[]} x", "not JSON: the end expected, found 'x'", 13,
       1},
      {".json", "{\"name\":\"x\"}", "there is no graph in it", 0, 1},
      {".json", "{\"graph\":[{\"op\":[7]}]}", "'op' should be a message", 17,
       1},
  };
  for (const auto& row : kRows) {
    const Error error = ErrorOf(row.suffix, row.bytes);
    EXPECT_EQ(error.what, row.error) << row.bytes;
    EXPECT_EQ(error.offset, row.byte) << row.bytes;
    EXPECT_EQ(error.line, row.line) << row.bytes;
  }
}

std::string Repeat(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(BrokenGraph, DeepNestingIsAnError) {
  constexpr size_t kDeep = 1000000;
  const std::string text = "graph { op { attr { key: 'k' value { func { ";
  const std::string json = R"({"graph":[{"op":[{"attr":[{"key":"k","value":)";
  const std::pair<const char*, std::string> kRows[] = {
      {".txt", Repeat("op {", kDeep)},
      {".txt", text + Repeat("attr {", kDeep)},
      {".txt", text + Repeat("x < y {", kDeep)},
      {".txt", "graph { x: " + Repeat("[", kDeep)},
      {".json", json + Repeat("{\"func\":", kDeep)},
      {".json", json + Repeat("{\"list\":[", kDeep)},
  };
  for (const auto& [suffix, bytes] : kRows) {
    const Error error = ErrorOf(suffix, bytes);
    EXPECT_TRUE(error.what == "nested deeper than 1024 levels" ||
                error.what == "a value expected, found '['" ||
                error.what == "'list' should be a message")
        << error.what;
    EXPECT_TRUE(error.offset && error.line);
  }
  EXPECT_EQ(ErrorOf(".txt", "op {" + Repeat(" x: []", kDeep) + "}").what,
            "no error");
}

// Wherever a file ends, it is refused: a graph that lost operators would pair
// less without a word.
TEST(BrokenGraph, EveryCutIsAnError) {
  for (const char* name : {"ge_proto_00000005_Build.txt", "fused.json"}) {
    const std::string bytes = ReadAll(kData + name);
    const TempFile file(".cut", bytes);
    for (size_t size = 1; size < bytes.size() - 2; size += 7) {
      file.Write(bytes.substr(0, size));
      const Result<Graph> graph = OpenGraph(file.path());
      // The text form ends between any two of its outermost fields.
      const bool between = bytes[size - 1] == '\n' || bytes[size] == '\n';
      EXPECT_TRUE(!graph || between) << name << " " << size;
    }
  }
}

TEST(BrokenGraph, EveryWrongByteIsSurvived) {
  for (const char* name : {"dynamo_original_graph_1_off.txt", "quant.json",
                           "plain.om", "two_model.om"}) {
    const std::string bytes = ReadAll(kData + name);
    const TempFile file(".bad", bytes);
    for (size_t at = 0; at < bytes.size(); at += 3) {
      for (const char change : {'\x01', '\x80', '{'}) {
        std::string bad = bytes;
        bad[at] = static_cast<char>(bad[at] ^ change);
        file.Write(bad);
        const Result<Graph> graph = OpenGraph(file.path());
        EXPECT_TRUE(graph || !graph.error().what.empty());
      }
    }
  }
}

}  // namespace
}  // namespace assay
