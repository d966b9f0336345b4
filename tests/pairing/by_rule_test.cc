#include "pairing/by_rule.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "pairing/dumps.h"
#include "pairing/rule_sets.h"
#include "pairing/tiny_graph.h"

namespace assay {
namespace {

struct Put {
  std::string op;
  Port port = Port::kOutput;
  int32_t index = 0;
  int32_t step = -1;
  std::string model{};
  int64_t time = 0;
};

Dump DumpOf(std::string kind, const std::vector<Put>& all) {
  Dump dump{.kind = std::move(kind)};
  for (const Put& put : all) {
    TensorInfo& t = dump.tensors.emplace_back();
    t.id.op = dump.names.Intern(put.op);
    t.id.graph = dump.names.Intern(put.model);
    t.id.port = put.port;
    t.id.index = put.index;
    t.id.step = put.step;
    t.id.order = static_cast<int64_t>(dump.times.size());  // of the graph
    t.id.order_from = OrderFrom::kGraph;
    dump.times.push_back(put.time);
    t.name = dump.names.Intern(
        fmt::format("{}:{}:{}@{}{}", put.op, Name(put.port), put.index,
                    put.model, put.step < 0 ? "" : std::to_string(put.step)));
    t.file = static_cast<uint32_t>(dump.files.size());
    dump.files.push_back(std::string(dump.NameOf(t)));
  }
  return dump;
}

std::set<std::string> PairsOf(const Dump& golden, const Dump& target,
                              const Pairing& pairing) {
  std::set<std::string> out;
  for (const Pair& p : pairing.pairs) {
    out.insert(fmt::format("{} = {}",
                           golden.NameOf(golden.tensors[p.golden.tensor]),
                           target.NameOf(target.tensors[p.target.tensor])));
  }
  return out;
}

std::string WhyNot(const Dump& dump, const std::vector<Unpaired>& all,
                   std::string_view name) {
  for (const Unpaired& u : all) {
    if (dump.NameOf(dump.tensors[u.tensor]) == name) return u.why;
  }
  return "paired";
}

// The ends are those of the time, whatever the graph's order is.
TEST(ByRule, OfAnL1FusionTheEndsAreCompared) {
  Dump golden = DumpOf("plain", {{"a"}, {"b"}, {"c"}});
  Dump target = DumpOf(
      "ascend",
      {{.op = "x", .time = 2}, {.op = "y", .time = 3}, {.op = "z", .time = 1}});
  RuleSet rules;
  const auto member = [](std::string name, std::string original) {
    return TinyGraph::Op{.name = std::move(name),
                         .originals = {{original}},
                         .outputs = {{original, 0}},
                         .l1 = "7"};
  };
  const Graph graph = TinyGraph()
                          .Add(member("x", "a"))
                          .Add(member("y", "b"))
                          .Add(member("z", "c"))
                          .Done();
  rules.Add(graph, FusionRule(graph));
  const auto pairing = PairByRule(golden, target, rules, {});
  ASSERT_TRUE(pairing);
  EXPECT_EQ(PairsOf(golden, target, *pairing),
            (std::set<std::string>{"b:output:0@ = y:output:0@",
                                   "c:output:0@ = z:output:0@"}));
  EXPECT_EQ(WhyNot(target, pairing->target, "x:output:0@"),
            "inside L1 fusion 7");
  EXPECT_EQ(WhyNot(golden, pairing->golden, "a:output:0@"),
            "fused away into x");
}

// Nobody dumped exp; of the other originals one has the right shape and kind.
TEST(ByRule, AnAutomaticFusionGuessesByShapeAndKind) {
  Dump golden = DumpOf("plain", {{"neg"}, {"ids"}, {"sum"}});
  Dump target = DumpOf("ascend", {{"fused"}});
  const auto become = [](TensorInfo& t, DType dtype, Shape shape) {
    t.stored.dtype = dtype;
    t.stored.shape = std::move(shape);
  };
  become(golden.tensors[0], DType::kF32, {2, 3});
  become(golden.tensors[1], DType::kI64, {2, 3});
  become(golden.tensors[2], DType::kF32, {2});
  become(target.tensors[0], DType::kF16, {2, 3});
  const Graph graph = TinyGraph()
                          .Add({.name = "fused",
                                .type = "AscBackend",
                                .originals = {{"neg", "ids", "sum", "exp"}},
                                .outputs = {{"exp", 0}}})
                          .Done();
  RuleSet rules;
  rules.Add(graph, FusionRule(graph));
  const auto pairing = PairByRule(golden, target, rules, {});
  ASSERT_TRUE(pairing);
  EXPECT_EQ(PairsOf(golden, target, *pairing),
            (std::set<std::string>{"neg:output:0@ = fused:output:0@"}));
  EXPECT_EQ(pairing->pairs[0].why->substr(0, 8), "guessed:");
  // Another output without a golden tensor may be the same original.
  TensorInfo second = target.tensors[0];
  second.id.index = 1;
  second.name = target.names.Intern("second");
  target.tensors.push_back(second);
  target.times.push_back(0);
  const auto two = PairByRule(golden, target, rules, {});
  ASSERT_TRUE(two);
  EXPECT_TRUE(two->pairs.empty());
}

TEST(ByRule, SaysWhatGoldenRunsDoNotDump) {
  Dump golden = DumpOf("plain", {{"a"}});
  Dump target = DumpOf("ascend", {{"a", Port::kInput, 0},
                                  {"a", Port::kInput, 1},
                                  {"a", Port::kInput, 2},
                                  {"a"}});
  const Graph graph = TinyGraph()
                          .Add({.name = "x", .type = "Data"})
                          .Add({.name = "w", .type = "Const"})
                          .Add({.name = "r", .type = "Relu"})
                          .Add({.name = "a", .inputs = {"x:0", "w:0", "r:0"}})
                          .Done();
  RuleSet rules;
  rules.Add(graph, FusionRule(graph));
  const auto pairing = PairByRule(golden, target, rules, {});
  ASSERT_TRUE(pairing);
  const std::pair<std::string, std::string> kRows[] = {
      {"a:input:0@", "no golden tensor: x is an input of the graph"},
      {"a:input:1@", "no golden tensor: w is a weight"},
      {"a:input:2@", "no golden tensor: r output 0 is not on the golden side"},
      {"a:output:0@", "paired"}};
  for (const auto& [name, why] : kRows) {
    EXPECT_EQ(WhyNot(target, pairing->target, name), why);
  }
}

TEST(ByRule, SaysWhatBecameOfGolden) {
  Dump golden = DumpOf("plain", {{"net_a"}, {"net_b"}, {"net_c"}, {"d"}});
  Dump target = DumpOf("ascend", {{"net_a"}});
  const Graph graph = TinyGraph()
                          .Add({.name = "net/a", .outputs = {{"net/a", 0}}})
                          .Add({.name = "net/b", .outputs = {{"net/b", 0}}})
                          .Add({.name = "x", .originals = {{"net/c", "e"}}})
                          .Done();
  RuleSet rules;
  rules.Add(graph, FusionRule(graph));
  const auto pairing = PairByRule(golden, target, rules, {});
  ASSERT_TRUE(pairing);
  const std::pair<std::string, std::string> kRows[] = {
      {"net_b", "its operator has no dump on the target side"},
      {"net_c", "fused away into x"},
      {"d", "no operator of the graph comes from it"}};
  for (const auto& [name, why] : kRows) {
    EXPECT_EQ(WhyNot(golden, pairing->golden, name + ":output:0@"), why);
  }
}

TEST(ByRule, EachModelHasItsGraphAndTheLastStepCounts) {
  Dump golden = DumpOf("plain", {{"p"}, {"q"}});
  Dump target =
      DumpOf("ascend", {{.op = "op", .step = 9, .model = "net_20240101_1"},
                        {.op = "op", .step = 10, .model = "net_20240101_1"},
                        {.op = "op", .step = 0, .model = "net_20240101_2"}});
  for (const auto& [name, origin] :
       {std::pair("net_20240102_1", "p"), std::pair("net_20240102_2", "q")}) {
    target.graphs.push_back(
        std::make_shared<const Graph>(TinyGraph(name)
                                          .Add({.name = "op",
                                                .originals = {{origin}},
                                                .outputs = {{origin, 0}}})
                                          .Done()));
  }
  const auto pairing = PairDumps(golden, target, {});
  ASSERT_TRUE(pairing);
  EXPECT_EQ(pairing->strategy, "batch");
  EXPECT_EQ(
      PairsOf(golden, target, *pairing),
      (std::set<std::string>{"p:output:0@ = op:output:0@net_20240101_110",
                             "q:output:0@ = op:output:0@net_20240101_20"}));
}

// The choice of the graphs counts, whatever they are called.
TEST(ByRule, EachModelHasTheGraphThatWasChosenForIt) {
  Dump golden = DumpOf("plain", {{"p"}, {"q"}});
  Dump target = DumpOf("ascend", {{.op = "op", .model = "first"},
                                  {.op = "op", .model = "second"}});
  for (const auto& [name, origin] :
       {std::pair("first", "q"), std::pair("other", "p")}) {
    target.graphs.push_back(
        std::make_shared<const Graph>(TinyGraph(name)
                                          .Add({.name = "op",
                                                .originals = {{origin}},
                                                .outputs = {{origin, 0}}})
                                          .Done()));
  }
  target.graph_of = {{target.names.Find("first"), target.graphs[1]},
                     {target.names.Find("second"), target.graphs[0]}};
  const auto pairing = PairDumps(golden, target, {});
  ASSERT_TRUE(pairing);
  EXPECT_EQ(PairsOf(golden, target, *pairing),
            (std::set<std::string>{"p:output:0@ = op:output:0@first",
                                   "q:output:0@ = op:output:0@second"}));
}

TEST(ByRule, TwoBuildsOfOneModel) {
  Dump golden = DumpOf("ascend", {{"conv1"}, {"relu1"}});
  Dump target = DumpOf("ascend", {{.op = "trans"},
                                  {.op = "conv1relu1", .port = Port::kInput},
                                  {.op = "conv1relu1"}});
  golden.graphs.push_back(std::make_shared<const Graph>(
      TinyGraph().Add({.name = "conv1"}).Add({.name = "relu1"}).Done()));
  target.graphs.push_back(std::make_shared<const Graph>(
      TinyGraph()
          .Add({.name = "conv1"})
          .Add({.name = "trans",
                .type = "TransData",
                .inputs = {"conv1:0"},
                .originals = {{}}})
          .Add({.name = "conv1relu1",
                .inputs = {"trans:0"},
                .originals = {{"relu1"}},
                .outputs = {{"relu1", 0}}})
          .Add({.name = "Node_Output", .originals = {{}}})
          .Done()));
  const auto pairing = PairDumps(golden, target, {});
  ASSERT_TRUE(pairing);
  EXPECT_EQ(pairing->strategy, "fusion-on-off");
  // The inserted operator has no row, and its consumer sees through it.
  EXPECT_EQ(PairsOf(golden, target, *pairing),
            (std::set<std::string>{"conv1:output:0@ = conv1relu1:input:0@",
                                   "relu1:output:0@ = conv1relu1:output:0@"}));
  EXPECT_EQ(WhyNot(target, pairing->target, "trans:output:0@"),
            "no counterpart: another operator stands for its original");
}

// A member that has no counterpart is no end of its L1 fusion.
TEST(ByRule, TwoBuildsOfAnL1Fusion) {
  Dump golden = DumpOf("ascend", {{"a"}, {"b"}});
  Dump target = DumpOf(
      "ascend",
      {{.op = "p", .time = 2}, {.op = "q", .time = 1}, {.op = "r", .time = 3}});
  golden.graphs.push_back(std::make_shared<const Graph>(
      TinyGraph().Add({.name = "a"}).Add({.name = "b"}).Done()));
  TinyGraph fused;
  for (const auto& [name, original] :
       {std::pair("p", "a"), std::pair("q", "b"), std::pair("r", "a")}) {
    fused.Add({.name = name,
               .originals = {{original}},
               .outputs = {{original, 0}},
               .l1 = "7"});
  }
  target.graphs.push_back(std::make_shared<const Graph>(fused.Done()));
  const auto pairing = PairDumps(golden, target, {});
  ASSERT_TRUE(pairing);
  EXPECT_EQ(PairsOf(golden, target, *pairing),
            (std::set<std::string>{"a:output:0@ = p:output:0@",
                                   "b:output:0@ = q:output:0@"}));
  EXPECT_EQ(WhyNot(target, pairing->target, "r:output:0@"),
            "no counterpart: another operator stands for its original");
}

}  // namespace
}  // namespace assay
