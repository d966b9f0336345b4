// GE models as text and as JSON: the same graph, whatever the file.
#include <gtest/gtest.h>

#include "graphs/graph_kind.h"
#include "graphs/graph_lines.h"
#include "temp_file.h"
#include "test_paths.h"

namespace assay {
namespace {

const std::string kData = TestData("graphs/");

Graph Open(const std::string& path) {
  Result<Graph> graph = OpenGraph(path);
  EXPECT_TRUE(graph) << path << ": " << graph.error().Text();
  return graph ? *std::move(graph) : Graph();
}

Graph OpenText(const std::string& text) {
  const TempFile file(".txt", text);
  return Open(file.path());
}

Graph OpenJson(const std::string& text) {
  const TempFile file(".json", text);
  return Open(file.path());
}

std::vector<std::string> Lines(const Graph& graph) {
  return GraphLines{}(graph);
}

TEST(GeModel, TextAndItsJsonAreEqual) {
  const Graph text = Open(kData + "ge_proto_00000005_Build.txt");
  const Graph json = Open(kData + "ge_proto_00000005_Build.txt.json");
  EXPECT_EQ(text.kind, "ge-text");
  EXPECT_EQ(json.kind, "ge-json");
  EXPECT_EQ(text.operators.size(), 21u);
  // The text has no tensors of inputs, the other has.
  EXPECT_EQ(GraphLines{.inputs = false}(text),
            GraphLines{.inputs = false}(json));
  const Graph fused = Open(kData + "fused.json");
  const GraphLines both = {.attrs = false, .inputs = false, .outputs = false};
  EXPECT_EQ(both(text), both(fused));
}

TEST(GeModel, KeepsWhatPairingNeeds) {
  const Graph graph = Open(kData + "ge_proto_00000005_Build.txt");
  EXPECT_EQ(graph.Text(graph.name), "net");
  EXPECT_EQ(graph.Text(graph.parts[0].name), "net_NPU_0");
  EXPECT_EQ(graph.Attr(graph.attrs, "framework_type"), "Onnx");
  const Operator* op = graph.Find("conv1bn1relu1");
  ASSERT_NE(op, nullptr);
  EXPECT_EQ(graph.Text(op->type), "Conv2D");
  EXPECT_EQ(GraphLines::Names(graph, *op->originals), "[conv1,bn1,relu1,]");
  EXPECT_EQ(GraphLines::Names(graph, op->passes),
            "[ConvBatchnormFusionPass,TbeConvReluFusionPass,]");
  EXPECT_EQ(graph.Text(op->kernel_library), "AIcoreEngine");
  EXPECT_EQ(graph.Text(op->kernel), "te_conv2d_0");
  const GraphTensor& out = op->output_tensors[0];
  EXPECT_EQ(graph.Text(out.origin), "relu1");
  EXPECT_EQ(out.origin_index, 0);
  EXPECT_EQ(graph.Text(out.origin_layout), "NCHW");
  EXPECT_EQ(out.origin_shape, (Shape{1, 8, 6, 6}));
  EXPECT_EQ(out.shape, (Shape{1, 1, 6, 6, 16}));
  // Inserted by the compiler: a list, and nothing in it.
  EXPECT_EQ(graph.Find("trans_TransData_0")->originals, std::vector<NameId>());
  EXPECT_EQ(graph.Find("scope/split1")->originals, std::nullopt);
  EXPECT_TRUE(graph.Find("mm_1")->multi_op);
  EXPECT_EQ(graph.Text(graph.Find("l1_a")->l1), "7");
  EXPECT_EQ(graph.Find("input")->id, 0);
}

TEST(GeModel, ReadsGraphsThatStandAlone) {
  for (const char* name : {"dynamo_original_graph_1_rank_0.txt",
                           "dynamo_original_graph_1_off.txt"}) {
    const Graph graph = Open(kData + name);
    EXPECT_EQ(graph.kind, "ge-text");
    EXPECT_EQ(graph.Text(graph.name), "graph_1");
    ASSERT_EQ(graph.parts.size(), 1u);
    EXPECT_EQ(graph.Text(graph.parts[0].name), "graph_1");
    EXPECT_TRUE(graph.warnings.empty()) << graph.warnings[0];
    size_t tagged = 0;
    for (const Operator& op : graph.operators) {
      for (const GraphTensor& tensor : op.output_tensors) {
        if (tensor.fx == kNoName) continue;
        ++tagged;
        EXPECT_NE(graph.Text(tensor.fx).find(".OUTPUT."), std::string::npos);
      }
    }
    EXPECT_GT(tagged, 3u);
  }
  const Graph graph = Open(kData + "dynamo_original_graph_1_rank_0.txt");
  const Operator* add = graph.Find("Add");
  ASSERT_NE(add, nullptr);
  EXPECT_EQ(GraphLines::Edges(graph, add->inputs), "[arg0_1:0,arg1_1:0,]");
}

TEST(GeModel, ReadsRulesOfQuantisedModels) {
  const Graph graph = Open(kData + "quant.json");
  EXPECT_EQ(graph.operators.size(), 6u);
  const Operator* op = graph.Find("conv1_quant_layer");
  ASSERT_NE(op, nullptr);
  EXPECT_EQ(GraphLines::Names(graph, *op->originals), "[conv1,bn1,scale1,]");
  EXPECT_EQ(graph.Find("data")->originals, std::nullopt);
}

// The same model in the ways that the two forms allow.
TEST(GeModel, FormsMeanTheSame) {
  const std::vector<std::string> plain = Lines(OpenText(R"(
    name: "m"
    graph {
      name: "g"
      op {
        name: "a" type: "Relu" input: "x:0" input: "" input: "c:-1" id: 7
        attr { key: "n" value { i: -3 } }
        attr { key: "quote" value { s: "say \"hi\"\n" } }
        attr { key: "l" value { list { i: 1 i: 2 val_type: VT_LIST_INT } } }
        attr { key: "nothing" value { } }
        attr { key: "yes" value { b: true } }
        output_desc { dtype: DT_FLOAT16 shape { dim: 1 dim: -1 } layout: "ND" }
      }
    }
  )"));
  const std::string texts[] = {
      R"(name:'m' # a comment
         graph:<name:"g",op:{name:"a";type:"Re" 'lu' input:["x:0","","c:-1"]
         attr:[{key:"n" value{i:-0x3}},{key:"quote" value{s:'say "hi"\012'}}]
         attr{key:"l" value{list{i:[1,2] val_type:2}}}
         attr{key:"nothing"} attr{key:"yes" value{b:t}}
         output_desc{dtype:2 shape{dim:[1,-1]} layout:"ND"} id:07}>)",
  };
  for (const std::string& text : texts) EXPECT_EQ(Lines(OpenText(text)), plain);
  const std::string jsons[] = {
      R"({"name":"m","graph":[{"name":"g","op":[{"name":"a","type":"Relu",
        "input":["x:0","","c:-1"],"id":7,"attr":[
        {"key":"n","value":{"i":-3}},
        {"key":"quote","value":{"s":"say \\\"hi\\\"\\n"}},
        {"key":"l","value":{"list":{"i":[1,2],"val_type":"VT_LIST_INT"}}},
        {"key":"nothing","value":null},{"key":"yes","value":{"b":true}}],
        "output_desc":[{"dtype":"DT_FLOAT16","shape":{"dim":[1,-1]},
        "layout":"ND"}]}]}]})",
      // Other orders, numbers for words, nulls and empty lists.
      R"({"version":null,"graph":{"op":{"attr":[
        {"value":{"i":"-3"},"key":"n"},
        {"value":{"s":"say \\\"hi\\\"\\n"},"key":"quote"},
        {"value":{"list":{"i":[1,2],"s":[],"val_type":2}},"key":"l"},
        {"value":{},"key":"nothing"},{"value":{"b":1},"key":"yes"}],
        "id":"7","input":["x:0",null,"c:-1"],"input_desc":[],"name":"a",
        "output_desc":[{"dtype":2,"layout":"ND","shape":{"dim":[1,-1]}}],
        "subgraph_name":null,"type":"Relu"},"name":"g"},"name":"m"})",
  };
  for (const std::string& json : jsons) EXPECT_EQ(Lines(OpenJson(json)), plain);
}

