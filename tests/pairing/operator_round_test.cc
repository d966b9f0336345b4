// Tensors whose names have nothing in common but whose operator, port and index
// are the same.
#include <gtest/gtest.h>

#include "pairing/dumps.h"

namespace assay {
namespace {

struct Tensor {
  std::string name, op;
  int32_t index = 0;
  int32_t rank = -1, step = -1, call = 0;
  int64_t time = -1;
  std::string graph;
  Port port = Port::kOutput;
};

Dump Make(const std::vector<Tensor>& tensors) {
  Dump dump;
  for (const Tensor& made : tensors) {
    dump.files.push_back(fmt::format("file{}", dump.files.size()));
    TensorInfo& t = dump.tensors.emplace_back();
    t.file = static_cast<uint32_t>(dump.files.size() - 1);
    t.name = dump.names.Intern(made.name);
    t.id = {.op = dump.names.Intern(made.op),
            .graph = dump.names.Intern(made.graph),
            .port = made.port,
            .index = made.index,
            .rank = made.rank,
            .step = made.step,
            .call = made.call,
            .order = made.time};
    if (made.time >= 0) t.id.order_from = OrderFrom::kTimestamp;
  }
  dump.files.emplace_back("more");  // never "two files"
  // Paths say nothing here: make them differ.
  static int number = 0;
  for (std::string& file : dump.files) file += fmt::format("_{}", ++number);
  return dump;
}

constexpr std::string_view kWhy = " (same operator, port and index)";

std::string Pairs(const Dump& golden, const Dump& target,
                  const PairOptions& options = {}) {
  std::string text;
  for (std::string line : Told(golden, target, options)) {
    if (const size_t at = line.find(kWhy); at != std::string::npos) {
      line.resize(at);
    }
    text += (text.empty() ? "" : "; ") + line;
  }
  return text;
}

TEST(OperatorRound, PairsWhatIsCalledDifferently) {
  EXPECT_EQ(Pairs(Make({{"conv1.0.17", "scope/conv1"}, {"g", "x"}}),
                  Make({{"scope_conv1:output:0", "scope_conv1"},
                        {"t", "scope_conv1", 1}})),
            "conv1.0.17=scope_conv1:output:0; "
            "-g: no target tensor has this name; nearest: t; "
            "+t: no golden tensor has this name; nearest: g");
  EXPECT_EQ(
      Pairs(Make({{.name = "g", .op = "a", .index = 0, .port = Port::kInput},
                  {"gg", "b"}}),
            Make({{"t", "a", 0}, {"tt", "b"}})),
      "gg=tt; -g: no target tensor has this name; nearest: t; "
      "+t: no golden tensor has this name; nearest: g");
  EXPECT_EQ(
      Pairs(
          Make({{.name = "gggg", .op = "", .index = -1, .port = Port::kNone}}),
          Make({{.name = "tttt", .op = "", .index = -1, .port = Port::kNone}})),
      "-gggg: no target tensor has this name; "
      "+tttt: no golden tensor has this name")
      << "no operator is no reason";
}

TEST(OperatorRound, RenamesCountForOperatorsToo) {
  EXPECT_EQ(Pairs(Make({{"g", "net_conv1"}}), Make({{"t", "conv1"}}),
                  {.renames = {"s/^net_//"}}),
            "g=t");
}

TEST(OperatorRound, RanksAndStepsAreComparedIfBothKnowThem) {
  const auto dump = [](int32_t rank, int32_t step) {
    return Tensor{fmt::format("r{}s{}", rank, step), "a", 0, rank, step};
  };
  EXPECT_EQ(Pairs(Make({dump(0, 0), dump(0, 1), dump(1, 0)}),
                  Make({dump(1, 0), dump(0, 1), dump(0, 0)})),
            "r0s0=r0s0 (same name); r0s1=r0s1 (same name); r1s0=r1s0 (same "
            "name)");
  // Same names everywhere, as in a dump of several steps.
  const auto named = [](int32_t rank, int32_t step) {
    return Tensor{"a:output:0", "a", 0, rank, step};
  };
  EXPECT_EQ(Pairs(Make({named(-1, 0), named(-1, 1)}), Make({named(-1, 1)})),
            "a:output:0=a:output:0 (same name); "
            "-a:output:0: the target has it, but not at step 0");
  EXPECT_EQ(Pairs(Make({named(0, 5)}), Make({named(1, 5)})),
            "-a:output:0: the target has it, but not at rank 0, step 5; "
            "+a:output:0: the golden has it, but not at rank 1, step 5");
  // Only one side knows.
  EXPECT_EQ(Pairs(Make({named(-1, -1)}), Make({named(3, 7)})),
            "a:output:0=a:output:0 (same name)");
}

TEST(OperatorRound, CallsAndGraphs) {
  EXPECT_EQ(Pairs(Make({{.name = "g0", .op = "a", .call = 0},
                        {.name = "g1", .op = "a", .call = 1}}),
                  Make({{.name = "t1", .op = "a", .call = 1},
                        {.name = "t0", .op = "a", .call = 0}})),
            "g0=t0; g1=t1");
  const auto in = [](std::string name, std::string graph) {
    return Tensor{
        .name = std::move(name), .op = "a", .graph = std::move(graph)};
  };
  EXPECT_EQ(Pairs(Make({in("g1", "net_20240501120000_1"), in("g2", "net_2")}),
                  Make({in("t2", "net_2"), in("t1", "net_20230501120000_1")})),
            "g1=t1; g2=t2");
  EXPECT_EQ(Pairs(Make({in("g1", "one")}), Make({in("t1", "other")})), "g1=t1");
}

TEST(OperatorRound, TheNewestOfSeveralStandsForThem) {
  EXPECT_EQ(Pairs(Make({{.name = "g.18", .op = "a", .time = 18},
                        {.name = "g.19", .op = "a", .time = 19}}),
                  Make({{.name = "t", .op = "a", .time = 7}})),
            "g.19=t; -g.18: an older dump of the same tensor; g.19 is newer");
  const std::string why =
      "ambiguous: 2 golden and 1 target tensors share this name";
  EXPECT_EQ(Pairs(Make({{.name = "g.18", .op = "a", .time = 18},
                        {.name = "g.18b", .op = "a", .time = 18}}),
                  Make({{.name = "t", .op = "a", .time = 7}})),
            fmt::format("-g.18: {0}; -g.18b: {0}; +t: {0}", why));
  EXPECT_EQ(
      Pairs(Make({{"g.18", "a"}, {.name = "g.19", .op = "a", .time = 19}}),
            Make({{.name = "t", .op = "a", .time = 7}})),
      fmt::format("-g.18: {0}; -g.19: {0}; +t: {0}", why));
}

TEST(OperatorRound, OneKeyDoesNotDisturbTheNext) {
  EXPECT_EQ(Pairs(Make({{.name = "g.18", .op = "a", .time = 18},
                        {.name = "gb", .op = "b"},
                        {.name = "g.19", .op = "a", .time = 19},
                        {.name = "gc", .op = "c"}}),
                  Make({{.name = "t", .op = "a", .time = 7},
                        {.name = "tc", .op = "c"},
                        {.name = "tb", .op = "b"}})),
            "g.19=t; gb=tb; gc=tc; "
            "-g.18: an older dump of the same tensor; g.19 is newer");
}

TEST(OperatorRound, AnUnreadableDumpStandsForItsTensors) {
  Dump whole = Make({{.name = "a:output:0", .op = "a", .index = 0, .step = 3},
                     {.name = "a:output:1", .op = "a", .index = 1, .step = 3},
                     {.name = "a:output:0", .op = "a", .index = 0, .step = 4}});
  whole.tensors[0].stored.name = whole.tensors[2].stored.name = "output:0";
  whole.tensors[1].stored.name = "output:1";
  Dump cut = Make(
      {{.name = "a", .op = "a", .index = -1, .step = 3, .port = Port::kNone}});
  cut.tensors[0].stored.error =
      std::make_shared<const Error>(Corrupt("cut off"));
  EXPECT_EQ(Pairs(whole, cut),
            "a:output:0=a (the file that should hold it); "
            "a:output:1=a (the file that should hold it); "
            "-a:output:0: no target tensor has this name");
}

}  // namespace
}  // namespace assay
