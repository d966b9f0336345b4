#include "pairing/name_log.h"

#include <gtest/gtest.h>

#include "pairing/dumps.h"
#include "temp_tree.h"

namespace assay {
namespace {

TEST(NameLog, GivesLongNamesBack) {
  const TempTree tree;
  const std::string log = tree.Write(
      "log",
      "2024-01-01 started\n"
      "dump file name:  net_long.name_a.0.1700000000.npy  replace to  "
      "0.0.1700000000.npy\r\n"
      "[INFO] dump file name:  net_b.0.1700000001.npy  replace to  "
      "1.0.1700000001.npy\n");
  Dump dump = MakeDump({{"0.0.1700000000.npy"},
                        {"tf/1.0.1700000001.npy"},
                        {"2.0.1700000000.npy"},
                        {"1.0.1700000000.npy"}});
  const auto count = ApplyNameLog(log, dump);
  ASSERT_TRUE(count) << count.error().Text();
  EXPECT_EQ(*count, 2u);
  const TensorInfo &a = dump.tensors[0], &b = dump.tensors[1];
  EXPECT_EQ(dump.NameOf(a), "net_long.name_a.0.1700000000");
  EXPECT_EQ(dump.names[a.id.op], "net_long_name_a");
  EXPECT_EQ(a.id.port, Port::kOutput);
  EXPECT_EQ(a.id.index, 0);
  EXPECT_EQ(dump.NameOf(b), "tf/net_b.0.1700000001");
  EXPECT_EQ(dump.NameOf(dump.tensors[2]), "2.0.1700000000");
  EXPECT_EQ(dump.NameOf(dump.tensors[3]), "1.0.1700000000");
}

TEST(NameLog, SaysWhatIsWrong) {
  const std::string line =
      "dump file name:  a.0.1.npy  replace to  0.0.1.npy\n";
  const struct {
    std::string text, error;
    uint64_t line;
  } kRows[] = {
      {"", "no line says 'dump file name:  LONG  replace to  SHORT'", 0},
      {"hello\n", "no line says 'dump file name:  LONG  replace to  SHORT'", 0},
      {line + "dump file name: b\n", "'dump file name:' without two names", 2},
      {line + "\ndump file name:  replace to  x\n",
       "'dump file name:' without two names", 3},
      {line + "dump file name:  b.0.1.npy  replace to  0.0.1.npy\n",
       "line 1 says that 0.0.1.npy is another tensor", 2},
      {line, "1 file name in it, and none is in tf_dump", 0},
  };
  for (const auto& row : kRows) {
    const TempTree tree;
    Dump dump = MakeDump({{"x.npy"}});
    dump.source = "tf_dump";
    const auto result = ApplyNameLog(tree.Write("log", row.text), dump);
    ASSERT_FALSE(result) << row.text;
    EXPECT_EQ(result.error().what, row.error);
    EXPECT_EQ(result.error().line.value_or(0), row.line);
  }
}

}  // namespace
}  // namespace assay
