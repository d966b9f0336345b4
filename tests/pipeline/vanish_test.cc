// Files that shrink or vanish between listing and measuring, and while they
// are read: an error row, never SIGBUS.
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "pipeline/compare_with.h"
#include "test_paths.h"

namespace assay {
namespace {

// A float32 array of zeros: a header and a hole.
std::string Hole(const TempTree& tree, const std::string& name, uint64_t n,
                 std::string_view order = "False") {
  std::string head = NpyBytes("<f4", fmt::format("{}, 2", n / 2), "");
  head.replace(head.find("False"), 5, order);
  const std::string path = tree.Write(name, head);
  std::filesystem::resize_file(path, head.size() + 4 * n);
  return path;
}

// Calls `change` when everything is listed and nothing measured yet.
Comparison CompareChanging(const CompareOptions& options,
                           const std::function<void()>& change) {
  const std::atomic<bool> stop = false;
  const auto talk = [&](const std::string& line) {
    if (line.starts_with("pairing:")) change();
  };
  auto c = Compare(options, talk, stop);
  EXPECT_TRUE(c);
  return c ? *std::move(c) : Comparison();
}

constexpr uint64_t kSmall = 100, kLarge = 4 << 20;  // read, mapped

void ExpectErrorRow(const Comparison& c) {
  ExpectConsistent(c);
  EXPECT_EQ(VerdictOf(c, "x"), "error");
  EXPECT_EQ(VerdictOf(c, "y"), "trivial");
  EXPECT_EQ(c.exit, 2);
  EXPECT_NE(FindRow(c, "x")->error->file, "");
}

TEST(Vanish, BetweenListingAndMeasuring) {
  const std::pair<std::string, std::function<void(const std::string&)>>
      kChanges[] = {
          {"gone", [](const std::string& p) { std::filesystem::remove(p); }},
          {"empty",
           [](const std::string& p) { std::filesystem::resize_file(p, 0); }},
          {"one byte less",
           [](const std::string& p) {
             std::filesystem::resize_file(p, std::filesystem::file_size(p) - 1);
           }},
          {"a folder",
           [](const std::string& p) {
             std::filesystem::remove(p);
             std::filesystem::create_directory(p);
           }},
      };
  for (const uint64_t n : {kSmall, kLarge}) {
    for (const std::string_view order : {"False", "True"}) {
      for (const auto& [what, change] : kChanges) {
        const TempTree tree;
        Hole(tree, "golden/x.npy", n);
        Hole(tree, "golden/y.npy", kSmall);
        Hole(tree, "target/y.npy", kSmall);
        const std::string path = Hole(tree, "target/x.npy", n, order);
        SCOPED_TRACE(fmt::format("{} {} {}", n, order, what));
        ExpectErrorRow(
            CompareChanging(Options(tree / "golden", tree / "target"),
                            [&, &apply = change] { apply(path); }));
      }
    }
  }
}

TEST(Vanish, GoldenSideAndCompressed) {
  Pair2 pair;
  const std::string archive = Content(TestData("codecs/deflated.npz"));
  pair.Both("w.npz", archive);
  const Comparison c = CompareChanging(pair.options(), [&] {
    std::filesystem::resize_file(pair.tree() / "golden/w.npz", 100);
  });
  ExpectConsistent(c);
  EXPECT_EQ(c.counts[static_cast<size_t>(Verdict::kError)], 3u);
  EXPECT_EQ(c.exit, 2);
}

TEST(Vanish, FolderIsGoneBeforeItIsExamined) {
  Pair2 pair;
  pair.Golden("x.npy", Npy(Random(9))).Target("x.npy", Npy(Random(9, 2)));
  const Comparison c = CompareChanging(pair.options(), [&] {
    std::filesystem::remove_all(pair.tree() / "golden");
  });
  EXPECT_EQ(VerdictOf(c, "x"), "error");
}

// The file loses its end while threads are in the middle of it.
TEST(Vanish, WhileItIsRead) {
  for (const std::string_view order : {"False", "True"}) {
    for (const int microseconds : {100, 1000, 5000, 20000}) {
      const TempTree tree;
      Hole(tree, "golden/x.npy", 8 << 20);
      const std::string path = Hole(tree, "target/x.npy", 8 << 20, order);
      CompareOptions options = Options(tree / "golden", tree / "target");
      options.measure.threads = 2;
      std::jthread cutter;
      const Comparison c = CompareChanging(options, [&] {
        cutter = std::jthread([&path, microseconds] {
          usleep(static_cast<useconds_t>(microseconds));
          std::filesystem::resize_file(path, 4096);
        });
      });
      const std::string verdict = VerdictOf(c, "x");
      EXPECT_TRUE(verdict == "error" || verdict == "trivial") << verdict;
    }
  }
}

TEST(Vanish, OtherBytesOfTheSameSizeAreSimplyRead) {
  const auto x = Random(1000);
  Pair2 pair;
  pair.Both("x.npy", Npy(x));
  const Comparison c = CompareChanging(
      pair.options(), [&] { pair.Target("x.npy", Npy(Scaled(x, 2))); });
  EXPECT_EQ(VerdictOf(c, "x"), "fail");
}

}  // namespace
}  // namespace assay
