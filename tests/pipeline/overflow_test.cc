// Records: which operator they are about, and what it read and wrote.
#include "pipeline/overflow.h"

#include <gtest/gtest.h>

#include "pipeline/overflow_with.h"
#include "test_paths.h"

namespace assay {
namespace {

std::string ShapeInPython(const Shape& shape) {
  std::string text;
  for (const int64_t dim : shape) {
    text += (text.empty() ? "" : ", ") + fmt::format("{}", dim);
  }
  return "(" + text + ")";
}

// As the original tool's summary has it, as far as both tell the same.
std::string Summary(const OverflowEntry& e) {
  std::string text = fmt::format(
      "[{}] {}\n [{}][TaskId:{}][StreamId:{}][Status:{}]\n [timestamp:{}]\n",
      e.type, e.op, e.unit.unit, e.task, e.stream, e.unit.status.at(0), e.time);
  for (const OverflowTensor& t : e.tensors) {
    text += fmt::format(" -[Format: {}] [Shape: {}] [Dtype: {}]\n", t.layout,
                        ShapeInPython(t.shape),
                        t.dtype == "f16" ? "float16" : t.dtype);
  }
  return text;
}

// Without rulers, file names and statistics.
std::string WithoutRest(const std::string& summary) {
  std::istringstream in(summary);
  std::string text;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("=") || line.ends_with(".npy")) continue;
    text += line.substr(0, line.find(" [Max:")) + "\n";
  }
  return text;
}

TEST(Overflow, SampleAsTheToolTellsIt) {
  const std::string folder = TestData("overflow");
  const OverflowReport report = MustFind(folder + "/dump_dir");
  std::string text;
  for (const OverflowEntry& e : report.overflows.records) text += Summary(e);
  EXPECT_EQ(text,
            WithoutRest(Content(folder + "/expected/overflow_summary.txt")));
  EXPECT_TRUE(report.FoundSomething());
  EXPECT_TRUE(report.errors.empty());

  const auto& gt = report.overflows.records.at(0).tensors.at(0);
  EXPECT_EQ(gt.min->AsDouble(), 0);
  EXPECT_EQ(gt.max->AsDouble(), 1);
  EXPECT_EQ(gt.mean->AsDouble(), 0.5);
  const auto& add = report.overflows.records.at(1).tensors.at(2);
  EXPECT_EQ(add.name, "add_1:output:0");
  EXPECT_EQ(add.nan, 1u);
  EXPECT_EQ(add.inf, 2u);
  EXPECT_EQ(report.search.first->op, "add_1");
  EXPECT_EQ(report.search.first->why.find("its input is already inf"), 0u);
}

constexpr uint64_t kNone = ~uint64_t{0};  // -1

const std::string kRecord = "Opdebug.Node_OpDebug.99.5.1700000000000050";
const struct {
  std::string what, record;
  RecordIds ids;
  std::vector<std::string> dumps;
  std::string op;
} kOwners[] = {
    {"task and stream", kRecord, {7, 3}, {"Add.a.7.3.1700000000000001"}, "a"},
    {"another task", kRecord, {7, 3}, {"Add.a.8.3.1700000000000001"}, ""},
    {"another stream", kRecord, {7, 3}, {"Add.a.7.4.1700000000000001"}, ""},
    {"another folder", kRecord, {7, 3}, {"b/Add.a.7.3.1700000000000001"}, ""},
    {"a name without a stream",
     kRecord,
     {7, 3},
     {"Add.a.7.1700000000000001"},
     "a"},
    {"a record's name without a stream",
     "Opdebug.Node_OpDebug.99.1700000000000050",
     {7, kNone},
     {"Add.a.7.3.1700000000000001"},
     "a"},
    {"the oldest of several",
     kRecord,
     {7, 3},
     {"Add.late.7.3.1700000000000009", "Mul.early.7.3.1700000000000008"},
     "early"},
    {"ids of the name where the record has -1",
     "Opdebug.Node_OpDebug.7.3.1700000000000050",
     {kNone, 0xffffffff},
     {"Add.b.8.3.1700000000000001", "Add.a.7.3.1700000000000002"},
     "a"},
    {"its context",
     kRecord,
     {7, 3, 4, 0},
     {"Add.b.7.3.1700000000000001.4.5.0.0",
      "Add.a.7.3.1700000000000002.4.4.6.0"},
     "a"},
    {"its thread",
     kRecord,
     {7, 3, 4, 2},
     {"Add.b.7.3.1700000000000001.4.4.1.0",
      "Add.a.7.3.1700000000000002.4.4.2.0"},
     "a"},
    {"no context and no thread",
     kRecord,
     {7, 3, 65535, 65535},
     {"Add.a.7.3.1700000000000001"},
     "a"},
    {"a context that no name has",
     kRecord,
     {7, 3, 4, 65535},
     {"Add.a.7.3.1700000000000001"},
     ""},
    {"a name of a slice",
     kRecord,
     {7, 3},
     {"Add.part0_sgt_graph_0_a_lxslice1.7.3.1700000000000001"},
     "a"},
};

