#include "sources/dump_name.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

// "type op task stream time tasktype context thread device"; "no".
std::string Told(std::string_view file) {
  const auto name = ParseDumpName(file);
  if (!name) return "no";
  return fmt::format("{} {} {} {} {} {} {} {} {}{}", name->type, name->op,
                     name->task, name->stream, name->time, name->task_type,
                     name->context, name->thread, name->device,
                     name->summary ? " summary" : "");
}

TEST(DumpName, Fields) {
  const struct {
    std::string_view file, told;
  } kRows[] = {
      // Four, five and nine fields.
      {"Old.old_1.31.1700000000000026",
       "Old old_1 31 -1 1700000000000026 -1 -1 -1 -1"},
      {"Add.add_1.12.6.1700000000000001",
       "Add add_1 12 6 1700000000000001 -1 -1 -1 -1"},
      {"Add.a.50.9.1700000000000034.4.487.1.2",
       "Add a 50 9 1700000000000034 4 487 1 2"},
      // Eight: without the device, or without the stream.
      {"Add.a.50.9.1700000000000034.4.487.1",
       "Add a 50 9 1700000000000034 4 487 1 -1"},
      {"Add.a.50.1700000000000034.4.487.1.2",
       "Add a 50 -1 1700000000000034 4 487 1 2"},
      {"Add.a.50.9.1700000000000034.0.65535.65535.0",
       "Add a 50 9 1700000000000034 0 65535 65535 0"},
      // A stream that is none has ten digits, like seconds.
      {"Add.a.1.4294967295.1700000000000034",
       "Add a 1 4294967295 1700000000000034 -1 -1 -1 -1"},
      // Times of all lengths.
      {"Add.a.1.2.1700000000", "Add a 1 2 1700000000000000 -1 -1 -1 -1"},
      {"Add.a.1.2.1700000000123", "Add a 1 2 1700000000123000 -1 -1 -1 -1"},
      {"Add.a.1.2.20231114221320", "Add a 1 2 1700000000000000 -1 -1 -1 -1"},
      {"Add.a.1.2.20231114221320123456",
       "Add a 1 2 1700000000123456 -1 -1 -1 -1"},
      {"Add.a.1.2.17", "Add a 1 2 -1 -1 -1 -1 -1"},
      // Shrunk dumps.
      {"Add.a.1.2.1700000000000001.csv",
       "Add a 1 2 1700000000000001 -1 -1 -1 -1 summary"},
      {"MatMulV2.mm.12.6.1700000000000001_min_max.npz",
       "MatMulV2 mm 12 6 1700000000000001 -1 -1 -1 -1 summary"},
      // Dots in an operator's name.
      {"Add.scope.a.1.2.1700000000000001",
       "Add scope.a 1 2 1700000000000001 -1 -1 -1 -1"},
      {"Add.scope.a.7.1700000000000001",
       "Add scope.a 7 -1 1700000000000001 -1 -1 -1 -1"},
      // Exceptions: the stream comes first.
      {"exception_info.3.24.20231114221320123",
       "exception_info exception_info 24 3 1700000000123000 -1 -1 -1 -1"},
      {"exception_info.x.24.1700000000000013",
       "exception_info x 24 -1 1700000000000013 -1 -1 -1 -1"},
      {"Conv2D.conv.24.20231114221320123",
       "Conv2D conv 24 -1 1700000000123000 -1 -1 -1 -1"},
      {"kernel_name.3.24.AIC.5.20231114221320123",
       "kernel_name kernel_name 24 3 1700000000123000 -1 -1 -1 -1"},
      {"Opdebug.Node_OpDebug.46.3.1700000000000029.4.1.0.0",
       "Opdebug Node_OpDebug 46 3 1700000000000029 4 1 0 0"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Told(row.file), row.told) << row.file;
}

TEST(DumpName, OtherFilesAreNone) {
  for (const std::string_view file : {"",
                                      ".",
                                      "....",
                                      "conv1.npy",
                                      "conv1.0.1700000000000001.npy",
                                      "Add.a.1",
                                      "Add.a.1.2",
                                      "Add.a.b.1700000000000001",
                                      "Add..1.2.1700000000000001",
                                      ".a.1.2.1700000000000001",
                                      "17293822569102704640",
                                      "1.2.3.4.1700000000000001",
                                      "Add.a.1.2.1700000000000001.npy",
                                      "Add.a.1.2.1700000000000001.output.0",
                                      "a b.c.1.2.1700000000000001",
                                      "a.b.c.d.e.f.g.h.i",
                                      "x.csv",
                                      "_min_max.npz",
                                      "mapping.csv",
                                      "Add.a.1.2.1700000000000001."}) {
    EXPECT_EQ(Told(file), "no") << file;
  }
}

TEST(DumpName, Kinds) {
  EXPECT_TRUE(ParseDumpName("Add.a.1.2.1700000000000001.4.1.0.0")->IsSlice());
  EXPECT_FALSE(ParseDumpName("Add.a.1.2.1700000000000001.1.1.0.0")->IsSlice());
  EXPECT_TRUE(ParseDumpName("Opdebug.Node_OpDebug.1.1700000000000001")
                  ->IsOverflowRecord());
  EXPECT_FALSE(
      ParseDumpName("Opdebug.x.1.1700000000000001")->IsOverflowRecord());
}

TEST(DumpName, MarksOfSlices) {
  const struct {
    std::string_view op, clean;
    int64_t slice;
  } kRows[] = {
      {"conv1", "conv1", -1},
      {"conv1_lxslice0", "conv1", 0},
      {"conv1_lxslice12", "conv1", 12},
      {"conv1_lxslice", "conv1_lxslice", -1},
      {"conv1_lxslice1_x", "conv1_lxslice1_x", -1},
      {"_lxslice1", "_lxslice1", -1},
      {"part0_sgt_graph_0_ffts_add", "ffts_add", -1},
      {"sgt_graph_1_sgt_graph_22_add", "add", -1},
      {"a_sgt_graph_0_conv_lxslice3", "conv", 3},
      {"sgt_graph_add", "sgt_graph_add", -1},
      {"sgt_graph_3", "sgt_graph_3", -1},
      {"sgt_graph_3_", "sgt_graph_3_", -1},
      {"sgt_graph_3_a_sgt_graph_x", "a_sgt_graph_x", -1},
      {"", "", -1},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(WithoutSliceMarks(row.op), row.clean) << row.op;
    EXPECT_EQ(SliceNumber(row.op), row.slice) << row.op;
  }
}

}  // namespace
}  // namespace assay
