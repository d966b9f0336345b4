// A fake job writes what a device's job would; everything must end where the
// other commands look for it.
#include "pipeline/capture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "pipeline/acl_json.h"
#include "pipeline/capture_tf.h"
#include "pipeline/capture_words.h"
#include "temp_tree.h"
#include "test_paths.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// Jobs write to the working folder.
class CaptureTest : public testing::Test {
 protected:
  CaptureTest() : before_(fs::current_path()) {
    fs::current_path(tree_.path());
  }
  ~CaptureTest() override { fs::current_path(before_); }

  static CaptureReport Ran(CaptureOptions options) {
    auto report = Capture(options);
    EXPECT_TRUE(report) << report.error().Text();
    return report ? *std::move(report) : CaptureReport();
  }
  // "dumps 2, graphs 1".
  static std::string CameText(const CaptureReport& report) {
    std::string text;
    for (const CaptureReport::Came& came : report.came) {
      if (came.files == 0) continue;
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", came.what,
                          came.files);
    }
    return text;
  }
  static bool There(const std::string& path) { return fs::exists(path); }

  TempTree tree_;
  fs::path before_;
};

TEST_F(CaptureTest, CollectsWhatTheJobLeft) {
  const CaptureReport report =
      Ran({.command = {
               "mkdir -p 20240101120000/0/net/1/0 &&"
               "touch 20240101120000/0/net/1/0/Add.a.1.2.1700000000000000 "
               "ge_proto_00000005_Build.txt ge_proto_00000005_Build.txt.json "
               "fusion_result.json own.txt own.om "
               "$DUMP_GRAPH_PATH/ge_proto_00000004_PreRunBegin.txt &&"
               "mkdir -p $DUMP_GRAPH_PATH/pid_1_deviceid_0 &&"
               "touch $DUMP_GRAPH_PATH/pid_1_deviceid_0/"
               "ge_proto_00000006_Build.txt; exit 3"}});
  EXPECT_EQ(report.exit, 3);
  EXPECT_EQ(CameText(report), "dumps 1, graphs 4, fusion_result.json 1");
  EXPECT_TRUE(report.notes.empty());
  const std::string run = "precision_data/npu/debug_0/";
  EXPECT_TRUE(There(run + "dump/20240101120000/0/net/1/0/"
                          "Add.a.1.2.1700000000000000"));
  EXPECT_TRUE(There(run + "graph/ge_proto_00000005_Build.txt"));
  EXPECT_TRUE(There(run + "graph/ge_proto_00000006_Build.txt"));
  EXPECT_TRUE(There("precision_data/fusion/fusion_result.json"));
  EXPECT_TRUE(There("fusion_result.json")) << "it is copied";
  EXPECT_TRUE(There("own.txt"));
  EXPECT_TRUE(There("own.om"));
}

TEST_F(CaptureTest, LeavesWhatWasThereBefore) {
  tree_.Write("ge_proto_00000001_Build.txt", "old");
  tree_.Write("20230101120000/x", "old");
  tree_.Write("fusion_result.json", "old");
  const CaptureReport report = Ran({.command = {"true"}});
  EXPECT_TRUE(report.nothing());
  EXPECT_TRUE(There("ge_proto_00000001_Build.txt"));
  EXPECT_TRUE(There("20230101120000/x"));
  EXPECT_FALSE(There("precision_data/fusion/fusion_result.json"));
}

TEST_F(CaptureTest, OverflowsGoToTheirOwnPlace) {
  const CaptureReport report =
      Ran({.kind = CaptureKind::kOverflow,
           .command = {"mkdir -p elsewhere/20240101 && "
                       "touch elsewhere/20240101/Opdebug.Node_OpDebug.1.2.17 "
                       "elsewhere/20240101/Mul.m.1.2.16"},
           .look_in = {"elsewhere"}});
  EXPECT_EQ(CameText(report), "overflow records and dumps 2");
  EXPECT_TRUE(There("precision_data/overflow/dump/20240101/Mul.m.1.2.16"));
}

TEST_F(CaptureTest, ASecondRunSaysSo) {
  const CaptureOptions options = {
      .command = {"touch ge_proto_00000005_Build.txt"}};
  EXPECT_TRUE(Ran(options).notes.empty());
  const CaptureReport again = Ran(options);
  ASSERT_EQ(again.notes.size(), 1u);
  EXPECT_NE(again.notes[0].find("graphs of an earlier run"), std::string::npos);
  EXPECT_EQ(CameText(again), "graphs 1");
}

TEST_F(CaptureTest, FusionOffIsARunOfItsOwn) {
  const CaptureReport report =
      Ran({.command = {"cp $ASSAY_FUSION_SWITCH_FILE seen.cfg && "
                       "touch ge_proto_00000005_Build.txt"},
           .fusion = "off"});
  EXPECT_TRUE(
      There("precision_data/npu/debug_1/graph/"
            "ge_proto_00000005_Build.txt"));
  EXPECT_NE(Content(tree_ / "seen.cfg").find("\"ALL\": \"off\""),
            std::string::npos);
  EXPECT_FALSE(Capture({.command = {"true"}, .fusion = "nowhere.cfg"}));
}

