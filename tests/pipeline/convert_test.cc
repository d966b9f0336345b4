#include "pipeline/convert.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "codecs/codec.h"
#include "pipeline/compare_with.h"
#include "test_paths.h"

namespace assay {
namespace {

const std::string kSamples = TestData("codecs");

ConvertResult Converted(const std::string& source, const std::string& to,
                        const std::string& out, bool force = false) {
  const std::atomic<bool> stop = false;
  auto result = Convert(
      {.sources = {source}, .to = FindCodec(to), .out = out, .force = force},
      stop);
  EXPECT_TRUE(result) << result.error().Text();
  return result ? *std::move(result) : ConvertResult();
}

// Nothing in it is refused, and there is something.
bool IsWhole(const std::string& path) {
  const auto dump = OpenSource(path, {});
  return dump && std::ranges::none_of(dump->tensors, [](const TensorInfo& t) {
           return t.error() != nullptr;
         });
}

TEST(Convert, EverySampleKeepsItsValues) {
  for (const auto& entry : std::filesystem::directory_iterator(kSamples)) {
    const std::string suffix = entry.path().extension();
    if (suffix.empty() || !FindCodec(suffix.substr(1))) continue;
    if (!IsWhole(entry.path())) continue;
    for (const std::string to : {"npy", "npz", "safetensors"}) {
      const TempTree tree;
      const ConvertResult result = Converted(entry.path(), to, tree / "out");
      for (const Error& error : result.failures) {
        EXPECT_EQ(error.what, "safetensors has no type for c128");
        EXPECT_EQ(error.file, entry.path());
      }
      if (result.written.empty()) continue;  // no numbers in it
      const auto from = OpenSource(entry.path(), {});
      const auto back = OpenSource(tree / "out", {});
      ASSERT_TRUE(from && back) << entry.path() << " to " << to;
      size_t numbers = 0;
      for (const TensorInfo& t : from->tensors) {
        numbers += HasNumbers(t.stored);
      }
      EXPECT_EQ(back->tensors.size(), numbers) << entry.path() << " to " << to;
      if (from->tensors.size() != 1) continue;
      const Comparison c = MustCompare(
          Options(entry.path(), tree / ("out/" + result.written[0])));
      ASSERT_FALSE(c.rows.empty()) << entry.path() << " to " << to;
      EXPECT_EQ(c.exit, 0) << entry.path() << " to " << to << ": "
                           << c.rows[0].why;
    }
  }
}

TEST(Convert, ManyTensorsThereAndBack) {
  for (const std::string name :
       {"stored.npz", "deflated.npz", "streamed.npz", "all.safetensors"}) {
    for (const std::string to : {"npz", "safetensors"}) {
      const TempTree tree;
      const ConvertResult result =
          Converted(kSamples + "/" + name, to, tree / "out");
      ASSERT_EQ(result.written.size(), 1u);
      const Comparison c = MustCompare(
          Options(kSamples + "/" + name, tree / ("out/" + result.written[0])));
      ExpectConsistent(c);
      for (const Row& row : c.rows) {
        EXPECT_TRUE(row.verdict == Verdict::kPass ||
                    row.verdict == Verdict::kTrivial)
            << name << " to " << to << ": " << row.name << " " << row.why;
      }
      EXPECT_EQ(c.golden_coverage.compared, c.target_coverage.total);
      EXPECT_EQ(c.exit, 0);
    }
  }
}

TEST(Convert, RefusesToOverwrite) {
  const TempTree tree;
  const std::string source = tree.Write("x.npy", Npy(Random(9)));
  const std::string out = tree / "out";
  ASSERT_EQ(Converted(source, "npz", out).written.size(), 1u);
  const std::string before = Content(out + "/x.npy.npz");
  const ConvertResult again = Converted(source, "npz", out);
  EXPECT_TRUE(again.written.empty());
  ASSERT_EQ(again.failures.size(), 1u);
  EXPECT_EQ(again.failures[0].what, "it exists already");
  EXPECT_EQ(again.failures[0].hint, "--force overwrites");
  tree.Write("x.npy", Npy(Random(10)));
  EXPECT_EQ(Converted(source, "npz", out, true).written.size(), 1u);
  EXPECT_NE(Content(out + "/x.npy.npz"), before);
}

TEST(Convert, LinksThatLeadNowhereAreNotReplaced) {
  const TempTree tree;
  const std::string source = tree.Write("x.npy", Npy(Random(9)));
  const std::string out = tree / "out";
  std::filesystem::create_directory(out);
  std::filesystem::create_symlink("nowhere", out + "/x.npy.npz");
  EXPECT_EQ(Converted(source, "npz", out).failures.size(), 1u);
  EXPECT_TRUE(std::filesystem::is_symlink(out + "/x.npy.npz"));
}

TEST(Convert, SaysWhenNoOrderIsKnown) {
  const struct {
    std::string shape;
    Layout layout;
    size_t notes;
  } kRows[] = {{"1, 2, 3, 4", Layout::kNHWC, 1},
               {"4, 6", Layout::kNHWC, 0},
               {"1, 2, 3, 4", Layout::kND, 0},
               {"1, 2, 3, 2, 2", Layout::kNDHWC, 1},
               {"1, 2, 3, 4", Layout::kNC1HWC0, 0}};
  const std::atomic<bool> stop = false;
  for (const auto& row : kRows) {
    const TempTree tree;
    const auto result =
        Convert({.sources = {tree.Write("x.npy", Npy(Random(24), row.shape))},
                 .to = FindCodec("npy"),
                 .layouts = ConvertOptions::Layouts::kOne,
                 .layout = row.layout,
                 .out = tree / "out"},
                stop);
    ASSERT_TRUE(result) << row.shape;
    EXPECT_EQ(result->written.size(), 1u) << row.shape;
    EXPECT_EQ(result->notes.size(), row.notes) << row.shape;
  }
}

// --shape of a tensor that is not packed: the same elements, or an error.
TEST(Convert, ShapesOfPlainTensors) {
  using Layouts = ConvertOptions::Layouts;
  const struct {
    Layouts layouts;
    Layout layout;
    Shape shape;
    std::string what;  // of the result, or the error
  } kRows[] = {
      {Layouts::kOne, Layout::kND, {2, 12}, "[2,12]"},
      {Layouts::kHost, Layout::kND, {24, 1}, "[24,1]"},
      {Layouts::kOne, Layout::kNC1HWC0, {1, 2, 3, 4}, "[1,1,3,4,16]"},
      {Layouts::kOne, Layout::kFractalNZ, {4, 6}, "[1,1,16,16]"},
      {Layouts::kOne, Layout::kND, {2, 3}, "[24] cannot become [2,3]"},
      {Layouts::kOne,
       Layout::kNC1HWC0,
       {1, 2, 3, 5},
       "[24] cannot become [1,2,3,5]"},
  };
  const TempTree tree;
  const std::string source = tree.Write("x.npy", Npy(Random(24)));
  const std::atomic<bool> stop = false;
  for (const auto& row : kRows) {
    const auto result = Convert({.sources = {source},
                                 .to = FindCodec("npy"),
                                 .layouts = row.layouts,
                                 .layout = row.layout,
                                 .shape = row.shape,
                                 .out = tree / row.what},
                                stop);
    ASSERT_TRUE(result) << result.error().Text();
    if (result->failures.empty()) {
      const auto dump = OpenSource(tree / (row.what + "/x.npy.npy"), {});
      EXPECT_EQ(ToText(dump->tensors[0].stored.shape), row.what);
    } else {
      EXPECT_TRUE(result->failures[0].what.starts_with(row.what))
          << result->failures[0].what;
    }
  }
}

// A safetensors file with tensors of these names, one byte each.
std::string Named(const std::vector<std::string>& names) {
  std::string head = "{", values;
  for (const std::string& name : names) {
    head += fmt::format(
        R"({}"{}":{{"dtype":"U8","shape":[1],"data_offsets":[{},{}]}})",
        values.empty() ? "" : ",", name, values.size(), values.size() + 1);
    values += 'x';
  }
  head += "}";
  uint64_t length = head.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + head + values;
}

TEST(Convert, NamesStayInTheFolder) {
  const TempTree tree;
  tree.Write("in/w.safetensors",
             Named({"../../up", "/etc/passwd", "..", "a:0", "a\\\\b", "."}));
  const ConvertResult result = Converted(tree / "in", "npy", tree / "out");
  EXPECT_TRUE(result.failures.empty());
  EXPECT_EQ(result.written.size(), 6u);
  size_t files = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(tree.path())) {
    files += entry.is_regular_file();
  }
  EXPECT_EQ(files, 7u);
  for (const std::string& name : result.written) {
    EXPECT_EQ(name.find('/'), std::string::npos) << name;
    EXPECT_TRUE(std::filesystem::exists(tree / ("out/" + name))) << name;
  }
}

TEST(Convert, FailuresAreListedAndTheRestFinished) {
  const TempTree tree;
  tree.Write("in/a.npy", Npy(Random(9)));
  tree.Write("in/b.npy", Npy(Random(9)).substr(0, 90));
  tree.Write("in/c.npz", "PK\3\4 nothing more");
  tree.Write("in/d/e.npy", Npy(Random(9)));
  tree.Write("in/text.npy", NpyBytes("<U1", "1,", "abcd"));
  const ConvertResult result = Converted(tree / "in", "npz", tree / "out");
  EXPECT_EQ(result.written,
            (std::vector<std::string>{"a.npy.npz", "d/e.npy.npz"}));
  EXPECT_EQ(result.failures.size(), 2u);
  EXPECT_EQ(result.notes.size(), 1u);
}

TEST(Convert, SaysWhatItDidNotRead) {
  const TempTree tree;
  tree.Write("in/x.npy", Npy(Random(9)));
  tree.Write("in/notes.md", "hello");
  tree.Write("in/mapping.csv", "1,2");
  EXPECT_EQ(Converted(tree / "in", "npz", tree / "out").notes,
            std::vector<std::string>{tree / "in/notes.md: not read: text"});
}

TEST(Convert, TypesThatDoNotFitAreWidenedAndSaid) {
  const TempTree tree;
  const ConvertResult result =
      Converted(kSamples + "/all.safetensors", "npy", tree / "out");
  EXPECT_TRUE(result.failures.empty());
  EXPECT_FALSE(result.notes.empty());
  for (const std::string& note : result.notes) {
    EXPECT_TRUE(note.find("widened to") != std::string::npos ||
                note.find("no numbers") != std::string::npos)
        << note;
  }
}

TEST(Convert, SameOutputForTwoInputsIsRefused) {
  const TempTree tree;
  tree.Write("one/x.npy", Npy(Random(9)));
  tree.Write("two/x.npy", Npy(Random(9, 2)));
  const std::atomic<bool> stop = false;
  const auto result = Convert({.sources = {tree / "one", tree / "two"},
                               .to = FindCodec("npz"),
                               .out = tree / "out"},
                              stop);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().what, "two tensors would be written to x.npy.npz");
  EXPECT_FALSE(std::filesystem::exists(tree / "out/x.npy.npz"));
}

TEST(Convert, RawValuesThereAndBack) {
  const TempTree tree;
  const std::string source = tree.Write("x.npy", Npy(Random(12), "3, 4"));
  ASSERT_EQ(Converted(source, "bin", tree / "out").written,
            std::vector<std::string>{"x.npy.bin"});
  CompareOptions options = Options(source, tree / "out/x.npy.bin");
  options.open.hints.dtype = DType::kF32;
  options.open.hints.shape = Shape{3, 4};
  EXPECT_EQ(MustCompare(options).exit, 0);
}

}  // namespace
}  // namespace assay
