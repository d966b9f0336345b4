#include "pipeline/fingerprint.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kernel/reduce.h"
#include "sources/source.h"
#include "temp_tree.h"

namespace assay {
namespace {

// A version 1 .npy of float32.
std::string Npy(const std::vector<float>& values) {
  std::string head = fmt::format(
      "{{'descr': '<f4', 'fortran_order': False, 'shape': ({},), }}",
      values.size());
  head.resize(118, ' ');
  const std::string magic("\x93NUMPY\x01\x00\x76\x00", 10);
  return magic + head +
         std::string(reinterpret_cast<const char*>(values.data()),
                     values.size() * sizeof(float));
}

TEST(Fingerprints, OnePerTensor) {
  const TempTree tree;
  tree.Write("a.npy", Npy({1, -3, 2, 0}));
  std::vector<float> many(100);
  for (size_t i = 0; i < many.size(); ++i) many[i] = static_cast<float>(i);
  tree.Write("b.npy", Npy(many));
  tree.Write("c.npy", Npy(many).substr(0, 200));  // cut off
  const auto dump = OpenSource(tree.path(), {});
  ASSERT_TRUE(dump) << dump.error().Text();
  ASSERT_EQ(dump->tensors.size(), 3u);
  const std::atomic<bool> stop = false;
  const auto prints = TakeFingerprints(
      *dump, {.threads = 2, .kernels = AvailableKernels().front()}, false,
      stop);
  ASSERT_TRUE(prints) << prints.error().Text();
  const Fingerprint& a = (*prints)[0];
  EXPECT_TRUE(a.known);
  EXPECT_EQ(a.kind, DKind::kFloat);
  EXPECT_EQ(a.shape, (Shape{4}));
  EXPECT_EQ(a.min, -3);
  EXPECT_EQ(a.max, 2);
  EXPECT_EQ(a.mean, 0);
  EXPECT_DOUBLE_EQ(a.rms, std::sqrt(14.0 / 4));
  EXPECT_EQ(a.first, (std::vector<double>{1, -3, 2, 0}));
  EXPECT_EQ((*prints)[1].first.size(), 32u);
  EXPECT_FALSE((*prints)[2].known);
}

}  // namespace
}  // namespace assay
