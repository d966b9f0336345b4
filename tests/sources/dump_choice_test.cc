#include "sources/dump_choice.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

// The groups that are read, as indices: "0 2,3"; then what was dropped.
std::string Told(const std::vector<std::string>& names,
                 const BetterDump& better = IsNewer) {
  std::vector<DumpFile> files;
  for (uint32_t i = 0; i < names.size(); ++i) {
    const size_t slash = names[i].find('/');
    const bool inner = slash != std::string::npos;
    const DumpName name = *ParseDumpName(
        std::string_view(names[i]).substr(inner ? slash + 1 : 0));
    files.push_back({i, inner ? 1u : 0u, WithoutSliceMarks(name.op), name});
  }
  DumpChoice choice = ChooseDumps(std::move(files), better);
  choice.groups.push_back(choice.files.size());
  std::string text;
  for (size_t g = 0; g + 1 < choice.groups.size(); ++g) {
    for (size_t i = choice.groups[g]; i < choice.groups[g + 1]; ++i) {
      text += fmt::format("{}{}", i == choice.groups[g] ? " " : ",",
                          choice.files[i].file);
    }
  }
  for (const auto& dropped : choice.dropped) {
    text += fmt::format(" {}->{}{}", dropped.file, dropped.instead_of_it,
                        dropped.is_summary ? "s" : "");
  }
  return text.empty() ? text : text.substr(1);
}

TEST(DumpChoice, OneFilePerOperator) {
  EXPECT_EQ(Told({}), "");
  EXPECT_EQ(Told({"Add.a.1.2.1700000000000001", "Add.b.1.2.1700000000000001"}),
            "0 1");
  EXPECT_EQ(Told({"Add.a.1.2.1700000000000001", "x/Add.a.1.2.1700000000000002",
                  "Mul.a.1.2.1700000000000003"}),
            "0 2 1")
      << "other folders and other types are other operators";
}

TEST(DumpChoice, TheNewestIsRead) {
  EXPECT_EQ(Told({"Add.a.1.2.1700000000000002", "Add.a.9.9.1700000000000001",
                  "Add.a.1.2.1600000000"}),
            "0 1->0 2->0");
  // The time is not always the last field.
  EXPECT_EQ(Told({"Add.a.1.2.1700000000000002.0.1.0.0",
                  "Add.a.1.2.1700000000000001.0.1.0.9"}),
            "0 1->0");
  // Where times are equal or unknown, the order of the names decides.
  EXPECT_EQ(Told({"Add.a.1.2.17", "Add.a.1.2.18"}), "1 0->1");
  EXPECT_EQ(Told({"Add.a.1.2.1700000000000002", "Add.a.1.2.1700000000000001"},
                 [](const DumpFile& a, const DumpFile& b) {
                   return a.file > b.file;  // as if it were larger
                 }),
            "1 0->1");
}

TEST(DumpChoice, ValuesBeforeStatistics) {
  EXPECT_EQ(
      Told({"Add.a.1.2.1700000000000001", "Add.a.1.2.1700000000000009.csv",
            "Add.a.1.2.1700000000000001_min_max.npz"}),
      "0 1->0s 2->0s");
  EXPECT_EQ(Told({"Add.a.1.2.1700000000000001.csv",
                  "Add.a.1.2.1700000000000009.csv"}),
            "1 0->1");
}

TEST(DumpChoice, SlicesInOrder) {
  // By thread, whatever the time.
  EXPECT_EQ(Told({"Add.a.1.2.1700000000000003.4.7.2.0",
                  "Add.a.1.2.1700000000000001.4.7.10.0",
                  "Add.a.1.2.1700000000000005.4.7.0.0"}),
            "2,0,1");
  // Cut by hand: by the number in the name.
  EXPECT_EQ(Told({"Add.a_lxslice1.1.2.1700000000000001.4.7.0.0",
                  "Add.a_lxslice0.1.2.1700000000000002.4.7.0.0"}),
            "1,0");
  // Run twice: the newest of each.
  EXPECT_EQ(Told({"Add.a.1.2.1700000000000001.4.7.0.0",
                  "Add.a.1.2.1700000000000002.4.7.1.0",
                  "Add.a.1.2.1700000000000011.4.7.0.0"}),
            "2,1 0->2");
  // Not a slice, and older.
  EXPECT_EQ(
      Told({"Add.a.1.2.1700000000000000", "Add.a.1.2.1700000000000001.4.7.0.0",
            "Add.a.1.2.1700000000000002.4.7.1.0"}),
      "1,2 0->1");
  EXPECT_EQ(Told({"Add.a.1.2.1700000000000009",
                  "Add.a.1.2.1700000000000001.4.7.0.0"}),
            "0 1->0");
}

}  // namespace
}  // namespace assay
