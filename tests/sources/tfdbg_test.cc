#include <gtest/gtest.h>

#include "sources/opened.h"
#include "test_paths.h"

namespace assay {
namespace {

const std::string kDump = TestData("../cli/data/tfdbg/dump");
const std::string kRun = kDump + "/run_1794959286444633_0";
const std::string kDevice =
    "_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0/";
const std::string kTensor =
    Content(kRun + "/" + kDevice + "net/mm_0_DebugIdentity_1794959286459623");

TEST(TfdbgTree, FromAnyLevelOn) {
  const std::string all =
      "tfdbg: _arg_x_0_0:output:0, net/bf16:output:0, net/mm:output:0, "
      "net/relu:output:0, net/split:output:0, net/split:output:1, "
      "net/split/split_dim:output:0, net/sub:output:0, net/text:output:0, "
      "net/w:output:0";
  for (const std::string& path : {kDump, kRun, kRun + "/" + kDevice}) {
    EXPECT_EQ(Told(path), all) << path;
    EXPECT_EQ(NotesOf(path), "") << path;
  }
}

TEST(TfdbgTree, HasTheGraphThatRan) {
  const auto dump = OpenSource(kDump, {});
  ASSERT_TRUE(dump);
  ASSERT_EQ(dump->graph_files.size(), 1u);
  EXPECT_NE(dump->graph_files[0].find("_tfdbg_graph_hash"), std::string::npos);
  EXPECT_EQ(dump->NameOf(dump->tensors[2]), "net/mm:0");
  EXPECT_EQ(dump->tensors[2].id.order, 1794959286459623);
}

TEST(TfdbgTree, RunsAreStepsAndTurnsAreCalls) {
  const TempTree tree;
  for (const std::string run :
       {"run_1700000000000000_0", "run_1700000000000009_1"}) {
    for (const char* time :
         {"1700000000000003", "1700000000000002", "1700000000000003-1"}) {
      tree.Write(fmt::format("session_0/{}/{}w/add_0_DebugIdentity_{}", run,
                             kDevice, time),
                 kTensor);
    }
  }
  EXPECT_EQ(Told(tree.path()),
            "tfdbg: s0 w/add:output:0, s0 #1 w/add:output:0, "
            "s0 #2 w/add:output:0, s1 w/add:output:0, s1 #1 w/add:output:0, "
            "s1 #2 w/add:output:0");
}

TEST(TfdbgTree, DamagedAndOtherFiles) {
  const TempTree tree;
  tree.Write(kDevice + "a_0_DebugIdentity_1700000000000000", kTensor);
  tree.Write(kDevice + "b_0_DebugIdentity_1700000000000000",
             kTensor.substr(0, 40));
  tree.Write(kDevice + "notes.txt", "hello");
  tree.Write("_tfdbg_fetches_info_", "x");
  EXPECT_EQ(Told(tree.path()), "tfdbg: a:output:0, b:output:0!");
  EXPECT_EQ(NotesOf(tree.path()), kDevice + "notes.txt: text");
}

TEST(TfdbgTree, OtherFoldersAreNone) {
  const TempTree tree;
  tree.Write("x/a_0_Identity_1700000000000000", kTensor);
  tree.Write("x/_tfdbg_device_x/readme", "hello");
  EXPECT_FALSE(Told(tree.path()).starts_with("tfdbg"));
}

}  // namespace
}  // namespace assay
