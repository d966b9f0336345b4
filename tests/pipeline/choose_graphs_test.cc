#include "pipeline/choose_graphs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "temp_tree.h"

namespace assay {
namespace {

std::string GraphText(std::string_view name,
                      const std::vector<std::string>& ops) {
  std::string text = fmt::format("graph {{ name: \"{}\"\n", name);
  for (const std::string& op : ops) {
    text += fmt::format("op {{ name: \"{0}\" type: \"{0}\" }}\n", op);
  }
  return text + "}\n";
}

Dump DumpOf(std::string_view model, const std::vector<std::string>& ops) {
  Dump dump{.kind = "ascend"};
  for (const std::string& op : ops) {
    TensorInfo& t = dump.tensors.emplace_back();
    t.id.op = dump.names.Intern(op);
    t.id.graph = dump.names.Intern(model);
    t.id.port = Port::kOutput;
    t.id.index = 0;
  }
  return dump;
}

std::string Chosen(const std::string& asked, Dump& dump) {
  const Status status = ChooseGraphs(asked, "target", dump, [](const auto&) {});
  if (!status) return status.error().what;
  std::string names;
  for (const auto& graph : dump.graphs) {
    names += graph->file.substr(graph->file.rfind('/') + 1) + " ";
  }
  return names;
}

TEST(ChooseGraphs, TakesTheBuiltGraphOfTheModel) {
  const TempTree tree;
  tree.Write("ge_proto_00000001_PreRunBegin.txt", GraphText("net", {"a", "b"}));
  tree.Write("ge_proto_00000005_graph_1_Build.txt", GraphText("net", {"a"}));
  tree.Write("ge_proto_00000007_graph_2_build.txt",
             GraphText("other", {"a", "b"}));
  // The model's name counts more than the operators.
  Dump named = DumpOf("net", {"a", "b"});
  EXPECT_EQ(Chosen(tree.path(), named), "ge_proto_00000005_graph_1_Build.txt ");
  Dump nameless = DumpOf("", {"a", "b"});
  EXPECT_EQ(Chosen(tree.path(), nameless),
            "ge_proto_00000007_graph_2_build.txt ");
  Dump strange = DumpOf("x", {"z"});
  EXPECT_EQ(Chosen(tree.path(), strange),
            "no graph in this folder has an operator of the dump");
}

TEST(ChooseGraphs, OfEqualOnesTheOneThatReadsData) {
  const TempTree tree;
  tree.Write("ge_proto_00000001_Build.txt", GraphText("g1", {"a"}));
  tree.Write("ge_proto_00000002_Build.txt",
             GraphText("g2", {"a", "IteratorV2"}));
  tree.Write("ge_proto_00000003_Build.txt", GraphText("g3", {"a"}));
  Dump dump = DumpOf("model", {"a"});
  EXPECT_EQ(Chosen(tree.path(), dump), "ge_proto_00000002_Build.txt ");
}

// A compiler writes each graph in two forms; one may leave the strings out.
TEST(ChooseGraphs, OfOneGraphTheFormThatNamesTheOriginals) {
  const TempTree tree;
  tree.Write("ge_onnx_00000001_graph_1_Build.pbtxt",
             R"(graph { name: "net"
                node { op_type: "ge:A" name: "a" } })");
  tree.Write("ge_proto_00000001_graph_1_Build.txt",
             "graph { name: 'net' op { name: 'a' type: 'A' attr {\n"
             "key: '_datadump_original_op_names' value { list { s: 'x' } }\n"
             "} } }\n");
  Dump dump = DumpOf("net", {"a"});
  EXPECT_EQ(Chosen(tree.path(), dump), "ge_proto_00000001_graph_1_Build.txt ");
}

// Two models have operators of the same names, and one of them has no graph.
TEST(ChooseGraphs, AGraphWithTheNameOfAModelIsNoOtherModels) {
  const TempTree tree;
  tree.Write("g.txt", GraphText("net_1_2", {"a"}));
  Dump dump = DumpOf("net_9_2", {"a"});
  TensorInfo other = dump.tensors[0];
  other.id.graph = dump.names.Intern("net_9_12");
  dump.tensors.push_back(other);
  dump.graph_files = {tree / "g.txt"};
  EXPECT_EQ(Chosen("", dump), "g.txt ");
  EXPECT_EQ(dump.graph_of.size(), 1u);
  EXPECT_TRUE(dump.graph_of.contains(dump.tensors[0].id.graph));
  NameByGraphs(dump);
  EXPECT_EQ(dump.tensors[0].id.order_from, OrderFrom::kGraph);
  EXPECT_EQ(dump.tensors[1].id.order_from, OrderFrom::kNone);
}

TEST(ChooseGraphs, TakesWhatIsAskedForOrFoundBeside) {
  const TempTree tree;
  tree.Write("graph.txt", GraphText("net", {"other"}));
  Dump dump = DumpOf("model", {"a"});
  EXPECT_EQ(Chosen(tree / "graph.txt", dump), "graph.txt ");
  Dump beside = DumpOf("model", {"scope_other"});
  beside.graph_files = {tree / "graph.txt"};
  EXPECT_EQ(Chosen("", beside), "");
  tree.Write("graph.txt", GraphText("net", {"scope/other"}));
  EXPECT_EQ(Chosen("", beside), "graph.txt ");
  NameByGraphs(beside);
  EXPECT_EQ(beside.NameOf(beside.tensors[0]), "scope/other:output:0");
  EXPECT_EQ(beside.tensors[0].id.order_from, OrderFrom::kGraph);
  EXPECT_EQ(Chosen(tree / "missing.txt", dump),
            "cannot open: No such file or directory");
}

// Folders that are called otherwise, and an operator that both models have.
TEST(ChooseGraphs, EachModelIsNamedByTheGraphThatWasChosenForIt) {
  const TempTree tree;
  tree.Write("ge_proto_00000001_Build.txt", GraphText("g1", {"a", "same"}));
  tree.Write("ge_proto_00000002_Build.txt",
             "graph { name: 'g2' op { name: 'b' type: 'b' }\n"
             "op { name: 'same' type: 'Exp' id: 7 } }\n");
  Dump dump = DumpOf("first", {"a", "same"});
  const Dump second = DumpOf("second", {"b", "same"});
  for (TensorInfo t : second.tensors) {
    t.id.op = dump.names.Intern(second.names[t.id.op]);
    t.id.graph = dump.names.Intern("second");
    dump.tensors.push_back(t);
  }
  EXPECT_EQ(Chosen(tree.path(), dump),
            "ge_proto_00000001_Build.txt ge_proto_00000002_Build.txt ");
  NameByGraphs(dump);
  EXPECT_EQ(dump.names[dump.tensors[1].id.type], "same");
  EXPECT_EQ(dump.names[dump.tensors[3].id.type], "Exp");
  EXPECT_EQ(dump.tensors[3].id.order, 7);
}

}  // namespace
}  // namespace assay