TEST(GeModel, WordsAttributes) {
  const struct {
    std::string value, text;
  } kRows[] = {
      {R"({"s":"x"})", "x"},
      {R"({"i":0})", "0"},
      {R"({"b":false})", "false"},
      {R"({"f":"1e-05"})", "1e-05"},
      {R"({"dt":1})", "1"},
      {R"({"list":{"val_type":"VT_LIST_STRING"}})", "[]"},
      {R"({"list":{"s":["a","b"],"val_type":1}})", "[a,b]"},
      {R"({"list":{"f":[0.5,2],"val_type":3}})", "[0.5,2]"},
      {R"({"list":{"b":[true,false]}})", "[true,false]"},
      {R"({"list_list_int":{"list_list_i":[{"list_i":[1,5]},{"list_i":[2]}]}})",
       "[[1,5],[2]]"},
      {R"({"t":{"desc":{"dtype":"DT_FLOAT","shape":{"dim":[2]}},"data":"x"}})",
       "{desc:{dtype:DT_FLOAT,shape:{dim:2}}}"},
      {R"({"func":{"name":"f","attr":[]}})", "{name:f}"},
      {R"({"bt":"AAAA"})", ""},
      {R"({"g":{"name":"inner","op":[{"name":"z"}]}})", ""},
      {R"({"expression":"s0+1"})", "s0+1"},
      {R"({})", ""},
      {"null", ""},
  };
  for (const auto& row : kRows) {
    const Graph graph =
        OpenJson(R"({"graph":[{"op":[{"name":"a","attr":[{"key":"k","value":)" +
                 row.value + "}]}]}]}");
    ASSERT_EQ(graph.operators.size(), 1u) << row.value;
    EXPECT_EQ(graph.Attr(graph.operators[0].attrs, "k"), row.text) << row.value;
  }
}

