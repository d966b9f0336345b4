// ONNX, GE's ONNX text and TensorFlow: real files, and damaged ones.
#include <gtest/gtest.h>

#include <algorithm>

#include "graphs/graph_kind.h"
#include "graphs/tf_graph.h"
#include "temp_tree.h"
#include "test_paths.h"

namespace assay {
namespace {

std::string Sample(const std::string& name) {
  return TestData("graphs/") + name;
}

Graph Open(const std::string& path) {
  Result<Graph> graph = OpenGraph(path);
  EXPECT_TRUE(graph) << graph.error().Text();
  return graph ? *std::move(graph) : Graph();
}

// "Conv(x:0 w:0 -)" of an operator.
std::string Line(const Graph& graph, std::string_view name) {
  const Operator* op = graph.Find(name);
  if (op == nullptr) return "not there";
  std::string text = std::string(graph.Text(op->type)) + "(";
  for (const GraphEdge& edge : op->inputs) {
    if (text.back() != '(') text += ' ';
    text += edge.op == kNoName
                ? "-"
                : fmt::format("{}:{}", graph.Text(edge.op), edge.index);
  }
  return text + ")";
}

std::string PartOf(const Graph& graph, std::string_view name) {
  return std::string(graph.Text(graph.parts[graph.Find(name)->part].name));
}

TEST(OnnxGraph, NodesInputsAndInitializers) {
  const Graph graph = Open(Sample("branches.onnx"));
  EXPECT_EQ(graph.kind, "onnx");
  EXPECT_EQ(graph.Text(graph.name), "net");
  EXPECT_TRUE(graph.warnings.empty());
  const struct {
    std::string name, line, part;
  } kRows[] = {
      {"x", "Data()", "net"},
      {"conv1.weight", "Const()", "net"},
      {"conv1", "Conv(x:0 conv1.weight:0 -)", "net"},
      {"Relu_1", "Relu(conv1:0)", "net"},  // it has no name in the file
      {"choose", "If(flag:0)", "net"},
      {"split", "Split(choose:0)", "net"},
      // Subgraphs see the tensors around them.
      {"inner_add", "Add(Relu_1:0 Relu_1:0)", "then"},
      {"Neg_0", "Neg(Relu_1:0)", "else"},
  };
  for (const auto& row : kRows) {
    ASSERT_EQ(Line(graph, row.name), row.line) << row.name;
    EXPECT_EQ(PartOf(graph, row.name), row.part) << row.name;
  }
}

TEST(OnnxGraph, TensorsAttributesResults) {
  const Graph graph = Open(Sample("branches.onnx"));
  const Operator& conv = *graph.Find("conv1");
  EXPECT_EQ(graph.Attr(conv.attrs, "kernel_shape"), "[3,3]");
  EXPECT_EQ(graph.Attr(conv.attrs, "auto_pad"), "VALID");
  EXPECT_EQ(graph.Text(conv.input_tensors[1].name), "conv1.weight");
  EXPECT_EQ(graph.Text(conv.input_tensors[1].dtype), "FLOAT");
  EXPECT_EQ(conv.input_tensors[1].shape, Shape({2, 3, 3, 3}));
  EXPECT_EQ(conv.input_tensors[0].shape, Shape({-1, 3, 8, 8}));
  EXPECT_EQ(graph.Attr(graph.Find("flag")->attrs, "value"), "BOOL[]");
  ASSERT_EQ(graph.parts[0].outputs.size(), 2u);
  EXPECT_EQ(graph.Text(graph.parts[0].outputs[0].op), "split");
  EXPECT_EQ(graph.parts[0].outputs[0].index, 1);
}

TEST(GeOnnxGraph, AttributesBecomeFields) {
  const Graph graph = Open(Sample("ge_onnx_00000005_graph_1_Build.pbtxt"));
  EXPECT_EQ(graph.kind, "ge-onnx");
  EXPECT_EQ(Line(graph, "conv1relu1"), "Conv2D(input:0 - init:-1)");
  const Operator& op = *graph.Find("conv1relu1");
  EXPECT_EQ(op.id, 3);
  EXPECT_EQ(op.stream, 2);
  EXPECT_EQ(graph.Text(op.kernel), "te_conv2d_0");
  EXPECT_EQ(graph.Text(op.kernel_library), "AIcoreEngine");
  ASSERT_TRUE(op.originals);
  ASSERT_EQ(op.originals->size(), 2u);
  EXPECT_EQ(graph.Text((*op.originals)[1]), "relu1");
  ASSERT_EQ(op.passes.size(), 1u);
  const GraphTensor& in = op.input_tensors[0];
  EXPECT_EQ(graph.Text(in.layout), "NC1HWC0");
  EXPECT_EQ(in.shape, Shape({1, 1, 8, 8, 16}));
  const GraphTensor& out = op.output_tensors[0];
  EXPECT_EQ(graph.Text(out.origin), "relu1");
  EXPECT_EQ(out.origin_index, 0);
  EXPECT_EQ(graph.Text(out.origin_layout), "NCHW");
  EXPECT_EQ(out.origin_shape, Shape({1, 8, 6, 6}));
  EXPECT_EQ(PartOf(graph, "arg"), "body");
  EXPECT_EQ(graph.Find("arg")->parent_input, 0);
}

TEST(TensorFlowGraph, EveryForm) {
  const struct {
    std::string file, name, line;
  } kRows[] = {
      {"frozen.pb", "sub", "Sub(split:1 split:0)"},
      {"frozen.pb", "conv1/Relu", "Relu(conv1/conv:0 init:-1)"},
      {"frozen.pbtxt", "sub", "Sub(split:1 split:0)"},
      {"frozen.pbtxt", "conv1/Relu", "Relu(conv1/conv:0 init:-1)"},
      {"model.meta", "mm", "MatMul(mm/ReadVariableOp:0 mm/ReadVariableOp_1:0)"},
      {"saved_model/saved_model.pb", "add", "AddV2(Relu:0 add/y:0)"},
      {"saved_model", "add", "AddV2(Relu:0 add/y:0)"},
  };
  for (const auto& row : kRows) {
    const Graph graph = Open(Sample(row.file));
    EXPECT_EQ(graph.kind, "tensorflow") << row.file;
    EXPECT_EQ(Line(graph, row.name), row.line) << row.file;
  }
}

TEST(TensorFlowGraph, TypesShapesFunctions) {
  const Graph frozen = Open(Sample("frozen.pb"));
  const GraphTensor& x = frozen.Find("x")->output_tensors[0];
  EXPECT_EQ(frozen.Text(x.dtype), "DT_FLOAT");
  EXPECT_EQ(x.shape, Shape({-1, 4, 4, 3}));
  const Operator& cast = *frozen.Find("half");
  EXPECT_EQ(frozen.Text(cast.output_tensors[0].dtype), "DT_HALF");
  const Graph saved = Open(Sample("saved_model"));
  EXPECT_EQ(PartOf(saved, "add"), "__inference_f_41");
  ASSERT_EQ(saved.Find("PartitionedCall")->subgraphs.size(), 1u);
  EXPECT_EQ(saved.Text(saved.Find("PartitionedCall")->subgraphs[0]),
            "__inference_signature_wrapper_47");
}

TEST(TensorFlowGraph, Edges) {
  const struct {
    std::string text, op;
    int index;
  } kRows[] = {{"a", "a", 0},
               {"a:2", "a", 2},
               {"^a", "a", -1},
               {"a/b:z:3", "a/b", 3},
               {"a:x", "a", 0},
               {"", "", 0},
               {"a:99999999999", "a", 0}};
  for (const auto& row : kRows) {
    NamePool names;
    const GraphEdge edge = tf::ParseEdge(row.text, names);
    EXPECT_EQ(names[edge.op], row.op) << row.text;
    EXPECT_EQ(edge.index, row.index) << row.text;
  }
}

// Cut anywhere, a file is an error with a place, or a smaller graph.
TEST(FrameworkGraphs, CutAnywhere) {
  const TempTree tree;
  for (const std::string name :
       {"branches.onnx", "frozen.pb", "model.meta", "frozen.pbtxt",
        "ge_onnx_00000005_graph_1_Build.pbtxt"}) {
    std::ifstream in(Sample(name), std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(in), {}};
    for (size_t size = 0; size < all.size(); size += 1 + all.size() / 150) {
      const auto graph = OpenGraph(
          tree.Write(fmt::format("{}_{}", size, name), all.substr(0, size)));
      if (graph) continue;
      EXPECT_FALSE(graph.error().what.empty()) << name << size;
      EXPECT_FALSE(graph.error().file.empty()) << name << size;
    }
  }
}

// Messages inside messages: tags `first`, then `again` in turn. Binary, so
// built from within.
std::string Nested(const std::string& first, const std::string& again,
                   size_t depth) {
  std::string out;  // backwards
  for (size_t i = depth; i-- > 0;) {
    std::string head(1, i < first.size()
                            ? first[i]
                            : again[(i - first.size()) % again.size()]);
    uint64_t length = out.size();
    for (; length >= 0x80; length >>= 7) {
      head += static_cast<char>(length | 0x80);
    }
    head += static_cast<char>(length);
    out.append(head.rbegin(), head.rend());
  }
  std::ranges::reverse(out);
  return out;
}

TEST(FrameworkGraphs, DeepBinaryNestingIsAnError) {
  constexpr size_t kDeep = 1000000;
  const struct {
    std::string name, bytes;
  } kRows[] = {
      // 7 graph; 1 node, 5 attribute, 6 g
      {"a.onnx", "\x08\x08" + Nested("\x3a", "\x0a\x2a\x32", kDeep)},
      // A good node; 1 node, 5 attr; 2 value, 10 func, 2 attr
      {"a.pb",
       "\x0a\x06\x0a\x01"
       "a\x12\x01X" +
           Nested("\x0a\x2a", "\x12\x52\x12", kDeep)},
  };
  const TempTree tree;
  for (const auto& row : kRows) {
    const auto graph = OpenGraph(tree.Write(row.name, row.bytes));
    ASSERT_FALSE(graph) << row.name;
    EXPECT_TRUE(graph.error().offset) << graph.error().Text();
  }
}

TEST(FrameworkGraphs, SaysWhatIsWrong) {
  std::string deep = "graph { name: 'a' ";
  for (int i = 0; i < 80; ++i) deep += "node { attribute { g { ";
  std::string nested;
  for (int i = 0; i < 1000000; ++i) nested += "{a";
  const struct {
    std::string name, bytes, error;
  } kRows[] = {
      {"a.onnx", "\x08\x08", "no graph in it"},
      {"a.onnx", std::string("\x08\x08\x3a\x7f", 4), "'graph' is longer"},
      {"a.pbtxt", deep + "op_type: \"ge:X\"", "graphs inside graphs, 64 deep"},
      {"a.pbtxt", "node { name: 'a' op: 'X'", ""},
      {"a.meta", std::string("\x0a\x01\x00", 3), "no node in it"},
      {"a.onnx", std::string("\x08\x08\x3a\x02\x0a\x00", 6),
       "a node has no op_type"},
      {"a.pbtxt", "node { name: 'a' }", "a node has no name or no op"},
      {"a.pbtxt", "node { name: 'a' op: 'b' } " + std::string(1000000, '{'),
       ""},
      {"a.pbtxt", "node { name: 'a' op: 'b' attr " + nested, ""},
  };
  const TempTree tree;
  for (const auto& row : kRows) {
    const auto graph = OpenGraph(tree.Write(row.name, row.bytes));
    ASSERT_FALSE(graph) << row.name << row.bytes.substr(0, 40);
    EXPECT_NE(graph.error().what.find(row.error), std::string::npos)
        << graph.error().Text();
  }
}

// What the debugger added to watch the network is not part of it.
TEST(TensorFlowGraph, AsTheDebuggerSawIt) {
  const Graph graph = Open(
      TestData("../cli/data/tfdbg/dump/run_1794959286444633_0/"
               "_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0/"
               "_tfdbg_graph_hash4866807444803905539_1794959286454417"));
  EXPECT_EQ(graph.kind, "tensorflow");
  EXPECT_EQ(graph.operators.size(), 15u);
  EXPECT_EQ(Line(graph, "net/mm"), "_MklMatMul(_arg_x_0_0:0 net/w:0)");
  EXPECT_EQ(Line(graph, "net/split"), "Split(net/split/split_dim:0 net/mm:0)");
  EXPECT_EQ(Line(graph, "net/sub"), "Sub(net/split:1 net/split:0)");
  EXPECT_EQ(Line(graph, "__copy_net/mm_0"), "not there");
}

}  // namespace
}  // namespace assay