TEST(Overflow, FindsTheOperator) {
  for (const auto& row : kOwners) {
    const TempTree tree;
    tree.Write("d/" + row.record, RecordDump(CoreRecordBytes(row.ids, 32)));
    for (const std::string& dump : row.dumps) {
      tree.Write("d/" + dump, FloatDump({1, 2, 6}));
    }
    const OverflowReport report = MustFind(tree.path());
    ASSERT_EQ(report.overflows.records.size(), 1u) << row.what;
    const OverflowEntry& entry = report.overflows.records[0];
    EXPECT_EQ(entry.op, row.op) << row.what;
    EXPECT_EQ(entry.why.empty(), !row.op.empty()) << row.what;
    EXPECT_EQ(entry.tensors.size(), row.op.empty() ? 0u : 1u) << row.what;
    if (!entry.tensors.empty()) {
      EXPECT_EQ(entry.tensors[0].max->AsDouble(), 6) << row.what;
      EXPECT_EQ(entry.tensors[0].mean->AsDouble(), 3) << row.what;
    }
    EXPECT_TRUE(report.errors.empty()) << row.what;
  }
}

TEST(Overflow, ShortenedNamesAreInTheMapping) {
  const TempTree tree;
  tree.Write("d/e/123", RecordDump(CoreRecordBytes({7, 3}, 32)));
  tree.Write("d/e/456", FloatDump({1}));
  tree.Write("d/e/mapping.csv",
             "123,Opdebug.Node_OpDebug.99.5.1700000000000050\n"
             "456,Add.a.7.3.1700000000000001\n");
  const OverflowReport report = MustFind(tree.path());
  ASSERT_EQ(report.overflows.records.size(), 1u);
  EXPECT_EQ(report.overflows.records[0].op, "a");
  EXPECT_EQ(report.overflows.records[0].dump, "d/e/456");
}

TEST(Overflow, EveryUnitThatSawSomething) {
  const TempTree tree;
  const auto name = [](int time) {
    return fmt::format("Opdebug.Node_OpDebug.9.1.17000000000000{}", time);
  };
  tree.Write(name(30),
             RecordDump(OldRecordBytes({1, 2, 0x900}, {}, {3, 4, 8})));
  tree.Write(name(20), RecordDump(OldRecordBytes({}, {}, {5, 6, 0})));
  tree.Write(name(10), RecordDump(OldRecordBytes({}, {7, 8, 0x20000}, {})));
  const OverflowReport report = MustFind(tree.path());
  std::string text;
  for (const OverflowEntry& e : report.overflows.records) {
    text += fmt::format("{} {} {} {}: {}\n", e.unit.unit, e.task, e.stream,
                        e.unit.status[0], e.meanings.at(0));
  }
  EXPECT_EQ(text,
            "L2 Atomic Add 7 8 131072: underflow in an atomic addition\n"
            "AI Core 5 6 0: no overflow recorded\n"
            "DHA Atomic Add 1 2 2304: overflow in an atomic addition\n"
            "AI Core 3 4 8: negation of the most negative integer\n");
}

TEST(Overflow, NothingRecordedIsNothingFound) {
  const TempTree tree;
  tree.Write("Opdebug.Node_OpDebug.9.1.1700000000000010",
             RecordDump(CoreRecordBytes({}, 0)));
  EXPECT_FALSE(MustFind(tree.path()).FoundSomething());
}

TEST(Overflow, OneFileOfARecord) {
  const TempTree tree;
  const std::string path =
      tree.Write("Opdebug.Node_OpDebug.9.1.1700000000000010",
                 RecordDump(CoreRecordBytes({7, 3}, 32)));
  tree.Write("Opdebug.Node_OpDebug.9.1.1700000000000011",
             RecordDump(CoreRecordBytes({7, 3}, 32)));
  tree.Write("Add.a.7.3.1700000000000001", FloatDump({1}));
  const OverflowReport report = MustFind(path);
  ASSERT_EQ(report.overflows.records.size(), 1u);
  EXPECT_EQ(report.overflows.records[0].op, "a");
  EXPECT_EQ(report.search.operators, 0u);
}

TEST(Overflow, DamageIsToldOnce) {
  const TempTree tree;
  tree.Write("Opdebug.Node_OpDebug.9.1.1700000000000010",
             RecordDump(CoreRecordBytes({7, 3}, 32)));
  tree.Write("Opdebug.Node_OpDebug.9.1.1700000000000011", RecordDump("short"));
  std::string cut = FloatDump({1, 2});
  cut.pop_back();
  tree.Write("Add.a.7.3.1700000000000001", cut);
  tree.Write("Add.b.8.3.1700000000000001", FloatDump({1, 2}));
  const OverflowReport report = MustFind(tree.path());
  ASSERT_EQ(report.errors.size(), 2u);
  for (const Error& error : report.errors) {
    EXPECT_NE(error.file, "");
    EXPECT_NE(error.hint, "");
  }
  EXPECT_EQ(report.overflows.records.size(), 1u);
}

TEST(Overflow, OnlyTheFirstAreMeasured) {
  OverflowOptions options = OverflowsOf(TestData("overflow/dump_dir"));
  options.first = 1;
  const auto report = TryOverflows(options);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->overflows.records.size(), 2u);
  EXPECT_EQ(report->overflows.records[0].tensors.size(), 1u);
  EXPECT_EQ(report->overflows.records[1].tensors.size(), 0u);
}

TEST(Overflow, Interrupted) {
  const auto report =
      TryOverflows(OverflowsOf(TestData("overflow/dump_dir")), true);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->interrupted);
  EXPECT_FALSE(report->search.finished);
  EXPECT_FALSE(report->search.first);
}

TEST(Overflow, NoSuchFolder) {
  const auto report = TryOverflows(OverflowsOf("/nowhere/at/all"));
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().what, "no such file or folder");
}

}  // namespace
}  // namespace assay