TEST_F(CaptureTest, TheEnvironment) {
  const auto config = ParseConfig(
      "TF_DUMP_STEP = '0|5'\nDATA_ROOT_DIR = 'work'\nDUMP_GRAPH_LEVEL = 1\n"
      "FUSION_SWITCH_FILE = 'mine.cfg'",
      "config.py");
  tree_.Write("mine.cfg", "{}");
  ASSERT_TRUE(config);
  std::map<std::string, std::string> all;
  for (const Variable& v : CaptureEnvironment(
           {.command = {"true"}, .autofuse = true, .config = *config})) {
    all[v.name] = v.value;
  }
  const std::string here = fs::current_path();
  EXPECT_EQ(all["DUMP_GE_GRAPH"], "2");
  EXPECT_EQ(all["DUMP_GRAPH_LEVEL"], "1");
  EXPECT_EQ(all["DUMP_GRAPH_PATH"], here + "/work/npu/debug_0/graph");
  EXPECT_EQ(all["PRECISION_TOOL_DUMP"], "True");
  EXPECT_EQ(all["EXPERIMENTAL_ENABLE_AUTOFUSE"], "1");
  EXPECT_EQ(all["EXPERIMENTAL_LOWERING_REDUCE"], "1");
  EXPECT_EQ(all["EXPERIMENTAL_LOWERING_CONCAT"], "1");
  EXPECT_EQ(all["ASSAY_DUMP_PATH"], here + "/work/npu/debug_0/dump");
  EXPECT_EQ(all["ASSAY_DUMP_STEP"], "0|5");
  EXPECT_EQ(all["ASSAY_FUSION_SWITCH_FILE"], here + "/mine.cfg");
}

TEST_F(CaptureTest, AnEmptyRootIsTheWorkingFolder) {
  const auto config = ParseConfig("DATA_ROOT_DIR = ''", "config.py");
  ASSERT_TRUE(config);
  const CaptureReport report = Ran(
      {.command = {"touch ge_proto_00000005_Build.txt"}, .config = *config});
  EXPECT_EQ(CameText(report), "graphs 1");
  EXPECT_TRUE(There("npu/debug_0/graph/ge_proto_00000005_Build.txt"));
}

TEST_F(CaptureTest, NothingCameIsSaid) {
  const CaptureOptions options = {.command = {"exit 4"}};
  const std::string text = CaptureText(Ran(options), options);
  EXPECT_NE(text.find("the job ended with 4"), std::string::npos) << text;
  EXPECT_NE(text.find("warning: nothing came"), std::string::npos) << text;
}

TEST_F(CaptureTest, ArraysOfADumpOfTensorFlow) {
  const CapturePlaces places = PlacesOf({.kind = CaptureKind::kTf});
  fs::create_directories(places.tfdbg + "/session_0");
  fs::copy(TestData("../cli/data/tfdbg/dump"), places.tfdbg + "/session_0",
           fs::copy_options::recursive);
  CaptureReport report;
  ASSERT_TRUE(
      WriteTfdbgArrays(places, {"session_0/run_1794959286444633_0"}, report));
  EXPECT_EQ(CameText(report), "arrays 9");
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes[0], "net/text:0 holds no numbers, left out");
  EXPECT_EQ(report.tensors.size(), 10u);
  EXPECT_TRUE(There(places.golden + "/net_mm.0.1794959286459623.npy"));
}

TEST(CaptureTf, NamesInTheListOfTensors) {
  const std::string text =
      "3 dumped tensor(s):\n\n"
      "t (ms)   Size (B) Op type    Tensor name\n"
      "[0.000]  226      Const      net/w:0\n"
      "[1.500]  202      Split      net/split:1\r\n"
      "[2.000]  202      Add        loop/add:0\n"
      "[3.000]  202      Add        loop/add:0\n"
      "tfdbg> ";
  const std::vector<std::string> wanted = {"net/w:0", "net/split:1",
                                           "loop/add:0", "loop/add:0"};
  EXPECT_EQ(TensorsOfLt(text), wanted);
  EXPECT_TRUE(TensorsOfLt("[x]\n[1] no name\n").empty());
  EXPECT_EQ(*PtCommands({"loop/add:0", "loop/add:0"}, "d", 17),
            "pt loop/add:0 -n 0 -w d/loop_add.0.17.npy\n"
            "pt loop/add:0 -n 1 -w d/loop_add.0.18.npy\n");
}

TEST(CaptureTf, RunsThatHoldFiles) {
  const std::vector<std::string> wanted = {"s/run_1_0", "s/run_2_1"};
  EXPECT_EQ(RunsOf({"s/run_2_1/_tfdbg_device_x/a_0_D_1", "s/run_2_1/other",
                    "s/run_1_0/_tfdbg_device_x/b/c"}),
            wanted);
}

TEST(AclJson, SaysWhatToDump) {
  const auto text =
      AclJson({.models = {"net"}, .dump_path = "/d", .layers = {"a", "b"}});
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("\"model_name\": \"net\""), std::string::npos);
  const struct {
    AclDump dump;
    std::string error;
  } kRows[] = {
      {{}, "which model?"},
      {{.models = {"a"}}, "where to?"},
      {{.models = {"a"}, .dump_path = "/d", .mode = "al"}, "unknown mode 'al'"},
      {{.models = {"a", "b"}, .dump_path = "/d", .layers = {"x"}},
       "layers of which model? 2 are named"},
  };
  for (const auto& row : kRows) {
    const auto wrong = AclJson(row.dump);
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().what, row.error);
  }
}

}  // namespace
}  // namespace assay
