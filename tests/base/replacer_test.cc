#include "base/replacer.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "temp_tree.h"

namespace assay {
namespace {

bool There(const std::string& path) { return std::filesystem::exists(path); }

class ReplacerTest : public testing::Test {
 protected:
  // A dump file and the record that is to take its place.
  Replacer::Job Job(const std::string& name) const {
    const std::string from = tree_.Write(name, "values");
    return {.temporary = tree_.Write(name + ".part", "record"),
            .to = tree_ / (name + ".record"),
            .from = from,
            .state = *StateOf(from)};
  }

  TempTree tree_;
  Result<Replacer> replacer_ =
      Replacer::Start([](const std::string&, const std::string&) {});
};

TEST_F(ReplacerTest, AnswersInTheOrderOfTheJobs) {
  const Replacer::Job good = Job("good"), changed = Job("changed");
  Replacer::Job homeless = Job("homeless");
  homeless.to = tree_ / "nowhere/record";
  tree_.Write("changed", "more values");
  for (const auto& job : {good, changed, homeless}) replacer_->Send(job);

  EXPECT_TRUE(replacer_->Answer().value());
  EXPECT_FALSE(There(good.from));
  EXPECT_EQ(Content(good.to), "record");

  EXPECT_FALSE(replacer_->Answer().value());
  EXPECT_EQ(Content(changed.from), "more values");
  EXPECT_FALSE(There(changed.to));

  EXPECT_EQ(replacer_->Answer().error().what,
            "cannot replace it: No such file or directory");
  EXPECT_TRUE(There(homeless.from));
  for (const auto& job : {good, changed, homeless}) {
    EXPECT_FALSE(There(job.temporary)) << job.temporary;
  }
}

}  // namespace
}  // namespace assay
