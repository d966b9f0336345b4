// Filters, names, groups, differences and pictures of graphs.
#include <gtest/gtest.h>

#include "pipeline/graph_diff.h"
#include "pipeline/graph_dot.h"
#include "pipeline/graph_groups.h"
#include "pipeline/graph_select.h"

namespace assay {
namespace {

// Operators written as "name type a:0 b:1 c:-1".
Graph Make(const std::vector<std::string>& lines) {
  Graph graph;
  graph.file = "g.json";
  graph.parts.push_back({.name = graph.names.Intern("net")});
  for (const std::string& line : lines) {
    std::istringstream in(line);
    std::string name, type;
    in >> name >> type;
    Operator op{.name = graph.names.Intern(name),
                .type = graph.names.Intern(type)};
    for (std::string edge; in >> edge;) {
      const size_t colon = edge.rfind(':');
      op.inputs.push_back({graph.names.Intern(edge.substr(0, colon)),
                           std::stoi(edge.substr(colon + 1))});
      op.input_tensors.push_back({.dtype = graph.names.Intern("DT_FLOAT")});
    }
    op.output_tensors.push_back({.dtype = graph.names.Intern("DT_FLOAT")});
    graph.operators.push_back(std::move(op));
  }
  graph.Finish();
  return graph;
}

Operator& At(Graph& graph, std::string_view name) {
  return const_cast<Operator&>(*graph.Find(name));
}

std::vector<NameId> Names(Graph& graph, const std::vector<std::string>& names) {
  std::vector<NameId> ids;
  for (const std::string& name : names) ids.push_back(graph.names.Intern(name));
  return ids;
}

std::string NamesOf(const Graph& graph, const std::vector<uint32_t>& ops) {
  std::string text;
  for (const uint32_t i : ops) {
    if (!text.empty()) text += ' ';
    text += graph.Text(graph.operators[i].name);
  }
  return text;
}

TEST(GraphSelect, ByNameTypePassKernel) {
  Graph graph = Make({"conv1 Conv2D", "scope/add Add", "add_n AddN"});
  At(graph, "conv1").passes = Names(graph, {"PassA", "PassB"});
  At(graph, "conv1").kernel = graph.names.Intern("te_conv2d_0");
  const struct {
    OperatorFilter filter;
    std::string found;
  } kRows[] = {
      {{}, "conv1 scope/add add_n"},
      {{.name = "^add"}, "add_n"},
      {{.name = "add"}, "scope/add add_n"},
      {{.type = "Add"}, "scope/add add_n"},
      {{.pass = "PassB"}, "conv1"},
      {{.pass = "Pass"}, ""},
      {{.kernel = "conv2d"}, "conv1"},
      {{.name = "add", .type = "AddN"}, "add_n"},
  };
  for (const auto& row : kRows) {
    const auto found = SelectOperators(graph, row.filter);
    ASSERT_TRUE(found);
    EXPECT_EQ(NamesOf(graph, *found), row.found);
  }
  EXPECT_FALSE(SelectOperators(graph, {.name = "("}));
  EXPECT_EQ(NearestFilter(graph, {.pass = "PassC"}), "did you mean 'PassA'?");
}

TEST(GraphFind, ExactThenUnderscoredThenHints) {
  const Graph graph = Make({"a/b X", "a_b X", "a.c X", "a.c X"});
  const struct {
    std::string name, found;
    bool exact;
  } kRows[] = {{"a/b", "a/b", true},
               {"a_b", "a_b", true},
               {"a.b", "a/b a_b", false},
               {"a_c", "a.c a.c", false}};
  for (const auto& row : kRows) {
    const auto found = FindOperators(graph, row.name);
    ASSERT_TRUE(found) << row.name;
    EXPECT_EQ(NamesOf(graph, found->operators), row.found) << row.name;
    EXPECT_EQ(found->exact, row.exact) << row.name;
  }
  EXPECT_EQ(FindOperators(graph, "B").error().hint,
            "did you mean 'a/b', 'a_b'?");
  EXPECT_EQ(FindOperators(graph, "zzz").error().hint,
            "'assay graph ls g.json' shows all");
}

TEST(GraphGroups, EveryKind) {
  Graph graph =
      Make({"plain X", "crb Conv2D", "big_a X", "big_b X", "mm_1 X", "mm_2 X",
            "l1_a X", "l1_b X", "auto AscBackend", "cast Cast", "renamed X"});
  At(graph, "crb").originals = Names(graph, {"conv", "relu", "conv"});
  At(graph, "big_a").originals = Names(graph, {"big"});
  At(graph, "big_b").originals = Names(graph, {"big"});
  At(graph, "mm_1").originals = Names(graph, {"p", "q"});
  At(graph, "mm_2").originals = Names(graph, {"p", "q"});
  At(graph, "l1_a").l1 = At(graph, "l1_b").l1 = graph.names.Intern("7");
  At(graph, "auto").originals = Names(graph, {"add"});
  At(graph, "cast").originals = Names(graph, {});
  At(graph, "renamed").originals = Names(graph, {"old"});
  const std::vector<FusionGroup> groups = FindFusionGroups(graph);
  const struct {
    std::string_view kind;
    std::string members;
    size_t originals;
  } kRows[] = {{"many-to-one", "crb", 2},
               {"one-to-many", "big_a big_b", 1},
               {"many-to-many", "mm_1 mm_2", 2},
               {"l1", "l1_a l1_b", 2},
               {"auto-fusion", "auto", 1}};
  ASSERT_EQ(groups.size(), std::size(kRows));
  for (size_t i = 0; i < groups.size(); ++i) {
    EXPECT_EQ(groups[i].kind, kRows[i].kind);
    EXPECT_EQ(NamesOf(graph, groups[i].operators), kRows[i].members);
    EXPECT_EQ(groups[i].originals.size(), kRows[i].originals) << i;
  }
}

TEST(GraphDiff, OnlyChangedEqual) {
  const Graph a = Make({"x Data", "c Conv2D x:0", "r Relu c:0", "t Cast r:0"});
  Graph b = Make(
      {"x Data", "c Conv2D x:0", "r Relu6 c:0", "n Add r:0", "t Cast r:0"});
  At(b, "c").output_tensors[0].layout = b.names.Intern("NCHW");
  At(b, "t").input_tensors[0].dtype = b.names.Intern("DT_INT8");
  const GraphDiff diff = DiffGraphs(a, b);
  EXPECT_TRUE(diff.only_a.empty());
  EXPECT_EQ(NamesOf(b, diff.only_b), "n");
  ASSERT_EQ(diff.changed.size(), 3u);
  EXPECT_EQ(diff.changed[0].changes[0].what, "output 0 layout");
  EXPECT_EQ(diff.changed[0].changes[0].b, "NCHW");
  EXPECT_EQ(diff.changed[1].changes[0].what, "type");
  EXPECT_EQ(diff.changed[2].changes[0].what, "input 0 dtype");
  EXPECT_EQ(diff.same_name, 4u);
  EXPECT_EQ(diff.judged, 3u);  // not the Cast
  EXPECT_EQ(diff.equal, 1u);
  EXPECT_NEAR(diff.Similarity(), 33.333, 0.001);
  EXPECT_FALSE(DiffGraphs(a, a).Different());
  EXPECT_EQ(DiffGraphs(a, a).Similarity(), 100);
}

// Operators of one name in two parts are two operators.
TEST(GraphDiff, PartsBySession) {
  const auto make = [](const std::string& first, const std::string& second) {
    Graph graph = Make({"x X", "x Y"});
    graph.operators[1].part = 1;
    graph.parts.push_back({.name = graph.names.Intern("sub")});
    const NameId key = graph.names.Intern("_session_graph_id");
    graph.parts[0].attrs = {{key, graph.names.Intern(first)}};
    graph.parts[1].attrs = {{key, graph.names.Intern(second)}};
    return graph;
  };
  EXPECT_FALSE(DiffGraphs(make("0_1", "0_2"), make("0_1", "0_2")).Different());
  const GraphDiff swapped = DiffGraphs(make("0_1", "0_2"), make("0_2", "0_1"));
  EXPECT_EQ(swapped.changed.size(), 2u);
}

TEST(GraphDot, LevelsOrderAndCircles) {
  const Graph graph =
      Make({"a X d:0", "b X a:0", "c X b:0 a:-1", "d X c:0", "e X gone:0"});
  const GraphIndex index(graph);
  const uint32_t b = 1;
  EXPECT_EQ(NamesOf(graph, FindNeighbours(graph, index, b, 0).operators), "b");
  EXPECT_EQ(NamesOf(graph, FindNeighbours(graph, index, b, 1).operators),
            "b a c");
  const Neighbourhood all = FindNeighbours(graph, index, b, 1000000);
  EXPECT_EQ(NamesOf(graph, all.operators), "b a c d");
  EXPECT_EQ(all.edges.size(), 5u);
  EXPECT_NE(DotText(graph, all).find("n0 -> n2 [style=dashed]"),
            std::string::npos);
}

TEST(GraphDot, NamesAreShielded) {
  Graph graph = Make({"x X"});
  graph.operators[0].name = graph.names.Intern("a\"];evil [\\\n\xff");
  const GraphIndex index(graph);
  const std::string dot = DotText(graph, FindNeighbours(graph, index, 0, 1));
  EXPECT_NE(dot.find(R"(\na\"];evil [\\ �")"), std::string::npos) << dot;
}

TEST(GraphDot, IsCutWhenTooLarge) {
  std::vector<std::string> lines = {"hub X"};
  for (int i = 0; i < 1000; ++i) lines.push_back(fmt::format("u{} X hub:0", i));
  const Graph graph = Make(lines);
  const GraphIndex index(graph);
  const Neighbourhood around = FindNeighbours(graph, index, 0, 2);
  EXPECT_TRUE(around.cut);
  EXPECT_LT(around.operators.size(), 1000u);
}

}  // namespace
}  // namespace assay
