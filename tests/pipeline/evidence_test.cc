#include "pipeline/evidence.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

using Rows = std::vector<uint32_t>;
using Graphs = std::vector<std::shared_ptr<const Graph>>;

Place At(std::string_view op, Port port, int32_t index = 0, int32_t step = -1) {
  return {.op = op, .port = port, .index = index, .step = step};
}

std::vector<Ingredients> Linked(const std::vector<Place>& places,
                                const Graphs& graphs = {}) {
  return LinkRows(places, std::vector<bool>(places.size(), true),
                  Dump{.graphs = graphs});
}

// op type input...
Graphs MakeGraph(const std::vector<std::vector<std::string>>& ops,
                 std::string_view name = "") {
  auto graph = std::make_shared<Graph>();
  graph->parts.push_back({.name = graph->names.Intern(name)});
  for (const auto& words : ops) {
    Operator op{.name = graph->names.Intern(words[0]),
                .type = graph->names.Intern(words[1])};
    for (size_t i = 2; i < words.size(); ++i) {
      op.inputs.push_back({graph->names.Intern(words[i]), 0});
    }
    graph->operators.push_back(std::move(op));
  }
  graph->Finish();
  return {graph};
}

TEST(Evidence, DumpedInputsOfTheSameInstance) {
  const auto links =
      Linked({At("a", Port::kInput, 0, 1), At("a", Port::kInput, 1, 1),
              At("a", Port::kOutput, 0, 1), At("a", Port::kInput, 0, 2),
              At("a", Port::kOutput, 0, 2), At("b", Port::kOutput, 0, 1),
              At("none", Port::kNone)});
  EXPECT_EQ(links[2].rows, (Rows{0, 1}));
  EXPECT_TRUE(links[2].complete);
  EXPECT_EQ(links[4].rows, (Rows{3}));
  EXPECT_TRUE(links[5].rows.empty());
  EXPECT_TRUE(links[6].rows.empty());
}

TEST(Evidence, AGapIsAnInputThatWasNotCompared) {
  const auto links = Linked({At("a", Port::kInput, 1), At("a", Port::kOutput)});
  EXPECT_EQ(links[1].rows, (Rows{0}));
  EXPECT_FALSE(links[1].complete);
}

// Operators of one name in two models have producers of their own.
TEST(Evidence, ProducersInTheGraphOfTheModel) {
  Graphs graphs = MakeGraph({{"x", "Data"}, {"a", "Relu", "x"}}, "first");
  graphs.push_back(MakeGraph({{"y", "Data"}, {"a", "Exp", "y"}}, "second")[0]);
  std::vector<Place> places = {At("x", Port::kOutput), At("y", Port::kOutput),
                               At("a", Port::kOutput)};
  for (Place& place : places) place.graph = "second";
  EXPECT_EQ(Linked(places, graphs)[2].rows, (Rows{1}));
}

// a -> call { arg -> b -> result } -> c
TEST(Evidence, ProducersInsideAndOutsideASubgraph) {
  auto graph = std::make_shared<Graph>();
  const auto name = [&](std::string_view text) {
    return graph->names.Intern(text);
  };
  graph->parts = {{.name = name("net")}, {.name = name("inner")}};
  const auto add = [&](std::string_view op, uint32_t part,
                       std::vector<GraphEdge> inputs) -> Operator& {
    return graph->operators.emplace_back(Operator{.name = name(op),
                                                  .type = name(op),
                                                  .part = part,
                                                  .inputs = std::move(inputs)});
  };
  add("a", 0, {});
  add("call", 0, {{name("a"), 0}}).subgraphs = {name("inner")};
  add("c", 0, {{name("call"), 0}});
  add("arg", 1, {}).parent_input = 0;
  add("b", 1, {{name("arg"), 0}});
  add("inner_Node_Output", 1, {{name("b"), 0}});
  graph->Finish();
  const auto links = Linked({At("a", Port::kOutput), At("b", Port::kOutput),
                             At("c", Port::kOutput), At("c", Port::kInput)},
                            {graph});
  EXPECT_EQ(links[1].rows, (Rows{0}));
  EXPECT_EQ(links[3].rows, (Rows{1}));
  EXPECT_TRUE(links[1].complete && links[1].through.empty());
  const auto outputs =
      Linked({At("b", Port::kOutput), At("c", Port::kOutput)}, {graph});
  EXPECT_EQ(outputs[1].rows, (Rows{0}));
}

