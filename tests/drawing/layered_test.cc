#include "drawing/layered.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "drawing/layers.h"

namespace assay {
namespace {

using Edges = std::vector<DrawnEdge>;

// Edges go from lower to higher numbers, mostly near: like a network.
Edges Network(uint32_t nodes, uint32_t seed) {
  std::mt19937 random(seed);
  Edges edges;
  for (uint32_t i = 1; i < nodes; ++i) {
    for (uint32_t k = 0; k < 1 + random() % 3; ++k) {
      const uint32_t back = 1 + random() % (k == 0 ? 3 : 40);
      edges.emplace_back(i - std::min(back, i), i);
    }
  }
  return edges;
}

void ExpectPointingDown(const Drawing& drawing, const Edges& edges) {
  for (const auto& [from, to] : edges) {
    ASSERT_LT(drawing.layer[from], drawing.layer[to]) << from << " " << to;
  }
}

void ExpectNoOverlap(const Drawing& drawing) {
  std::vector<std::pair<uint32_t, float>> places;
  for (size_t i = 0; i < drawing.x.size(); ++i) {
    places.emplace_back(drawing.layer[i], drawing.x[i]);
    ASSERT_GE(drawing.x[i], 0);
  }
  std::sort(places.begin(), places.end());
  for (size_t i = 1; i < places.size(); ++i) {
    if (places[i].first != places[i - 1].first) continue;
    ASSERT_GE(places[i].second - places[i - 1].second, 0.99) << i;
  }
}

TEST(Layered, DrawsNothingAndOneNode) {
  EXPECT_TRUE(DrawLayered(0, {}).x.empty());
  const Drawing one = DrawLayered(1, {});
  EXPECT_EQ(one.x, std::vector<float>{0});
  EXPECT_EQ(one.layer, std::vector<uint32_t>{0});
}

TEST(Layered, KeepsAChainStraight) {
  Edges chain;
  for (uint32_t i = 0; i + 1 < 50; ++i) chain.emplace_back(i, i + 1);
  const Drawing drawing = DrawLayered(50, chain);
  ExpectPointingDown(drawing, chain);
  for (const float x : drawing.x) EXPECT_EQ(x, drawing.x[0]);
}

TEST(Layered, CentresADiamond) {
  const Edges diamond = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  const Drawing drawing = DrawLayered(4, diamond);
  EXPECT_EQ(drawing.layer, (std::vector<uint32_t>{0, 1, 1, 2}));
  EXPECT_EQ(drawing.x[0], drawing.x[3]);
  EXPECT_EQ(drawing.x[0], (drawing.x[1] + drawing.x[2]) / 2);
}

TEST(Layered, PutsConstantsAboveTheirUsers) {
  Edges edges;
  for (uint32_t i = 0; i + 1 < 10; ++i) edges.emplace_back(i, i + 1);
  edges.emplace_back(10, 9);
  EXPECT_EQ(DrawLayered(11, edges).layer[10], 8u);
}

TEST(Layered, TurnsEdgesOfCyclesRound) {
  const Edges cycle = {{0, 1}, {1, 2}, {2, 0}, {1, 1}, {0, 1}};
  const Drawing drawing = DrawLayered(3, cycle);
  EXPECT_EQ(drawing.layer, (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(WithoutCycles(3, cycle), (Edges{{0, 1}, {0, 2}, {1, 2}}));
}

TEST(Layered, HoldsItsPromisesOnNetworks) {
  for (const uint32_t nodes : {2u, 10u, 300u, 3000u}) {
    const Edges edges = Network(nodes, nodes);
    const Drawing drawing = DrawLayered(nodes, edges);
    ExpectPointingDown(drawing, edges);
    ExpectNoOverlap(drawing);
    EXPECT_EQ(DrawLayered(nodes, edges).x, drawing.x);
  }
}

// As wide as the input is long: no quadratic step, no deep recursion.
TEST(Layered, SurvivesExtremeShapes) {
  constexpr uint32_t kMany = 20000;
  Edges star, comb;
  for (uint32_t i = 1; i < kMany; ++i) {
    star.emplace_back(0, i);
    comb.emplace_back(i - 1, i);
    comb.emplace_back(0, i);
  }
  ExpectNoOverlap(DrawLayered(kMany, star));
  ExpectPointingDown(DrawLayered(kMany, comb), comb);
  ExpectNoOverlap(DrawLayered(kMany, {}));
}

}  // namespace
}  // namespace assay
