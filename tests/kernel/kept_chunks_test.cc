#include "kernel/kept_chunks.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

void Add(KeptChunks& chunks, uint64_t number, std::string values) {
  chunks.MakeRoom(values.size());
  EXPECT_EQ(chunks.Keep(number, values), values);
}

std::string Kept(KeptChunks& chunks) {
  std::string out;
  for (uint64_t number = 0; number < 9; ++number) {
    if (const std::string* values = chunks.Find(number)) out += *values;
  }
  return out;
}

TEST(KeptChunks, TheOldestMakesRoom) {
  KeptChunks chunks(6);
  for (const uint64_t number : {1, 2, 3}) {
    Add(chunks, number, std::string(2, static_cast<char>('0' + number)));
  }
  EXPECT_EQ(Kept(chunks), "112233");
  EXPECT_EQ(*chunks.Find(1), "11");  // now 2 is the oldest
  Add(chunks, 4, "44");
  EXPECT_EQ(Kept(chunks), "113344");
}

TEST(KeptChunks, TheLastOneStaysHoweverLarge) {
  KeptChunks chunks(0);
  Add(chunks, 7, "large");
  EXPECT_EQ(Kept(chunks), "large");
  Add(chunks, 8, "larger");
  EXPECT_EQ(Kept(chunks), "larger");
}

}  // namespace
}  // namespace assay
