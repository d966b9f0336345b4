#include "pipeline/config.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "temp_tree.h"
#include "test_paths.h"

namespace assay {
namespace {

// "TF_DUMP_STEP=5; note, note".
std::string Told(const std::string& text, const std::string& path) {
  const auto config = ParseConfig(text, path);
  if (!config) return fmt::format("error: {}", config.error().Text());
  std::string told;
  for (const ConfigKey& key : AllConfigKeys()) {
    if (!config->Has(key.name)) continue;
    told += fmt::format("{}={};", key.name, config->Text(key.name));
  }
  for (const std::string& note : config->notes()) told += " " + note + ".";
  return told;
}

TEST(Config, OldPythonFile) {
  const struct {
    std::string line, told;
  } kRows[] = {
      {"TF_DUMP_STEP = '0|5'", "TF_DUMP_STEP=0|5;"},
      {"DATA_ROOT_DIR = \"./d\"  # here", "DATA_ROOT_DIR=./d;"},
      {"DATA_ROOT_DIR='a # b'", "DATA_ROOT_DIR=a # b;"},
      {"DUMP_SEED = 7", "DUMP_SEED=7;"},
      {"DUMP_SEED = 7\nDUMP_SEED = 8", "DUMP_SEED=8;"},
      {"DUMP_GE_GRAPH = None", "DUMP_GE_GRAPH=;"},
      {"# TF_DUMP_STEP = '1'", ""},
      {"import os\n\ndef f(a=1):\n  X = a == 2\n", ""},
      {"CMD_ROOT_PATH = '/usr/local/'", " CMD_ROOT_PATH has no effect here."},
      {"TF_DUMP_STEPS = '1'",
       " TF_DUMP_STEPS is not a key of Assay; did you mean 'TF_DUMP_STEP'? it "
       "has no effect."},
      {"DATA_ROOT_DIR = os.path.join('a')",
       " line 1: DATA_ROOT_DIR is not set to a plain value; it has no effect."},
      {"DATA_ROOT_DIR = 'a",
       " line 1: DATA_ROOT_DIR is not set to a plain value; it has no effect."},
      {"DATA_ROOT_DIR = 'a' + 'b'",
       " line 1: DATA_ROOT_DIR is not set to a plain value; it has no effect."},
  };
  for (const auto& row : kRows)
    EXPECT_EQ(Told(row.line, "config.py"), row.told);
}

TEST(Config, Toml) {
  const struct {
    std::string text, told;
  } kRows[] = {
      {"", ""},
      {"TF_DUMP_STEP = '5'\nDUMP_SEED = 3", "TF_DUMP_STEP=5;DUMP_SEED=3;"},
      {"DUMP_GE_GRAPH = 1.5",
       " DUMP_GE_GRAPH is neither text nor a whole number."},
      {"LOG_LEVEL = 'INFO'", " LOG_LEVEL has no effect here."},
      {"[other]\nx = 1", " other is neither text nor a whole number."},
  };
  for (const auto& row : kRows) EXPECT_EQ(Told(row.text, "a.toml"), row.told);
  for (const char* text : {"\xd0\x83 = 1", "a = 1 \xc3\xa9", "a\xe2\x82\xac"}) {
    EXPECT_TRUE(Told(text, "a.toml").starts_with("error: assay: not TOML"));
  }
  EXPECT_TRUE(Told("a = 2021-01-01T::00Z", "a.toml")
                  .starts_with("error: assay: not TOML: "
                               "Error while parsing time"));
  EXPECT_TRUE(
      Told("a = 1\nb = ", "a.toml").starts_with("error: assay: not TOML"));
  EXPECT_NE(Told("a = 1\nb = ", "a.toml").find("a.toml (line 2)"),
            std::string::npos);
}

TEST(Config, DefaultsAndMissingFiles) {
  EXPECT_EQ(Config().Text("TF_DUMP_STEP"), "0");
  EXPECT_EQ(Config().Text("DATA_ROOT_DIR"), "precision_data");
  EXPECT_EQ(Config().Text("NO_SUCH_KEY"), "");
  EXPECT_FALSE(ReadConfig("/nowhere/assay.toml"));
  const TempTree tree;
  const auto config = ReadConfig(tree.Write("c.py", "DUMP_SEED = 1"));
  ASSERT_TRUE(config);
  EXPECT_EQ(config->Text("DUMP_SEED"), "1");
}

TEST(Config, CorpusIsReplayed) {
  size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(FuzzCorpus("config"))) {
    const std::string text = Content(entry.path());
    for (const char* path : {"config.py", "assay.toml"}) {
      const auto config = ParseConfig(text, path);
      EXPECT_TRUE(config || !config.error().what.empty()) << entry.path();
    }
    ++files;
  }
  EXPECT_GT(files, 2u);
}

}  // namespace
}  // namespace assay
