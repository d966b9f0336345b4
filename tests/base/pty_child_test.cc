#include "base/pty_child.h"

#include <gtest/gtest.h>

#include "base/attached_child.h"

namespace assay {
namespace {

constexpr double kSeconds = 20;

PtyChild Shell(const std::string& script) {
  auto child = PtyChild::Start({"sh", "-c", script});
  EXPECT_TRUE(child);
  return *std::move(child);
}

TEST(PtyChild, Talks) {
  PtyChild child =
      Shell("printf 'name> '; read x; echo hello $x; printf 'name> '; exit 3");
  EXPECT_EQ(*child.ReadUntil("name> ", kSeconds), "name> ");
  ASSERT_TRUE(child.Send("you\n"));
  EXPECT_EQ(*child.ReadUntil("name> ", kSeconds), "hello you\nname> ");
  const auto end = child.Finish(kSeconds);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->exit, 3);
  EXPECT_EQ(end->rest, "");
}

TEST(PtyChild, IsOnATerminal) {
  PtyChild child = Shell("test -t 0 && test -t 1 && echo yes.");
  EXPECT_EQ(*child.ReadUntil(".", kSeconds), "yes.");
}

TEST(PtyChild, SaysWhyTheMarkDidNotCome) {
  PtyChild gone = Shell("echo so far");
  const auto ended = gone.ReadUntil("tfdbg> ", kSeconds);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().what, "it ended without 'tfdbg> '");
  EXPECT_EQ(ended.error().hint, "it printed last:\nso far");
  PtyChild slow = Shell("sleep 60");
  const auto silent = slow.ReadUntil("x", 0.05);
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().what, "no 'x' for 0.05 seconds");
}

TEST(PtyChild, IsEndedIfItDoesNotEnd) {
  PtyChild child = Shell("trap '' HUP; sleep 60");
  const auto end = child.Finish(0.2);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->exit, 128 + 9);
}

TEST(PtyChild, NoSuchProgram) {
  auto child = PtyChild::Start({"no-such-program"});
  ASSERT_TRUE(child);
  const auto end = child->Finish(kSeconds);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->exit, 127);
}

TEST(AttachedChild, KeepsTheExitCode) {
  EXPECT_EQ(*RunAttached({"sh", "-c", "exit 6"}), 6);
  EXPECT_EQ(*RunAttached({"sh", "-c", "kill -TERM $$"}), 128 + 15);
  EXPECT_FALSE(RunAttached({"no-such-program"}));
}

// Ctrl-C reaches all programs of a terminal: the job's end is waited for.
TEST(AttachedChild, CtrlCEndsTheJobOnly) {
  EXPECT_EQ(
      *RunAttached({"sh", "-c", "kill -INT $PPID; kill -INT $$; sleep 9"}),
      128 + 2);
}

}  // namespace
}  // namespace assay
