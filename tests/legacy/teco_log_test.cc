#include "legacy/teco_log.h"

#include <gtest/gtest.h>

#include "metric_pairs.h"
#include "temp_tree.h"

namespace assay {
namespace {

std::string Folder(const std::string& name) {
  return MetricData("teco_compare/" + name);
}

TecoFolders Folders(bool golden) {
  return {.device = Folder("sdaa_outputs"),
          .compare = Folder("ort_fp16"),
          .golden = golden ? Folder("golden_fp32") : ""};
}

std::vector<std::string> Lines(const TecoFolders& folders) {
  const auto result = CompareTeco(folders);
  EXPECT_TRUE(result);
  return result ? TecoLines(*result) : std::vector<std::string>();
}

TEST(TecoLog, LinesEqualTheOriginals) {
  std::ifstream in(Folder("expected_log_lines.json"));
  const auto expected = nlohmann::json::parse(in);
  const auto wanted = [&](const char* key) {
    return expected[key].get<std::vector<std::string>>();
  };
  EXPECT_EQ(Lines(Folders(false)), wanted("compare_dir_only"));
  EXPECT_EQ(Lines(Folders(true)), wanted("with_golden_tag10"));
  TecoFolders strict = Folders(true);
  strict.tag = 5;
  strict.th1 = 0.02;
  EXPECT_EQ(Lines(strict), wanted("with_golden_tag5_th1_0.02"));
}

TEST(TecoLog, ListsWhatIsBadAndAlone) {
  const auto result = CompareTeco(Folders(true));
  ASSERT_TRUE(result);
  const std::string log = TecoLog(*result);
  for (const std::string& part :
       {"Files only in " + Folder("golden_fp32") +
            ": {'topoidx_00006__only_golden.npy'}\n",
        "Files only in " + Folder("sdaa_outputs") +
            ": {'topoidx_00005__only_sdaa.npy'}\n",
        "Files only in " + Folder("ort_fp16") + ": set()\n",
        std::string("------------------------- summary message "
                    "-------------------------\nnan_inf list: "
                    "['topoidx_00004__nan.npy']\n"),
        std::string("\ndiff2 list: ['topoidx_00001__conv_0.npy']\n"),
        std::string("\nother list: ['topoidx_00001__conv_0.npy', "
                    "'topoidx_00004__nan.npy']\n")}) {
    EXPECT_NE(log.find(part), log.npos) << part << "\n in \n" << log;
  }
}

TEST(TecoLog, WritesAWorkbook) {
  const auto result = CompareTeco(Folders(false));
  ASSERT_TRUE(result);
  const std::vector<Sheet> sheets = TecoSheets(*result);
  ASSERT_EQ(sheets.size(), 4u);
  EXPECT_EQ(sheets[0].rows.size(), 6u);
  EXPECT_EQ(sheets[3].name, "all_close");
  const TempTree tree;
  const std::string path = tree / "compare_results.xlsx";
  auto file = OutputFile::Create(path);
  ASSERT_TRUE(file);
  ASSERT_TRUE(WriteXlsx(*file, sheets));
  EXPECT_EQ(Content(path).substr(0, 2), "PK");
}

}  // namespace
}  // namespace assay
