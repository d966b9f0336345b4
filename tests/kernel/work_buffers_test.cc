#include "kernel/work_buffers.h"

#include <gtest/gtest.h>

#include <cstring>

#include "kernel/reduce.h"

namespace assay {
namespace {

uintptr_t Address(std::span<std::byte> s) {
  return reinterpret_cast<uintptr_t>(s.data());
}

TEST(WorkBuffers, AreAlignedAndApart) {
  const WorkBuffers buffers;
  const auto golden = buffers.golden(), target = buffers.target();
  for (const auto part : {golden.read, golden.tile, target.read, target.tile}) {
    EXPECT_EQ(Address(part) % 64, 0u);
    std::memset(part.data(), 1, part.size());  // all of it is there
  }
  EXPECT_GE(golden.tile.size(), kBlock * sizeof(double));
  EXPECT_GE(golden.read.size(), kBlock * sizeof(double));
  EXPECT_LE(Address(golden.read) + golden.read.size(), Address(golden.tile));
  EXPECT_LE(Address(golden.tile) + golden.tile.size(), Address(target.read));
  EXPECT_LE(Address(target.read) + target.read.size(), Address(target.tile));
  EXPECT_LE(Address(target.tile) + target.tile.size(),
            Address(golden.read) + WorkBuffers::kTotal);
  EXPECT_EQ(Address(golden.read) % WorkBuffers::kTotal, 0u);
  EXPECT_NE(Address(golden.read) % 4096, Address(target.read) % 4096);
}

TEST(WorkerBuffers, AreMadeOnce) {
  WorkerBuffers all(3);
  const WorkBuffers& first = all.Of(0);
  EXPECT_NE(&first, &all.Of(2));
  EXPECT_EQ(&first, &all.Of(0));
}

}  // namespace
}  // namespace assay
