// Graphs that are well-formed files and cannot run: each kind of file says what
// is wrong with which operator, and where it stands.
#include <gtest/gtest.h>

#include <vector>

#include "graphs/graph_kind.h"
#include "graphs/onnx_file.h"
#include "graphs/wire_bytes.h"
#include "temp_tree.h"
#include "test_paths.h"

namespace assay {
namespace {

struct Op {
  std::string name, type;
  std::vector<std::string> inputs;
};
using Ops = std::vector<Op>;

const Ops kTwice = {{"x", "Data", {}},
                    {"a", "Relu", {"x"}},
                    {"b", "Relu", {"a"}},
                    {"a", "Exp", {"b"}}};
const Ops kMissing = {{"x", "Data", {}}, {"a", "Add", {"x", "gone"}}};
const Ops kCircle = {{"x", "Data", {}},
                     {"a", "Add", {"x", "c"}},
                     {"b", "Relu", {"a"}},
                     {"c", "Exp", {"b"}}};

std::string Varint(uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}
std::string Number(uint32_t field, uint64_t value) {
  return Varint(field << 3) + Varint(value);
}
std::string Bytes(uint32_t field, const std::string& bytes) {
  return Varint(field << 3 | 2) + Varint(bytes.size()) + bytes;
}
std::string Little(uint64_t value, size_t bytes) {
  std::string text;
  for (; bytes > 0; --bytes, value >>= 8) text += static_cast<char>(value);
  return text;
}

// An operator a line, from line 2 on.
std::string Text(const Ops& ops, const std::string& first,
                 const std::string& each, const std::string& type) {
  std::string out = first;
  for (const Op& op : ops) {
    out +=
        fmt::format("\n {} {{ name: '{}' {}{}'", each, op.name, type, op.type);
    for (const std::string& input : op.inputs) {
      out += fmt::format(" input: '{}'", input);
    }
    out += " }";
  }
  return out;
}

std::string GeJson(const Ops& ops) {
  std::string out = R"({"name":"net","graph":[{"name":"g","op":[)";
  for (const Op& op : ops) {
    out += fmt::format("{}\n{{\"name\":\"{}\",\"type\":\"{}\",\"input\":[",
                       &op == ops.data() ? "" : ",", op.name, op.type);
    for (const std::string& input : op.inputs) {
      out += fmt::format("{}\"{}:0\"", &input == op.inputs.data() ? "" : ",",
                         input);
    }
    out += "]}";
  }
  return out + "]}]}\n";
}

std::string GeProto(const Ops& ops) {
  return Text(ops, "graph { name: 'g'", "op", "type: '") + "}\n";
}

std::string Dynamo(const Ops& ops) {
  return Text(ops, "name: 'g'", "op", "type: '") + "\n";
}

std::string GeOnnx(const Ops& ops) {
  return Text(ops, "graph { name: 'g' # \"ge:\"", "node", "op_type: 'ge:") +
         "}\n";
}

std::string Om(const Ops& ops) {
  std::string graph = Bytes(1, "g");
  for (const Op& op : ops) {
    std::string one = Bytes(1, op.name) + Bytes(2, op.type);
    for (const std::string& input : op.inputs) one += Bytes(5, input + ":0");
    graph += Bytes(6, one);
  }
  const std::string model = Bytes(1, "net") + Bytes(7, graph);
  const std::string body =
      Little(1, 4) + Little(0, 8) + Little(model.size(), 4) + model;
  std::string head = "IMOD" + Little(256, 4) + Little(0x10000000, 4);
  head.resize(76);
  head += Little(body.size(), 4);
  head.resize(256);
  return head + body;
}

// Each operator makes the tensor of its name and "_out"; x is the input.
std::string Onnx(const Ops& ops) {
  std::string graph;
  for (const Op& op : ops) {
    if (op.type == "Data") continue;
    std::string one;
    for (const std::string& input : op.inputs) {
      one += Bytes(1, input == "x" ? input : input + "_out");
    }
    graph += Bytes(1, one + Bytes(2, op.name + "_out") + Bytes(3, op.name) +
                          Bytes(4, op.type));
  }
  return Number(1, 8) +
         Bytes(7, graph + Bytes(2, "net") + Bytes(11, Bytes(1, "x")));
}

std::string GraphDef(const Ops& ops) {
  std::string graph;
  for (const Op& op : ops) {
    std::string one = Bytes(1, op.name) + Bytes(2, op.type);
    for (const std::string& input : op.inputs) one += Bytes(3, input);
    graph += Bytes(1, one);
  }
  return graph;
}

std::string MetaGraph(const Ops& ops) {
  return Bytes(1, Bytes(4, "serve")) + Bytes(2, GraphDef(ops));
}

std::string SavedModel(const Ops& ops) {
  return Number(1, 1) + Bytes(2, MetaGraph(ops));
}

std::string TfText(const Ops& ops) {
  return Text(ops, "# a graph", "node", "op: '") + "\n";
}

// "what (byte 7) (line 3) / hint", one after another.
std::string Faults(const Graph& graph) {
  std::string text;
  for (const Error& fault : graph.faults) {
    EXPECT_EQ(fault.file, graph.file);
    text += fault.what + fault.Where().substr(graph.file.size()) + "\n" +
            fault.hint + "\n";
  }
  return text;
}

struct Kind {
  std::string file, kind;
  std::string (*write)(const Ops& ops);
  std::string last, first, first_place;  // where its operators 3 and 1 stand
};

const Kind kKinds[] = {
    {"a.json", "ge-json", GeJson, "(byte 169) (line 5)", "line 3",
     "(byte 81) (line 3)"},
    {"ge_proto_00000005_Build.txt.json", "ge-json", GeJson,
     "(byte 169) (line 5)", "line 3", "(byte 81) (line 3)"},
    {"ge_proto_00000005_Build.txt", "ge-text", GeProto, "(byte 137) (line 5)",
     "line 3", "(byte 53) (line 3)"},
    {"dynamo_original_graph_1.txt", "ge-text", Dynamo, "(byte 129) (line 5)",
     "line 3", "(byte 45) (line 3)"},
    {"ge_onnx_00000005_Build.pbtxt", "ge-onnx", GeOnnx, "(byte 171) (line 5)",
     "line 3", "(byte 71) (line 3)"},
    {"a.om", "om", Om, "(byte 325)", "byte 293", "(byte 293)"},
    {"a.pb", "tensorflow", GraphDef, "(byte 39)", "byte 11", "(byte 11)"},
    {"a.pbtxt", "tensorflow", TfText, "(byte 131) (line 5)", "line 3",
     "(byte 47) (line 3)"},
    {"a.meta", "tensorflow", MetaGraph, "(byte 50)", "byte 22", "(byte 22)"},
    {"saved_model.pb", "tensorflow", SavedModel, "(byte 54)", "byte 26",
     "(byte 26)"},
};

TEST(GraphFaults, OfEveryKindOfFile) {
  const TempTree tree;
  for (const Kind& kind : kKinds) {
    const auto faults = [&](const Ops& ops) {
      const auto graph = OpenGraph(tree.Write(kind.file, kind.write(ops)));
      EXPECT_TRUE(graph) << kind.file << graph.error().Text();
      if (!graph) return std::string();
      EXPECT_EQ(graph->kind, kind.kind) << kind.file;
      EXPECT_EQ(graph->operators.size(), ops.size()) << kind.file;
      return Faults(*graph);
    };
    EXPECT_EQ(faults(kTwice),
              fmt::format("operator 'a' is there twice {}\nthe other is at {}; "
                          "inputs are named after operators, so a graph has "
                          "each name once\n",
                          kind.last, kind.first))
        << kind.file;
    EXPECT_EQ(faults(kMissing),
              fmt::format("operator 'a' takes input 1 from 'gone', which is "
                          "not there {}\nno operator of the file has that "
                          "name; was a part of it cut off?\n",
                          kind.first_place))
        << kind.file;
    EXPECT_EQ(faults(kCircle),
              fmt::format("operator 'a' waits for its own output: a -> b -> c "
                          "-> a {}\nonly loops through NextIteration may close "
                          "a circle\n",
                          kind.first_place))
        << kind.file;
    EXPECT_EQ(faults({{"x", "Data", {}}, {"a", "Relu", {"x"}}}), "")
        << kind.file;
  }
}

// Each kind of file without its last bytes, and nested a million deep.
TEST(GraphFaults, CutAndDeep) {
  std::string deep = "op {";
  for (int i = 0; i < 1000000; ++i) deep += " x {";
  std::string deep_nodes = "graph { node { op_type: \"ge:X\"";
  for (int i = 0; i < 1000000; ++i) deep_nodes += " attribute { g { node {";
  const Ops ops = {{"x", "Data", {}}, {"a", "Relu", {"x"}}};
  const auto cut = [&](std::string bytes) {
    return bytes.substr(0, bytes.size() - 5);
  };
  const struct {
    std::string file, bytes, error;
  } kRows[] = {
      {"a.json", cut(GeJson(ops)),
       "the JSON text ends where ',' or ']' should be (byte 123) (line 3)"},
      {"ge_proto_00000005_Build.txt", cut(GeProto(ops)),
       "the text ends where a closing quote should be (byte 87) (line 3)"},
      {"dynamo_original_graph_1.txt", cut(Dynamo(ops)),
       "the text ends where a closing quote should be (byte 78) (line 3)"},
      {"ge_onnx_00000005_Build.pbtxt", cut(GeOnnx(ops)),
       "the text ends where a closing quote should be (byte 111) (line 3)"},
      {"a.om", cut(Om(ops)),
       "the header says 309 bytes, 304 are there (byte 76)"},
      {"a.onnx", cut(Onnx(ops)),
       "'graph' is longer than what it is in (byte 2)"},
      {"a.pb", cut(GraphDef(ops)),
       "'node' is longer than what it is in (byte 11)"},
      {"a.pbtxt", cut(TfText(ops)),
       "the text ends where a closing quote should be (byte 78) (line 3)"},
      {"a.meta", cut(MetaGraph(ops)),
       "'graph_def' is longer than what it is in (byte 9)"},
      {"saved_model.pb", cut(SavedModel(ops)),
       "'meta_graphs' is longer than what it is in (byte 2)"},
      {"dynamo_original_graph_1.txt", deep,
       "nested deeper than 1024 levels (byte 4099) (line 1)"},
      {"ge_onnx_00000005_Build.pbtxt", deep_nodes,
       "graphs inside graphs, 64 deep (byte 1494) (line 1)"},
  };
  const TempTree tree;
  for (const auto& row : kRows) {
    const std::string path = tree.Write(row.file, row.bytes);
    const auto graph = OpenGraph(path);
    ASSERT_FALSE(graph) << row.file;
    EXPECT_EQ(graph.error().what + graph.error().Where().substr(path.size()),
              row.error)
        << row.file;
  }
}

// Operators of ONNX may share a name: its edges are tensors.
TEST(GraphFaults, OfOnnx) {
  const Ops shared = {{"a", "Relu", {"x"}}, {"b", "Exp", {"a"}}};
  std::string bytes = Onnx(shared);
  bytes[bytes.find("\x1a\x01" + std::string("b")) + 2] = 'a';
  const struct {
    std::string bytes, faults, error;
  } kRows[] = {
      {Onnx(shared), "", ""},
      {bytes, "", ""},
      {Onnx(kTwice),
       "tensor 'a_out' is made twice, by 'a' and by 'a' (byte 50)\n"
       "inputs are named after tensors, so a graph has each name once\n",
       "Exp 'a' makes 'a_out', which is there already (byte 50)"},
      {Onnx(kMissing),
       "operator 'a' takes input 1 from 'gone_out', which is not there (byte "
       "4)\nit is no input, no initializer and no node's output\n",
       "Add 'a' needs 'gone_out', which nothing makes (byte 4)"},
      {Onnx(kCircle),
       "operator 'a' waits for its own output: a -> b -> c -> a (byte 4)\n"
       "only loops through NextIteration may close a circle\n",
       "Add 'a' waits for its own output by its input 'c_out': the graph has a "
       "cycle (byte 4)"},
  };
  const TempTree tree;
  for (const auto& row : kRows) {
    const std::string path = tree.Write("a.onnx", row.bytes);
    const auto graph = OpenGraph(path);
    ASSERT_TRUE(graph) << graph.error().Text();
    EXPECT_EQ(Faults(*graph), row.faults);
    const auto model = onnx::OnnxFile::Open(path);
    const std::string error =
        model ? ""
              : model.error().what + model.error().Where().substr(path.size());
    EXPECT_EQ(error, row.error);
  }
}

// What is no fault: names of another part, loops that are written as such,
// order-only edges, inputs that are not connected, several graphs of a model.
TEST(GraphFaults, NoneInGraphsThatRun) {
  const Ops ops = {{"x", "Data", {}}, {"a", "Relu", {"x"}}};
  const struct {
    std::string name, bytes;
  } kRows[] = {
      {"a.txt",
       "graph { name: 'g' op { name: 'x' } op { name: 'a' input: 'x:0' } }"
       "graph { name: 'h' op { name: 'x' } op { name: 'a' input: 'x:-1' } }"},
      {"a.txt", "op { name: 'a' input: 'b:0' input: '' } op { name: 'b' }"},
      {"a.txt",
       "graph { name: 'g' op { name: 'x' } }"
       "graph { name: 'h' op { name: 'a' input: 'x:0' } }"},
      {"a.pbtxt",
       "node { name: 'merge' op: 'Merge' input: 'x' input: 'next' }"
       "node { name: 'next' op: 'NextIteration' input: 'add' }"
       "node { name: 'add' op: 'Add' input: 'merge' input: '^merge' }"
       "node { name: 'x' op: 'Enter' }"},
      {"saved_model.pb", SavedModel(ops) + Bytes(2, MetaGraph(ops))},
  };
  const TempTree tree;
  for (const auto& row : kRows) {
    const auto graph = OpenGraph(tree.Write(row.name, row.bytes));
    ASSERT_TRUE(graph) << graph.error().Text();
    EXPECT_EQ(Faults(*graph), "") << row.bytes;
  }
}

TEST(GraphFaults, TellsHowMany) {
  const TempTree tree;
  const auto graph = OpenGraph(tree.Write(
      "a.txt",
      "op { name: 'a' input: 'p:0' } op { name: 'a' input: 'q:0' }\n"
      "op { name: 'a' input: 'b:0' } op { name: 'b' input: 'b:0' }\n"
      "op { name: 'c' input: 'd:0' } op { name: 'd' input: 'c:0' }"));
  ASSERT_TRUE(graph) << graph.error().Text();
  EXPECT_EQ(
      Faults(*graph),
      "operator 'a' is there twice (the first of 2) (byte 33) (line 1)\n"
      "the other is at line 1; inputs are named after operators, so a graph "
      "has each name once\n"
      "operator 'a' takes input 0 from 'p', which is not there (the first of "
      "2) (byte 3) (line 1)\n"
      "no operator of the file has that name; was a part of it cut off?\n"
      "operator 'b' waits for its own output: b -> b (the first of 2) (byte "
      "93) (line 2)\n"
      "only loops through NextIteration may close a circle\n");
}

// Names go to a terminal.
TEST(GraphFaults, NamesArePrintable) {
  const TempTree tree;
  const auto graph =
      OpenGraph(tree.Write("a.txt", "op { name: 'a' input: '\\033[2J:0' }"));
  ASSERT_TRUE(graph) << graph.error().Text();
  EXPECT_EQ(graph->faults.at(0).what,
            "operator 'a' takes input 0 from '\\x1b[2J', which is not there");
}

// Nothing recurses.
TEST(GraphFaults, LongCircle) {
  std::string text = "op { name: '0' input: '199999:0' }";
  for (int i = 1; i < 200000; ++i) {
    text += fmt::format("op {{ name: '{}' input: '{}:0' }}\n", i, i - 1);
  }
  const TempTree tree;
  const auto graph = OpenGraph(tree.Write("a.txt", text));
  ASSERT_TRUE(graph) << graph.error().Text();
  ASSERT_EQ(graph->faults.size(), 1u);
  EXPECT_EQ(graph->faults[0].what,
            "operator '0' waits for its own output: 0 -> 1 -> 2 -> 3 -> 4 -> 5 "
            "-> 6 -> 7 -> ... -> 0");
}

}  // namespace
}  // namespace assay
