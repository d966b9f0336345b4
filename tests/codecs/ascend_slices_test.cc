#include "codecs/ascend_slices.h"

#include <gtest/gtest.h>

#include "codecs/ascend.h"
#include "codecs/ascend_builder.h"
#include "codecs/ascend_name.h"
#include "codecs/temp_file.h"

namespace assay {
namespace {

constexpr std::string_view kJson =
    R"({"threadMode": 1, "slice_instance_num": 2, "outputCutList": [[2, 1]],)"
    R"("input_tensor_slice": [[], []], "output_tensor_slice": [)"
    R"([[{"lower": 0, "higher": 3}, {"lower": 0, "higher": 4}]],)"
    R"([[{"lower": 3, "higher": 5}, {"lower": 0, "higher": 4}]]]})";

const std::string kTextMode = [] {
  std::string json(kJson);
  return json.replace(json.find("1, "), 1, "\"1\"");
}();

std::string Dump(std::string_view json, size_t bytes) {
  return Dump2(ProtoBytes(3, ProtoNumber(1, 3) + ProtoNumber(2, 2) +
                                 ProtoBytes(3, ProtoShape({5, 4})) +
                                 ProtoNumber(6, bytes) +
                                 ProtoBytes(7, ProtoShape({5, 4}))) +
                   ProtoBytes(7, ProtoBytes(2, std::string(json))),
               bytes);
}

TEST(AscendSlices, AFileHasTheShapeOfItsThread) {
  const std::string name = ".Add.a.50.9.1700000000000034";
  const struct {
    std::string name;
    std::string_view json;
    size_t bytes;
    std::string tensors;
  } kRows[] = {
      {".4.487.0.0", kJson, 12, "output:0 i8 [3,4]"},
      {".4.487.1.0", kJson, 8, "output:0 i8 [2,4]"},
      {".4.487.1", kJson, 8, "output:0 i8 [2,4]"},
      {".4.487.2.0", kJson, 20, "output:0 i8 [5,4]"},  // no such thread
      {".4.487.7.0", kJson, 8, "output:0 opaque [5,4]"},
      {"", kJson, 20, "output:0 i8 [5,4]"},
      {".4.487.1.0", kTextMode, 8, "output:0 i8 [2,4]"},
      {".4.487.0.0", R"({"threadMode": 0})", 20, "output:0 i8 [5,4]"},
      {".4.487.0.0", R"({"threadMode": 1})", 20, "output:0 i8 [5,4]"},
      {".4.487.0.0", R"({"other": 1})", 20, "output:0 i8 [5,4]"},
      {".4.487.0.0", R"({"threadMode": 1, "output_tensor_slice": [[[3]]]})", 20,
       "output:0 i8 [5,4]"},
      {".4.487.0.0",
       R"({"threadMode": 1, "output_tensor_slice":)"
       R"( [[[{"lower": 3, "higher": 1}]]]})",
       20, "output:0 i8 [5,4]"},
      {".4.487.0.0", "[1", 20, "output:0 i8 [5,4]"},
      {".4.487.0.0", "\"", 20, "output:0 i8 [5,4]"},
  };
  for (const auto& row : kRows) {
    const auto listing = ListBytes(name + row.name, Dump(row.json, row.bytes));
    ASSERT_TRUE(listing) << listing.error().Text();
    EXPECT_EQ(Summary(*listing), row.tensors) << row.name << row.json;
    const StoredTensor& tensor = listing->tensors[0];
    EXPECT_EQ(tensor.original.has_value(), tensor.shape == Shape({5, 4}));
  }
}

TEST(AscendSlices, ARenamedSliceSaysWhy) {
  const auto listing = ListBytes(".renamed", Dump(kJson, 12));
  ASSERT_TRUE(listing);
  const ErrorRef& error = listing->tensors.at(0).error;
  ASSERT_TRUE(error);
  EXPECT_EQ(error->what, "i8 [5,4] needs 20 bytes, 12 are there");
  EXPECT_EQ(error->hint.find("a slice"), 0u) << error->hint;
}

TEST(AscendSlices, TellHowTheOperatorWasCut) {
  const auto slices = ParseAscendSlices(kJson, std::nullopt);
  ASSERT_TRUE(slices);
  EXPECT_TRUE(slices->automatic);
  EXPECT_EQ(slices->threads, 2);
  EXPECT_EQ(slices->output_cuts, (std::vector<std::vector<int64_t>>{{2, 1}}));
  EXPECT_TRUE(slices->outputs.empty());
  const auto second = ParseAscendSlices(kJson, 1);
  EXPECT_EQ(second->outputs, (std::vector<Shape>{{2, 4}}));
}

TEST(AscendSlices, WhateverIsNotOneIsACut) {
  const auto slices = ParseAscendSlices(
      R"({"threadMode": 0, "outputCutList": [[1, -1], [1.0, 2.0], [null, 1]]})",
      std::nullopt);
  ASSERT_TRUE(slices);
  EXPECT_EQ(slices->output_cuts,
            (std::vector<std::vector<int64_t>>{{1, 0}, {1, 0}, {0, 1}}));
}

TEST(AscendSlices, TheNameTellsTheThread) {
  const struct {
    std::string_view name;
    std::optional<uint64_t> thread;
  } kRows[] = {
      {"Add.a.50.9.1700000000000034.4.487.12.0", 12},
      {"Add.a.50.9.1700000000000034.4.487.12", 12},
      {"Add.a.50.1700000000000034.4.487.12.0", 12},  // no stream
      {"Add.a.50.1700000000000034.4.487.12", 12},
      {"Add.a.4.4.1700000000000034.4.4.12.4", 12},
      {"Add.a.4.4.1700000000000034.4.4.12", 12},
      {"Add.a.50.9.1700000000000034.4.487.x.0", std::nullopt},
      {"Add.a.50.9.1700000000000034.0.487.12.0", std::nullopt},
      {"Add.a.50.9.1700000000000034", std::nullopt},
      {"17293822569102704640", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& row : kRows) EXPECT_EQ(AscendThread(row.name), row.thread);
}

}  // namespace
}  // namespace assay
