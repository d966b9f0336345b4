// The prompt's lines: commands, quotes, the word to be completed.
#include <gtest/gtest.h>

#include <filesystem>

#include "app/shell/command_line.h"
#include "app/shell/completion.h"
#include "run_line.h"
#include "temp_tree.h"
#include "test_paths.h"

namespace assay {
namespace {

using Words = std::vector<std::string>;

// Words are joined with |, commands with newlines.
std::string Split(std::string_view text) {
  const auto commands = SplitCommands(text);
  if (!commands) return commands.error().what;
  std::string out;
  for (const TypedCommand& command : *commands) {
    for (const std::string& word : command.words) out += word + "|";
    out += command.text + "\n";
  }
  return out;
}

TEST(CommandLine, WordsAndCommands) {
  const struct {
    std::string text, commands;
  } kRows[] = {
      {"", ""},
      {" \t ; ;\n", ""},
      {"ac -c; ls -t Conv2D", "ac|-c|ac -c\nls|-t|Conv2D|ls -t Conv2D\n"},
      {"ni 'a b;c'", "ni|a b;c|ni 'a b;c'\n"},
      {"ni \"a \\\" b\"\\;x", "ni|a \" b;x|ni \"a \\\" b\"\\;x\n"},
      {"ni ''", "ni||ni ''\n"},
      {"# ac\nls # no comment", "ls|#|no|comment|ls # no comment\n"},
      {"ls\r\nac", "ls|ls\nac|ac\n"},
      {"echo a | wc -c", "echo|a|||wc|-c|echo a | wc -c\n"},
      {"pt '~/x' a~/x \\~/x", "pt|~/x|a~/x|~/x|pt '~/x' a~/x \\~/x\n"},
      {"pt 'x", "a quote is not closed"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Split(row.text), row.commands);
}

TEST(CommandLine, TheWordThatIsOpen) {
  const struct {
    std::string line;
    Words before;
    size_t begin;
    std::string text;
  } kRows[] = {
      {"", {}, 0, ""},
      {"l", {}, 0, "l"},
      {"ls ", {"ls"}, 3, ""},
      {"ls -t Co", {"ls", "-t"}, 6, "Co"},
      {"ac; ni co", {"ni"}, 7, "co"},
      {"ac;", {}, 3, ""},
      {"pt 'a b", {"pt"}, 3, "a b"},
      {"pt a\\ b", {"pt"}, 3, "a b"},
  };
  for (const auto& row : kRows) {
    const OpenWord word = LastWord(row.line);
    EXPECT_EQ(word.before, row.before) << row.line;
    EXPECT_EQ(word.begin, row.begin) << row.line;
    EXPECT_EQ(word.text, row.text) << row.line;
  }
}

TEST(CommandLine, FuzzersSamples) {
  size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(FuzzCorpus("command_line"))) {
    const std::string text = Content(entry.path());
    (void)SplitCommands(text);
    EXPECT_LE(LastWord(text).begin, text.size());
    ++files;
  }
  EXPECT_GT(files, 1u);
}

TEST(CommandLine, AnEscapedWordReadsBack) {
  using namespace std::string_literals;
  for (const std::string& word : {"a b;c'd\"e\\f#g"s, "zero\0byte"s}) {
    const auto again = SplitCommands(Escaped(word));
    ASSERT_TRUE(again);
    EXPECT_EQ((*again)[0].words, Words{word});
  }
}

class Completing : public testing::Test {
 protected:
  Completing() {
    tree_.Write("run/Add.sum.1.2.1700000000000001", "no dump, only a name");
    tree_.Write("run/relu1.0.17.npy", "");
    tree_.Write("run/ge_proto_00000001_Build.txt",
                "graph { name: \"net\" op { name: \"scope/conv one\" type: "
                "\"Conv2D\" } op { name: \"scope/add\" type: \"Add\" } }");
    folder_ = *FindWorkFolder(tree_ / "run");
  }

  Words Of(const std::string& line) { return Completer(folder_)(line).words; }

  TempTree tree_;
  WorkFolder folder_;
};

TEST_F(Completing, EveryKindOfWord) {
  EXPECT_EQ(Of("vc"), (Words{"vc", "vcs"}));
  EXPECT_EQ(Of("help co"), (Words{"compare", "convert"}));
  EXPECT_EQ(Of("cp --p"), Words{"--pad"});
  EXPECT_EQ(Of("compare --stri"), Words{"--strict"});
  EXPECT_EQ(Of("ni scope/c"), Words{"scope/conv one"});
  EXPECT_EQ(Of("ac; ni -n scope/a"), Words{"scope/add"});
  EXPECT_EQ(Of("ls -t C"), Words{"Conv2D"});
  EXPECT_EQ(Of("pt relu"), Words{"relu1.0.17.npy"});
  EXPECT_EQ(Of("dc Add"), Words{"Add.sum.1.2.1700000000000001"});
  EXPECT_EQ(Of("show " + tree_.path() + "/r"), Words{tree_ / "run/"});
  EXPECT_EQ(Of("ni nothing"), Words{});
}

TEST(ShellCommand, StatusOfTheLastCommand) {
  const TempTree tree;
  const auto shell = [&](const std::string& text) {
    return RunWords({"shell", tree.path(), "-c", text});
  };
  EXPECT_EQ(shell("true").exit, 0);
  EXPECT_EQ(shell("pt nothing.npy").exit, 2);
  EXPECT_EQ(shell("pt nothing.npy; run true").exit, 0);
  EXPECT_EQ(shell("run 'exit 3; true'").exit, 3);
  EXPECT_EQ(shell("false; exit; true").exit, 1);
  EXPECT_EQ(shell("shell").exit, 2);
  EXPECT_NE(shell("help").out.find("precision_tool"), std::string::npos);
  EXPECT_NE(shell("help cp").out.find("usage: cp"), std::string::npos);
  EXPECT_NE(shell("cp -h").out.find("usage: cp"), std::string::npos);
  EXPECT_NE(shell("help compare").out.find("GOLDEN"), std::string::npos);
  EXPECT_NE(shell("list --help").out.find("assay list"), std::string::npos);
}

TEST(ShellCommand, SaysWhatIsWrong) {
  const TempTree tree;
  const struct {
    std::string text, error;
  } kRows[] = {
      {"ni", "'ni' takes 1 name, 0 given"},
      {"cp one", "'cp' takes 2 names, 1 given"},
      {"ls dump", "unrecognized arguments: dump"},
      {"ls -x", "unrecognized arguments: -x"},
      {"cp a b -p many", "-p 'many' is not a number"},
      {"cp a b -p 1.5", "-p '1.5' is not a count"},
      {"cp a b -al x", "-al 'x' is not a number"},
      {"vcs -f nowhere.csv", "cannot open"},
      {"vcs", "no table to read"},
      {"open nowhere", "'open' takes a run file"},
      {"pt 'a", "a quote is not closed"},
      {"ni nothing", "no operator is called 'nothing'"},
      {"dc nothing", "no dump is called 'nothing'"},
  };
  for (const auto& row : kRows) {
    const Ran ran = RunWords({"shell", tree.path(), "-c", row.text});
    EXPECT_NE(ran.err.find(row.error), std::string::npos) << row.text << "\n"
                                                          << ran.err;
    EXPECT_EQ(ran.exit, 2) << row.text;
  }
  EXPECT_EQ(RunWords({"shell", "--labels", "x", tree.path()}).exit, 2);
  EXPECT_EQ(RunWords({"shell", tree / "nowhere"}).exit, 2);
}

}  // namespace
}  // namespace assay
