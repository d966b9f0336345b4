// Every option of `assay compare`: what it accepts, what it refuses.
#include <gtest/gtest.h>

#include "app/run_line.h"
#include "arrays.h"
#include "temp_tree.h"

namespace assay {
namespace {

class CompareOptionsTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto x = Random(100);
    tree_.Write("golden/a.npy", Npy(x));
    tree_.Write("golden/b.npy", Npy(x));
    tree_.Write("target/a.npy", Npy(x));
    tree_.Write("target/b.npy", Npy(Random(100, 2)));
    tree_.Write("map.csv", "a,b\nb,a\n");
    tree_.Write("bad_map.csv", "a\n");
  }
  Ran Run(const std::string& rest) {
    return RunLine("compare G T " + rest,
                   {tree_ / "golden", tree_ / "target", tree_.path()});
  }

  TempTree tree_;
};

TEST_F(CompareOptionsTest, ExitCodes) {
  const struct {
    std::string options;
    int exit;
  } kRows[] = {
      {"", 3},
      {"--only a", 0},
      {"--only ^b$", 3},
      {"--only zzz", 2},
      {"--only a --rename s/a/z/", 2},
      {"--map D/map.csv", 3},
      {"--pairing by-name", 3},
      {"--strict", 1},
      {"--min-coverage 100", 3},
      {"--min-coverage 100 --only a", 2},
      {"--min-coverage 50 --only a", 0},
      {"--fail-on cosine<0.99", 1},
      {"--fail-on cosine>=2", 0},
      {"--fail-on cosine>=2 --fail-on max_abs>1e9", 0},
      {"--fail-on cosine>=2 --fail-on max_abs>0.5", 1},
      {"--fail-on kl_softmax>1e9", 0},
      {"--atol 100", 0},
      {"--atol 0", 1},
      {"--rtol 1e-9", 1},
      {"--atol 0.1 --rtol 0.1", 1},
      {"--noise G", 3},
      {"--noise T", 0},
      {"--noise G --noise-factor 5", 3},
      {"--sort rel_l2 --top 1", 3},
      {"--top 0", 3},
      {"--metrics all", 3},
      {"--metrics cosine,max_abs", 3},
      {"--worst 0", 3},
      {"--threads 1", 3},
      {"--threads 7", 3},
      {"--threads 0", 3},
      {"--max-memory 64M", 3},
      {"--max-memory 2M --threads 8", 3},
      {"--simd scalar", 3},
      {"--json", 3},
      {"--jsonl", 3},
      {"-o D/x.json -o D/x.csv -o D/x.md -o D/x.junit.xml -o D/x.assay", 3},
      {"-o D/x.txt", 3},
  };
  for (const auto& row : kRows) {
    const Ran ran = Run(row.options);
    EXPECT_EQ(ran.exit, row.exit) << row.options << "\n" << ran.err;
    EXPECT_NE(ran.out, "") << row.options;
  }
}

TEST_F(CompareOptionsTest, MistakesExitWithTwoAndSayWhat) {
  const struct {
    std::string options, says;
  } kRows[] = {
      {"--metrics cosin", "did you mean 'cosine'?"},
      {"--metrics cosine,", "unknown metric ''"},
      {"--metrics zzzzzz", "'assay list metrics' shows all"},
      {"--sort cosin", "did you mean 'cosine'?"},
      {"--fail-on cosin<1", "did you mean 'cosine'?"},
      {"--fail-on cosine", "does not read METRIC<NUMBER"},
      {"--pairing by-nam", "did you mean 'by-name'?"},
      {"--map D/bad_map.csv", "1 field"},
      {"--map D/nowhere.csv", "No such file"},
      {"--rename s/a", "does not read s/RE/TEXT/"},
      {"--only (", "is not a regular expression"},
      {"--noise D/nowhere", "no such file or folder"},
      {"--noise-factor -1", "not a number of zero or more"},
      {"--atol x", "not a number of zero or more"},
      {"--rtol -1", "not a number of zero or more"},
      {"--atol nan", "not a number of zero or more"},
      {"--min-coverage x", "not a number of zero or more"},
      {"--top 1.5", "not a whole number"},
      {"--top 1e300", "--top"},
      {"--threads -1", "not a number of zero or more"},
      {"--threads 257", "is more than 256"},
      {"--threads x", "not a number"},
      {"--max-memory x", "is not a size"},
      {"--max-memory 1K", "is less than one"},
      {"--simd mmx", "this build and CPU have: "},
      {"--dtype f33", "unknown type 'f33'"},
      {"--shape 1,x", "is not a shape"},
      {"-o D/x.docx", ".docx"},
      {"-o D/nowhere/x.json", "cannot write"},
      {"--metrcs cosine", "did you mean '--metrics'?"},
      {"--top", "--top"},
      {"extra", "takes at most 2"},
  };
  for (const auto& row : kRows) {
    const Ran ran = Run(row.options);
    EXPECT_EQ(ran.exit, 2) << row.options;
    EXPECT_EQ(ran.out, "") << row.options;
    EXPECT_NE(ran.err.find(row.says), std::string::npos) << row.options << "\n"
                                                         << ran.err;
    EXPECT_NE(ran.err.find("assay: "), std::string::npos) << row.options;
  }
}

TEST_F(CompareOptionsTest, TopAndSortShapeTheTable) {
  const std::string all = Run("").out, one = Run("--top 1").out;
  EXPECT_NE(all.find("\na  "), std::string::npos) << all;
  EXPECT_EQ(one.find("\na  "), std::string::npos) << one;
  const std::string sorted = Run("--sort cosine").out;
  EXPECT_LT(sorted.find("\nb  "), sorted.find("\na  "));
}

// Nothing is left behind when the work never starts.
TEST_F(CompareOptionsTest, OutputsAreCheckedBeforeTheWork) {
  EXPECT_EQ(Run("-o D/good.json -o D/nowhere/bad.json").exit, 2);
  EXPECT_FALSE(std::filesystem::exists(tree_ / "good.json"));
  for (const auto& entry : std::filesystem::directory_iterator(tree_.path())) {
    EXPECT_EQ(entry.path().string().find(".part-"), std::string::npos);
  }
}

TEST_F(CompareOptionsTest, NoThreadCountOrSimdChangesADigit) {
  const auto report = [&](const std::string& options) {
    const std::string out = Run("--json --metrics all " + options).out;
    return out.substr(0, out.rfind("\"run\":"));
  };
  const std::string once = report("");
  EXPECT_GT(once.size(), 1000u);
  for (const char* options : {"--threads 1", "--threads 2", "--threads 7",
                              "--simd scalar", "--max-memory 4M"}) {
    EXPECT_EQ(report(options), once) << options;
  }
}

}  // namespace
}  // namespace assay