TEST(GeModel, ChoosesTheOriginalLayout) {
  const auto layout = [](const std::string& attrs) {
    const Graph graph =
        OpenText("op { name: 'a' output_desc { " + attrs + " } }");
    return std::string(
        graph.Text(graph.operators[0].output_tensors[0].origin_layout));
  };
  const std::string first =
      "attr { key: '_datadump_origin_format' value { s: 'NCHW' } }";
  const std::string empty =
      "attr { key: '_datadump_origin_format' value { s: '' } }";
  const std::string second = "attr { key: 'origin_format' value { s: 'ND' } }";
  EXPECT_EQ(layout(first + second), "NCHW");
  EXPECT_EQ(layout(second + first), "NCHW");
  EXPECT_EQ(layout(empty + second), "ND");
  EXPECT_EQ(layout(second + empty), "ND");
  EXPECT_EQ(layout(""), "");
}

TEST(GeModel, FindsTheKernel) {
  const auto kernel = [](const std::string& key) {
    const Graph graph =
        OpenJson(R"({"graph":[{"op":[{"attr":[{"key":")" + key +
                 R"(","value":{"s":"te_1"}}],"name":"a/b"}]}]})");
    return std::string(graph.Text(graph.operators[0].kernel));
  };
  EXPECT_EQ(kernel("a/b_kernelname"), "te_1");
  EXPECT_EQ(kernel("_kernelname"), "te_1");
  EXPECT_EQ(kernel("a/b_atomic_kernelname"), "");
  EXPECT_EQ(kernel("_atomic_kernelname"), "");
  EXPECT_EQ(kernel("kernelname"), "");
}

TEST(GeModel, AnEmptyListOfAttributesIsAList) {
  const Graph graph = OpenJson(
      R"({"op":[{"output_desc":[{"attr":[]},{"attr":null},{},null]}]})");
  const std::vector<GraphTensor>& tensors = graph.operators[0].output_tensors;
  ASSERT_EQ(tensors.size(), 4u);
  EXPECT_TRUE(tensors[0].has_attrs);
  for (int i = 1; i < 4; ++i) EXPECT_FALSE(tensors[i].has_attrs) << i;
}

}  // namespace
}  // namespace assay
