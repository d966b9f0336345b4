// show, convert, list and the words around them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/run_line.h"
#include "arrays.h"
#include "temp_tree.h"

namespace assay {
namespace {

class CommandsTest : public testing::Test {
 protected:
  void SetUp() override {
    tree_.Write("golden/a.npy", Npy(Random(100), "10, 10"));
    tree_.Write("golden/b.npy", Npy(Random(100)));
    tree_.Write("target/a.npy", Npy(Random(100, 2), "10, 10"));
    tree_.Write("target/b.npy", Npy(Random(100)));
    tree_.Write("cut/a.npy", "\x93NUMPY");
    tree_.Write("cut/b.npy", Npy(Random(100)));
    RunLine("compare G T -o D/run.assay", Places());
  }
  Folders Places() const {
    return {tree_ / "golden", tree_ / "target", tree_.path()};
  }
  Ran Run(const std::string& line) { return RunLine(line, Places()); }

  TempTree tree_;
};

TEST_F(CommandsTest, ShowFileFolderRunRow) {
  const struct {
    std::string line, schema;
    int exit;
  } kRows[] = {{"show G --json", "assay.tensor/1", 0},
               {"show D/golden/a.npy --json", "assay.tensor/1", 0},
               {"show G a --json", "assay.tensor/1", 0},
               {"show D/cut --json", "assay.tensor/1", 2},
               {"show D/run.assay --json", "assay.comparison/1", 0},
               {"list --json", "assay.list/1", 0},
               {"list metrics --json", "assay.list/1", 0}};
  for (const auto& row : kRows) {
    const Ran ran = Run(row.line);
    EXPECT_EQ(ran.exit, row.exit) << row.line << ran.err;
    const auto json = nlohmann::json::parse(ran.out, nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << row.line << "\n" << ran.out;
    EXPECT_EQ(json["schema"], row.schema) << row.line;
  }
}

TEST_F(CommandsTest, ShowTellsTheNumbers) {
  const auto json = nlohmann::json::parse(Run("show G --json").out);
  ASSERT_EQ(json["tensors"].size(), 2u);
  EXPECT_EQ(json["tensors"][0]["name"], "a");
  EXPECT_EQ(json["tensors"][0]["dtype"], "f32");
  EXPECT_EQ(json["tensors"][0]["shape"], nlohmann::json({10, 10}));
}

TEST_F(CommandsTest, ShowOneRow) {
  for (const char* name : {"a", "0"}) {
    const Ran ran =
        Run(fmt::format("show D/run.assay {} --worst 3 --json", name));
    EXPECT_EQ(ran.exit, 0) << ran.err;
    const auto json = nlohmann::json::parse(ran.out, nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << ran.out;
    EXPECT_EQ(json["name"], "a");
    EXPECT_EQ(json["worst"].size(), 3u);
    EXPECT_EQ(json["worst"][0]["index"].size(), 2u);
  }
}

TEST_F(CommandsTest, ShowMistakes) {
  const struct {
    std::string line, says;
  } kRows[] = {
      {"show", "at least 1"},
      {"show D/nowhere", "no such file or folder"},
      {"show G aa", "did you mean 'a'?"},
      {"show D/run.assay aa", "no row is called 'aa'"},
      {"show D/cut/a.npy", "hint"},
      {"show G -o D/x.json", "-o is for a saved run"},
      {"show D/run.assay -o D/x.docx", ".docx"},
      {"show D/run.assay --sort cosin", "did you mean 'cosine'?"},
      {"convert D/golden/a.npy --to npz", "-o DIR is missing"},
      {"convert D/golden/a.npy -o D/out", "--to is missing"},
      {"convert D/golden/a.npy --to npx -o D/out", "npz"},
      {"convert D/nowhere --to npz -o D/out", "no such file or folder"},
      {"list metric", "metrics"},
      {"nonsense", "unknown command 'nonsense'"},
      {"compar G T", "did you mean 'compare'?"},
  };
  for (const auto& row : kRows) {
    const Ran ran = Run(row.line);
    EXPECT_EQ(ran.exit, 2) << row.line;
    EXPECT_NE(ran.err.find(row.says), std::string::npos) << row.line << "\n"
                                                         << ran.err;
  }
}

TEST_F(CommandsTest, ASavedRunBecomesAnyReport) {
  for (const char* suffix : {"json", "csv", "md", "junit.xml", "txt"}) {
    const std::string line =
        fmt::format("compare G T -o D/one.{0} -o D/two.assay", suffix);
    EXPECT_EQ(Run(line).exit, 3);
    const Ran ran = Run(fmt::format("show D/two.assay -o D/two.{}", suffix));
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_EQ(Content(tree_ / (std::string("two.") + suffix)),
              Content(tree_ / (std::string("one.") + suffix)))
        << suffix;
  }
}

TEST_F(CommandsTest, ConvertExitCodes) {
  const struct {
    std::string line;
    int exit;
  } kRows[] = {{"convert G --to npz -o D/out", 0},
               {"convert G --to npz -o D/out", 2},  // they exist
               {"convert G --to npz -o D/out --force", 0},
               {"convert D/cut --to npz -o D/out2", 2},
               {"convert G T --to npz -o D/out3", 2}};
  for (const auto& row : kRows) {
    EXPECT_EQ(Run(row.line).exit, row.exit) << row.line;
  }
  EXPECT_TRUE(std::filesystem::exists(tree_ / "out2/b.npy.npz"));
}

TEST_F(CommandsTest, HelpGoesToStdout) {
  for (const char* line :
       {"--help", "-h", "help", "help compare", "compare --help", "show -h",
        "convert --help", "list --help", "--version"}) {
    const Ran ran = Run(line);
    EXPECT_EQ(ran.exit, 0) << line;
    EXPECT_NE(ran.out, "") << line;
    EXPECT_EQ(ran.err, "") << line;
  }
}

TEST(Help, NamesEveryOptionOfEveryCommand) {
  for (const Command* command : AllCommands()) {
    const std::string help = HelpText(*command);
    for (const OptionSpec& spec : command->options) {
      EXPECT_NE(spec.text, "");
      const std::string name(spec.names.substr(spec.names.rfind('-') + 1));
      EXPECT_NE(help.find(name), std::string::npos) << name;
    }
    EXPECT_TRUE(help.find(command->usage) != std::string::npos);
  }
}

}  // namespace
}  // namespace assay
