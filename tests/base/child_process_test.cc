#include "base/child_process.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(ChildProcess, InputOutputExit) {
  const std::string much(1 << 20, 'x');  // more than a pipe holds
  const auto ran = RunChild({"cat"}, much);
  ASSERT_TRUE(ran) << ran.error().Text();
  EXPECT_EQ(ran->exit, 0);
  EXPECT_EQ(ran->out, much);
  const auto failed = RunChild({"sh", "-c", "echo why >&2; exit 3"}, "");
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->exit, 3);
  EXPECT_EQ(failed->err, "why\n");
  EXPECT_EQ(RunChild({"sh", "-c", "kill -9 $$"}, "")->exit, 128 + 9);
}

TEST(ChildProcess, WordsAreNoShell) {
  EXPECT_EQ(RunChild({"echo", "$HOME; `id` 'x"}, "")->out, "$HOME; `id` 'x\n");
}

TEST(ChildProcess, NoSuchProgram) {
  const auto ran = RunChild({"no-such-program-here"}, "");
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace assay
