#include "base/input_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "temp_file.h"

namespace assay {
namespace {

std::string OpenError(const std::string& path) {
  const auto file = InputFile::Open(path);
  if (file) return "";
  EXPECT_EQ(file.error().file, path);
  return file.error().what;
}

// The read bytes, or what is wrong and where.
std::string TextOf(const InputFile& file, uint64_t offset, uint64_t length) {
  const auto text = file.Text(offset, length);
  if (text) return *text;
  return fmt::format("{} @{}", text.error().what, *text.error().offset);
}

TEST(InputFile, SaysWhyItCannotOpen) {
  EXPECT_EQ(OpenError("/none/such"), "cannot open: No such file or directory");
  EXPECT_EQ(InputFile::Open("/none").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(OpenError(testing::TempDir()), "not a regular file");
  EXPECT_EQ(OpenError("/dev/null"), "not a regular file");
  const TempFile file(".f");
  EXPECT_EQ(OpenError(file.path()), "");
}

TEST(InputFile, DoesNotWaitForAPipe) {
  const std::string path = TempFile(".pipe").path();  // gone again
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(OpenError(path), "not a regular file");
  unlink(path.c_str());
}

TEST(InputFile, ChecksRanges) {
  const TempFile temp(".f", "0123456789");
  const auto file = InputFile::Open(temp.path());
  ASSERT_TRUE(file);
  EXPECT_EQ(file->size(), 10u);
  const struct {
    uint64_t offset, length;
    std::string outcome;
  } kRows[] = {
      {0, 10, "0123456789"},
      {3, 2, "34"},
      {10, 0, ""},
      {0, 0, ""},
      {5, 6, "6 bytes wanted, 5 left @5"},
      {11, 0, "0 bytes wanted, 0 left @11"},
      {1, ~0ull, "18446744073709551615 bytes wanted, 9 left @1"},
      {~0ull, 2, "2 bytes wanted, 0 left @18446744073709551615"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(TextOf(*file, row.offset, row.length), row.outcome);
  }
  EXPECT_TRUE(file->ReadAt(0, {}).ok());
  EXPECT_EQ(*file->Head(4), "0123");
  EXPECT_EQ(*file->Head(40), "0123456789");
}

TEST(InputFile, SaysThatTheFileShrank) {
  const TempFile temp(".f", "0123456789");
  const auto file = InputFile::Open(temp.path());
  ASSERT_TRUE(file);
  temp.Truncate(4);
  EXPECT_EQ(TextOf(*file, 2, 5), "the file ends here, 3 bytes are missing @4");
  EXPECT_EQ(TextOf(*file, 8, 1), "the file ends here, 1 bytes are missing @8");
}

TEST(InputFile, KeepsItsHead) {
  const TempFile temp(".f", "0123456789");
  auto file = InputFile::Open(temp.path());
  ASSERT_TRUE(file);
  EXPECT_EQ(*file->KeepHead(6), "012345");
  temp.Write("abcdefghij");
  const struct {
    uint64_t offset;
    uint64_t length;
    std::string text;
  } kRows[] = {
      {0, 6, "012345"},  {2, 3, "234"},  {6, 0, ""},    // kept
      {0, 7, "abcdefg"}, {6, 4, "ghij"}, {5, 2, "fg"},  // read again
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(TextOf(*file, row.offset, row.length), row.text);
  }
  EXPECT_EQ(*file->KeepHead(99), "abcdefghij");
}

TEST(InputFile, LimitsWhatItHolds) {
  const TempFile temp(".f", "0123456789");
  auto file = InputFile::Open(temp.path());
  ASSERT_TRUE(file);
  file->LimitText(4);
  EXPECT_EQ(TextOf(*file, 0, 4), "0123");
  EXPECT_EQ(TextOf(*file, 2, 5), "5 B of memory needed, 4 B allowed @2");
  EXPECT_EQ(file->Text(2, 5).error().code, ErrorCode::kTooLarge);
}

TEST(InputFile, MakesATemporaryOne) {
  const auto file = InputFile::Temporary([](int fd) -> Status {
    if (write(fd, "12345", 5) != 5) return IoError("no room");
    return Done{};
  });
  ASSERT_TRUE(file);
  EXPECT_EQ(TextOf(*file, 0, file->size()), "12345");
  EXPECT_NE(access(file->path().c_str(), F_OK), 0);  // no name
  const auto failed =
      InputFile::Temporary([](int) -> Status { return IoError("no room"); });
  EXPECT_EQ(failed.error().what, "no room");
}

TEST(InputFile, Moves) {
  const TempFile one(".1", "one"), two(".2", "two");
  auto a = InputFile::Open(one.path()), b = InputFile::Open(two.path());
  ASSERT_TRUE(a && b);
  InputFile moved = *std::move(a);
  EXPECT_EQ(TextOf(moved, 0, 3), "one");
  moved = *std::move(b);
  EXPECT_EQ(moved.path(), two.path());
  EXPECT_EQ(TextOf(moved, 0, 3), "two");
}

}  // namespace
}  // namespace assay
