// Models that are ordered, marked and cut.
#include "graphs/onnx_cut.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/text.h"
#include "temp_file.h"
#include "test_paths.h"

namespace assay::onnx {
namespace {

std::string Sample(const std::string& name) {
  return FuzzCorpus("onnx_edit/") + name;
}

OnnxFile Open(const std::string& path) {
  Result<OnnxFile> file = OnnxFile::Open(path);
  EXPECT_TRUE(file) << file.error().Text();
  return *std::move(file);
}

// "a net/b c d": the taps in their order.
std::string Taps(const OnnxFile& file) {
  std::string text;
  for (const Tap& tap : file.taps()) {
    text += text.empty() ? "" : " ";
    text += file.Text(tap.name);
  }
  return text;
}

std::string Outputs(const OnnxFile& file) {
  std::string text;
  for (const Value& value : file.graph().outputs) {
    text += text.empty() ? "" : " ";
    text += file.Text(value.name);
  }
  return text;
}

OnnxFile Reopened(const std::string& bytes) {
  const TempFile file(".onnx", bytes);
  return Open(file.path());
}

TEST(OnnxFile, TapsInTheOrderOfRunning) {
  EXPECT_EQ(Taps(Open(Sample("chain"))), "a net/b c d e");
  // The file has them the other way round; an empty output is no tap.
  EXPECT_EQ(Taps(Open(Sample("unsorted"))), "a y");
  // What subgraphs take from around them counts; constants are no taps.
  const OnnxFile branches = Open(TestData("graphs/branches.onnx"));
  EXPECT_EQ(branches.order().size(), branches.graph().nodes.size());
}

TEST(OnnxFile, InputsAreWhatMustBeGiven) {
  const OnnxFile file = Open(Sample("chain"));
  const auto inputs = file.Inputs();
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(file.Text(inputs[0]->name), "x");
  EXPECT_EQ(inputs[0]->shape, (Shape{2, 3}));
  const Value* output = file.Known(file.model().names.Find("e"));
  ASSERT_NE(output, nullptr);
  EXPECT_EQ(file.Text(output->dims.at(1)), "q");
  EXPECT_EQ(file.Known(file.model().names.Find("a")), nullptr);
}

TEST(OnnxCut, KeepsWhatIsNeeded) {
  const OnnxFile file = Open(Sample("chain"));
  const auto to = FindTensor(file, "c");
  ASSERT_TRUE(to);
  const auto bytes = ExtractModel(file, {.to = {*to}});
  ASSERT_TRUE(bytes) << bytes.error().Text();
  const OnnxFile cut = Reopened(*bytes);
  EXPECT_EQ(Taps(cut), "a net/b c d");  // a node keeps all its outputs
  EXPECT_EQ(Outputs(cut), "c");
  EXPECT_EQ(cut.graph().initializers.size(), 1u);
  // Fields that this program does not know.
  EXPECT_NE(bytes->find("keep me"), std::string::npos);
  const auto first = ExtractModel(file, {.to = {*FindTensor(file, "a")}});
  const OnnxFile head = Reopened(*first);
  EXPECT_EQ(Taps(head), "a");
  EXPECT_TRUE(head.graph().initializers.empty());
}

TEST(OnnxCut, BeginsWhereTold) {
  const OnnxFile file = Open(Sample("unsorted"));
  const Cut cut{.from = {*FindTensor(file, "a")},
                .to = {*FindTensor(file, "y")}};
  const auto bytes = ExtractModel(file, cut);
  ASSERT_TRUE(bytes) << bytes.error().Text();
  const OnnxFile tail = Reopened(*bytes);
  EXPECT_EQ(Taps(tail), "y");
  ASSERT_EQ(tail.Inputs().size(), 1u);
  EXPECT_EQ(tail.Text(tail.Inputs()[0]->name), "a");
  EXPECT_EQ(tail.Inputs()[0]->shape, Shape{2});
  const auto wrong =
      ExtractModel(file, {.from = cut.to, .to = {*FindTensor(file, "a")}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().what, "'y' does not lead to what is wanted");
}

TEST(OnnxCut, MarksOutputsOnce) {
  const OnnxFile file = Open(Sample("chain"));
  const std::vector<NameId> names = {
      *FindTensor(file, "a"), *FindTensor(file, "e"), *FindTensor(file, "a")};
  const std::vector<FixedInput> fixed = {{*FindTensor(file, "x"), {4, 3}}};
  const OnnxFile marked = Reopened(MarkOutputs(file, names, fixed));
  EXPECT_EQ(Outputs(marked), "e c a");
  EXPECT_EQ(Taps(marked), Taps(file));
  ASSERT_EQ(marked.Inputs().size(), 1u);
  EXPECT_EQ(marked.Inputs()[0]->shape, (Shape{4, 3}));
}

TEST(OnnxCut, UnknownNames) {
  const auto found = FindTensor(Open(Sample("chain")), "net/c");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().what, "no tensor is called 'net/c'");
  EXPECT_TRUE(found.error().hint.starts_with("did you mean 'net/b'?"))
      << found.error().hint;
}

TEST(OnnxFile, SaysWhatIsWrong) {
  const struct {
    std::string sample, what;
  } kRows[] = {
      {"cycle",
       "Add 'one' waits for its own output by its input 'b': the graph has a "
       "cycle"},
      {"external", "external_data.location 'w.bin' is not there"},
  };
  for (const auto& row : kRows) {
    const auto file = OnnxFile::Open(Sample(row.sample));
    ASSERT_FALSE(file) << row.sample;
    EXPECT_EQ(file.error().what, row.what);
    EXPECT_EQ(file.error().file, Sample(row.sample));
  }
}

TEST(OnnxEditCorpus, IsReplayed) {
  size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(FuzzCorpus("onnx_edit"))) {
    ++files;
    const auto file = OnnxFile::Open(entry.path());
    if (!file) {
      EXPECT_FALSE(file.error().what.empty()) << entry.path();
      continue;
    }
    for (const Tap& tap : file->taps()) {
      const auto bytes = ExtractModel(*file, {.to = {tap.name}});
      ASSERT_TRUE(bytes) << entry.path();
      EXPECT_FALSE(Reopened(*bytes).taps().empty()) << entry.path();
    }
  }
  EXPECT_GT(files, 4u);
}

}  // namespace
}  // namespace assay::onnx
