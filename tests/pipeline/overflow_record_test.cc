#include "pipeline/overflow_record.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "codecs/codec.h"
#include "pipeline/overflow_bytes.h"
#include "pipeline/overflow_status.h"
#include "temp_tree.h"
#include "test_paths.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// The file of a sample, and the values of its output.
struct Sample {
  fs::path path;
  std::string bytes;
};
Sample SampleOf(const std::string& name) {
  const fs::path folder = fs::path(TestData("ascend/bin")) / name;
  const fs::path path = fs::directory_iterator(folder)->path();
  const auto listing = ListFile(path, {});
  EXPECT_TRUE(listing) << path;
  const Extent& extent = listing->tensors.at(0).extent;
  return {path, Content(path).substr(extent.offset, extent.length)};
}

TEST(OverflowRecord, SamplesAsTheToolTellsThem) {
  for (const std::string name : {"opdebug_old", "opdebug_new_aic",
                                 "opdebug_new_aiv_v1", "opdebug_new_aicpu"}) {
    const Sample sample = SampleOf(name);
    const fs::path json = fs::path(TestData("ascend/expected")) / name /
                          "convert" /
                          (sample.path.filename().string() + ".output.0.json");
    const auto record = ParseOverflowRecord(sample.bytes, sample.path.native());
    ASSERT_TRUE(record) << record.error().Text();
    EXPECT_EQ(RecordJson(*record), Content(json));
    EXPECT_TRUE(record->notes.empty());
  }
}

TEST(OverflowRecord, Sdma) {
  const std::string bytes =
      RecordHeadBytes(0, 3, 80) +
      Words({1, 2, 3, 4, 5, 6, 0x1f, 0x2f, 9, 0xffffffffffffffff});
  const auto record = ParseOverflowRecord(bytes, "x");
  ASSERT_TRUE(record) << record.error().Text();
  EXPECT_EQ(RecordJson(*record),
            R"({
    "magic": "0x5a5a5a5a",
    "version": 0,
    "acc_list": {
        "valid": 1,
        "acc_type": "SDMA",
        "rsv": 0,
        "data_len": 80,
        "data": {
            "model_id": 1,
            "stream_id": 2,
            "task_id": 3,
            "task_type": 4,
            "context_id": 5,
            "thread_id": 6,
            "src_addr": "0x1f",
            "dst_addr": "0x2f",
            "channel_id": 9,
            "status": 18446744073709551615
        }
    }
})");
}

TEST(OverflowRecord, SaysWhatIsWrong) {
  const std::string core = CoreRecordBytes({}, 32);
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {"", "overflow record needs 4 bytes, 0 left"},
      {core.substr(0, 6), "version needs 4 bytes, 2 left"},
      {core.substr(0, 24), "model_id needs 8 bytes, 0 left"},
      {core.substr(0, 111), "status needs 8 bytes, 7 left"},
      {RecordHeadBytes(1, 1, 112) + std::string(88, '\0'),
       "status needs 8 bytes, 0 left"},
      {RecordHeadBytes(0, 4, 88),
       "an overflow record of unit 4, which is not known"},
      {std::string(2047, '\0'),
       "an overflow record of 2047 bytes, 2048 expected"},
      {std::string(2049, '\0'),
       "an overflow record of 2049 bytes, 2048 expected"},
  };
  for (const auto& row : kRows) {
    const auto record = ParseOverflowRecord(row.bytes, "x", 100);
    ASSERT_FALSE(record) << row.error;
    EXPECT_EQ(record.error().what, row.error);
    EXPECT_EQ(record.error().file, "x");
    EXPECT_GE(record.error().offset.value_or(0), 100u);
    EXPECT_NE(record.error().hint, "");
  }
}

TEST(OverflowRecord, OdditiesAreNotedOnly) {
  const auto record = ParseOverflowRecord(
      RecordHeadBytes(0, 2, 7, 0) + std::string(64, '\1'), "x");
  ASSERT_TRUE(record);
  EXPECT_EQ(record->notes.size(), 2u);
}

std::string Meaning(std::string_view unit, std::vector<uint64_t> status) {
  std::string text;
  for (const std::string& meaning :
       StatusMeanings({unit, {}, std::move(status)})) {
    text += (text.empty() ? "" : "; ") + meaning;
  }
  return text;
}

TEST(OverflowStatus, InWords) {
  const struct {
    std::string unit;
    std::vector<uint64_t> status;
    std::string text;
  } kRows[] = {
      {"AI Core", {0}, "no overflow recorded"},
      {"AIV", {0, 0, 0, 0}, "no overflow recorded"},
      {"AI Core", {0x8}, "negation of the most negative integer"},
      {"AI Core", {0x10}, "integer overflow in add, subtract or multiply"},
      {"AIC", {0x20}, "float overflow"},
      {"AIC", {0x80}, "negative float to unsigned integer"},
      {"AIV", {0x100}, "overflow in float32 or int32 to float16"},
      {"AI Core", {0x420}, "float overflow; cube accumulation overflow"},
      {"AI Core", {0x21}, "float overflow; bits 0x1, of unknown meaning"},
      {"AIV",
       {8, 0, 0x60, 0},
       "word 0: negation of the most negative integer; word 2: float "
       "overflow; word 2: bits 0x40, of unknown meaning"},
      {"DHA Atomic Add", {0x900}, "overflow in an atomic addition"},
      {"DHA Atomic Add", {0xa42}, "underflow in an atomic addition"},
      {"DHA Atomic Add", {0xb00}, "the source of an atomic addition is nan"},
      {"DHA Atomic Add",
       {0xc00},
       "the destination of an atomic addition is nan"},
      {"DHA Atomic Add",
       {0xd00},
       "source and destination of an atomic addition are nan"},
      {"DHA Atomic Add", {0xe00}, "status 0xe00, of unknown meaning"},
      {"L2 Atomic Add", {0x10000}, "overflow in an atomic addition"},
      {"L2 Atomic Add",
       {0x50000},
       "source and destination of an atomic addition are nan"},
      {"L2 Atomic Add", {0x80001}, "status 0x80001, of unknown meaning"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Meaning(row.unit, row.status), row.text);
  }
  EXPECT_NE(Meaning("AICPU", {1}), "");
}

TEST(OverflowRecord, CorpusIsReadOrRefused) {
  size_t files = 0;
  for (const auto& entry :
       fs::directory_iterator(FuzzCorpus("overflow_record"))) {
    const auto record = ParseOverflowRecord(Content(entry.path()), "x");
    if (record) {
      EXPECT_NE(RecordJson(*record), "");
    } else {
      EXPECT_NE(record.error().what, "") << entry.path();
    }
    ++files;
  }
  EXPECT_GT(files, 4u);
}

}  // namespace
}  // namespace assay
