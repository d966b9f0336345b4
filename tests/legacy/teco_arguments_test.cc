#include "legacy/teco_arguments.h"

#include <gtest/gtest.h>

#include <cmath>

namespace assay {
namespace {

using Words = std::vector<std::string>;
using Inputs = std::vector<std::pair<std::string, std::string>>;

TEST(TecoArguments, EchoIsWhatArgparsePrints) {
  const auto args =
      ParseTeco("dump_range", {"-f", "ort", "-d", "it's.onnx", "-bs", "relu1",
                               "-s=10", "--input", "x:a.npy", "y:0:b.npy", "-t",
                               "5", "--th1", "0.02"});
  ASSERT_TRUE(args) << args.error().Text();
  EXPECT_EQ(args->echo,
            "Namespace(frame_type='ort', onnx_dir=\"it's.onnx\", "
            "model_type='float16', begin=0, end=0, begin_string='relu1', "
            "end_string=None, step=10, input_file='x:a.npy,y:0:b.npy', "
            "passed_path='ocr_passes.py', compare_dir='', golden_dir='', "
            "input_tag=5.0, "
            "th1=0.02, th2=0.001, name='dump_range')");
  EXPECT_EQ(args->begin.name, "relu1");
  EXPECT_FALSE(args->begin.index);
  EXPECT_EQ(args->step, 10);
  EXPECT_EQ(args->inputs, (Inputs{{"x", "a.npy"}, {"y:0", "b.npy"}}));
  EXPECT_EQ(args->tag, 5);
  EXPECT_EQ(args->th1, 0.02);
}

TEST(TecoArguments, ZeroIsAnIndex) {
  const auto args =
      ParseTeco("dump_range", {"-f", "ort", "-d", "m", "-b", "0", "-e", "5"});
  ASSERT_TRUE(args);
  EXPECT_EQ(args->begin.index, 0);
  EXPECT_EQ(args->end.index, 5);
}

// As the tool has it, so that old lines go on working.
TEST(TecoArguments, ZeroIsNotGivenBesideANameAndAsAnEnd) {
  const auto args = ParseTeco("dump_range", {"-f", "ort", "-d", "m", "-b", "0",
                                             "-bs", "relu1", "-e", "0"});
  ASSERT_TRUE(args);
  EXPECT_FALSE(args->begin.index);
  EXPECT_EQ(args->begin.name, "relu1");
  EXPECT_FALSE(args->end.index);
  EXPECT_EQ(args->passes, "");
  EXPECT_NE(args->echo.find("input_file=None"), std::string::npos);
}

// What argparse takes, with int() and float().
TEST(TecoArguments, OtherWaysToWriteTheSame) {
  const auto plain = ParseTeco(
      "dump_full",
      {"-f", "ort", "-d", "m", "-s", "10", "-t", "5", "-mt", "x", "-cd", "y"});
  ASSERT_TRUE(plain);
  const Words kRows[] = {
      {"-fort", "-dm", "-s10", "-t5", "-mt", "x", "-cd", "y"},
      {"-f=ort", "-d", "m", "-s=1_0", "-t+5", "-m", "x", "-c", "y"},
      {"--fr", "ort", "-d", "m", "-s", "+10", "-t", " 5.0 ", "-m=x", "-c=y"}};
  for (const Words& row : kRows) {
    const auto args = ParseTeco("dump_full", row);
    ASSERT_TRUE(args) << args.error().Text();
    EXPECT_EQ(args->echo, plain->echo);
  }
  EXPECT_EQ(ParseTeco("dump_full", {"-fort", "-dm", "-t1e400"})->tag, INFINITY);
}

TEST(TecoArguments, SaysWhatIsWrong) {
  const struct {
    std::string command;
    Words words;
    std::string error;
  } kRows[] = {
      {"dump_full",
       {"-f", "ort"},
       "the following arguments are required: -d/--onnx_dir"},
      {"dump_once",
       {"-f", "ort", "-d", "m"},
       "the following arguments are required: -n/--output_name"},
      {"dump_full",
       {"-f", "ort", "-d", "m", "-s", "two"},
       "argument -s/--step: invalid int value: 'two'"},
      {"dump_range",
       {"-f", "ort", "-d", "m", "-be"},
       "argument -b/--begin: invalid int value: 'e'"},
      {"dump_full",
       {"-f", "ort", "-d", "m", "-s", "1__0"},
       "argument -s/--step: invalid int value: '1__0'"},
      {"dump_full",
       {"-f", "ort", "-d", "m", "-t1", "x"},
       "argument -t1/--th1: invalid float value: 'x'"},
      {"dump_full",
       {"-f", "ort", "-d", "m", "-i", "x"},
       "-i takes name:file.npy, not 'x'"},
      {"dump_full",
       {"-f", "ort", "-d", "m", "-n", "y"},
       "unrecognized arguments: -n"},
  };
  for (const auto& row : kRows) {
    const auto args = ParseTeco(row.command, row.words);
    ASSERT_FALSE(args) << row.error;
    EXPECT_EQ(args.error().what, row.error);
  }
}

TEST(TecoArguments, HelpNamesEveryOption) {
  EXPECT_TRUE(ParseTeco("dump_once", {"-h"})->wants_help);
  EXPECT_NE(TecoHelp("dump_range").find("-bs, --begin_string"),
            std::string::npos);
  EXPECT_EQ(TecoHelp("dump_full").find("--begin"), std::string::npos);
}

}  // namespace
}  // namespace assay
