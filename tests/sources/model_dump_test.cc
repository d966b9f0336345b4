// Dumps of models: ours, and those of dump_tools.
#include <gtest/gtest.h>

#include <filesystem>

#include "sources/dump_info.h"
#include "sources/source.h"
#include "temp_tree.h"
#include "test_paths.h"

namespace assay {
namespace {

std::string Npy() {
  const auto bytes = Content(TestData("codecs/acl.npy"));
  return bytes;
}

TEST(DumpInfo, CorpusIsReplayed) {
  size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(FuzzCorpus("dump_info"))) {
    const auto info = ReadDumpInfo(entry.path());
    if (!info) {
      EXPECT_FALSE(info.error().what.empty());
      EXPECT_EQ(info.error().file, entry.path());
    }
    ++files;
  }
  EXPECT_GT(files, 2u);
}

TEST(DumpInfo, IsRead) {
  const auto info = ReadDumpInfo(FuzzCorpus("dump_info/info"));
  ASSERT_TRUE(info) << info.error().Text();
  EXPECT_EQ(info->executor, "ort");
  EXPECT_EQ(info->model, "/m.onnx");
  ASSERT_EQ(info->inputs.size(), 1u);
  EXPECT_EQ(info->inputs[0].seed, 1u);
  EXPECT_EQ(info->inputs[0].low, -1);
  EXPECT_TRUE(info->inputs[0].external);
  EXPECT_EQ(info->inputs[0].shape, (Shape{1, 2}));
  ASSERT_EQ(info->taps.size(), 2u);
  EXPECT_EQ(info->taps[0].file, "outputs/a.npy");
  EXPECT_EQ(info->taps[1].error, "no");
}

TEST(ModelDump, NamesOrderAndErrors) {
  const TempTree tree;
  tree.Write("outputs/topoidx_00000__conv.npy", Npy());
  tree.Write("outputs/relu.npy", Npy());
  tree.Write("dump_info.json",
             R"({"meta_info": {}, "node_output_info": [
             {"node_output_name": "conv", "node_type": "Conv"},
             {"node_output_name": "bad", "error": "no kernel"},
             {"node_output_name": "relu", "node_type": "Relu"}]})");
  const auto dump = OpenSource(tree.path(), {});
  ASSERT_TRUE(dump) << dump.error().Text();
  EXPECT_EQ(dump->kind, "model-dump");
  ASSERT_EQ(dump->tensors.size(), 3u);
  EXPECT_EQ(dump->NameOf(dump->tensors[0]), "conv");
  EXPECT_EQ(dump->names[dump->tensors[0].id.type], "Conv");
  EXPECT_FALSE(dump->tensors[0].error());
  ASSERT_TRUE(dump->tensors[1].error());
  EXPECT_EQ(dump->tensors[1].error()->what, "no kernel");
  EXPECT_EQ(dump->tensors[2].id.order, 2);
  EXPECT_FALSE(dump->tensors[2].error());
}

}  // namespace
}  // namespace assay