TEST(Evidence, ProducersThroughOperatorsWithoutRows) {
  const Graphs graphs = MakeGraph({{"x", "Data"},
                                   {"a", "Conv2D", "x", "w"},
                                   {"w", "Const"},
                                   {"cast", "Cast", "a"},
                                   {"big", "MatMul", "cast"},
                                   {"b", "Relu", "cast"},
                                   {"c", "Add", "b", "big"}});
  const auto links = Linked(
      {At("x", Port::kOutput), At("a", Port::kOutput), At("b", Port::kOutput),
       At("c", Port::kOutput), At("b", Port::kInput)},
      graphs);
  EXPECT_EQ(links[1].rows, (Rows{0}));
  EXPECT_TRUE(links[1].complete);  // weights are no ingredient
  EXPECT_EQ(links[4].rows, (Rows{1}));
  EXPECT_EQ(links[2].rows, (Rows{4}));
  EXPECT_EQ(links[3].rows, (Rows{1, 2}));
  EXPECT_EQ(links[3].through, std::vector<std::string>{"big"});
}

// Nothing is known of x, but it is the network's input.
TEST(Evidence, TheFirstOperatorIsMadeFromWeightsAndInputs) {
  const Graphs graphs = MakeGraph({{"x", "Data"},
                                   {"w", "Const"},
                                   {"a", "MatMul", "x", "w"},
                                   {"b", "Cast", "w"},
                                   {"c", "Dropout", "mask"},
                                   {"mask", "RandomUniform"}});
  const auto links = Linked(
      {At("a", Port::kOutput), At("b", Port::kOutput), At("c", Port::kOutput),
       At("x", Port::kOutput, 1), At("a", Port::kInput, 0)},
      graphs);
  EXPECT_TRUE(links[1].rows.empty() && links[1].traced && links[1].complete);
  EXPECT_TRUE(links[1].through.empty());
  EXPECT_FALSE(links[2].complete);
  EXPECT_FALSE(links[3].traced);
  EXPECT_FALSE(links[4].traced);
  const auto first = Linked({At("a", Port::kOutput)}, graphs);
  EXPECT_TRUE(first[0].rows.empty() && first[0].traced && first[0].complete);
  EXPECT_EQ(first[0].through, std::vector<std::string>{"x"});
}

// One input of each was compared; the graph tells of the other.
TEST(Evidence, TheGraphTellsOfInputsThatWereNotCompared) {
  const Graphs graphs = MakeGraph({{"w", "Const"},
                                   {"y", "Relu", "lost"},
                                   {"a", "MatMul", "w", "y"},
                                   {"b", "Add", "y", "y"},
                                   {"c", "Add", "y", "lost"}});
  const auto links = Linked({At("a", Port::kInput, 1), At("a", Port::kOutput),
                             At("b", Port::kInput, 0), At("b", Port::kOutput),
                             At("c", Port::kInput, 0), At("c", Port::kOutput),
                             At("y", Port::kOutput)},
                            graphs);
  EXPECT_EQ(links[1].rows, (Rows{0}));
  EXPECT_TRUE(links[1].complete);
  EXPECT_EQ(links[3].rows, (Rows{2, 6}));
  EXPECT_TRUE(links[3].complete);
  EXPECT_FALSE(links[5].complete);
}

TEST(Evidence, CyclesAndMissingProducersEnd) {
  const Graphs graphs = MakeGraph({{"p", "Cast", "q"},
                                   {"q", "Cast", "p"},
                                   {"a", "Relu", "p"},
                                   {"self", "Merge", "self"},
                                   {"lost", "Relu", "nowhere"}});
  const auto links = Linked({At("a", Port::kOutput), At("self", Port::kOutput),
                             At("lost", Port::kOutput)},
                            graphs);
  for (const Ingredients& link : links) EXPECT_TRUE(link.rows.empty());
  EXPECT_FALSE(links[2].complete);
}

TEST(Evidence, InputsFindTheirProducerByContent) {
  const std::vector<Place> places = {At("a", Port::kOutput, 0, 1),
                                     At("b", Port::kInput, 0, 1),
                                     At("b", Port::kInput, 0, 2)};
  std::vector<TensorFacts> facts(3, {.measured = true, .content = 42});
  std::vector<Ingredients> links = Linked(places);
  LinkByContent(places, facts, std::vector<bool>(3, true), links);
  EXPECT_EQ(links[1].rows, (Rows{0}));
  EXPECT_TRUE(links[2].rows.empty());  // another step
}

}  // namespace
}  // namespace assay
