#include "base/output_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "temp_file.h"
#include "temp_tree.h"

namespace assay {
namespace {

using Existing = OutputFile::Existing;
namespace fs = std::filesystem;

size_t Files(const TempTree& folder) {
  const fs::directory_iterator begin(folder.path());
  return static_cast<size_t>(std::distance(begin, {}));
}

TEST(OutputFile, AppearsWithCommit) {
  const TempTree folder;
  const std::string path = folder / "report";
  auto file = OutputFile::Create(path);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->Append("0123").ok());
  EXPECT_TRUE(file->Append("").ok());
  EXPECT_TRUE(file->Append("4567").ok());
  EXPECT_TRUE(file->PatchAt(2, "xyz").ok());
  EXPECT_EQ(file->size(), 8u);
  EXPECT_FALSE(fs::exists(path));
  ASSERT_TRUE(file->Commit().ok());
  EXPECT_EQ(ReadAll(path), "01xyz567");
  EXPECT_EQ(Files(folder), 1u);
}

TEST(OutputFile, TakesTheLongestNames) {
  const TempTree folder;
  for (const size_t length : {238u, 240u, 255u}) {
    auto file = OutputFile::Create(folder / std::string(length, 'n'));
    ASSERT_TRUE(file) << length;
    EXPECT_TRUE(file->Commit().ok());
  }
  EXPECT_EQ(Files(folder), 3u);
}

TEST(OutputFile, LeavesNothingBehindWithoutCommit) {
  const TempTree folder;
  const TempFile kept(".old", "old");
  {
    auto file = OutputFile::Create(folder / "report");
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->Append("half").ok());
    EXPECT_EQ(Files(folder), 1u);
    OutputFile moved = *std::move(file);
    EXPECT_TRUE(moved.Append("more").ok());
    auto replace = OutputFile::Create(kept.path());
    ASSERT_TRUE(replace);
    EXPECT_TRUE(replace->Append("new").ok());
    moved = *std::move(replace);
  }
  EXPECT_EQ(Files(folder), 0u);
  EXPECT_EQ(ReadAll(kept.path()), "old");
}

TEST(OutputFile, ReplacesOrRefuses) {
  const TempFile old(".old", "old");
  const auto refused = OutputFile::Create(old.path(), Existing::kRefuse);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "it exists already");
  EXPECT_EQ(refused.error().hint, "--force overwrites");
  auto file = OutputFile::Create(old.path());
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->Append("new").ok());
  EXPECT_EQ(ReadAll(old.path()), "old");
  ASSERT_TRUE(file->Commit().ok());
  EXPECT_EQ(ReadAll(old.path()), "new");
}

TEST(OutputFile, SaysWhyItCannotWrite) {
  const TempTree folder;
  const TempFile plain(".f");
  const struct {
    std::string path, error;
  } kRows[] = {
      {folder.path(), "cannot write: it is a directory"},
      {folder / "no/such", "cannot write: No such file or directory"},
      {plain.path() + "/below", "cannot write: Not a directory"},
  };
  for (const auto& row : kRows) {
    const auto file = OutputFile::Create(row.path);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().what, row.error);
    EXPECT_EQ(file.error().file, row.path);
  }
  EXPECT_EQ(Files(folder), 0u);
}

TEST(OutputFile, IsWrittenByOneAtATime) {
  const TempTree folder;
  const std::string path = folder / "report";
  const auto first = OutputFile::Create(path);
  ASSERT_TRUE(first);
  const auto second = OutputFile::Create(path);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().what, "it is being written already");
  EXPECT_EQ(second.error().hint,
            "was it named twice? if not, remove " + first->temporary());
}

TEST(OutputFile, ARenameThatFailsLeavesNothingBehind) {
  const TempTree folder;
  const std::string path = folder / "report";
  auto file = OutputFile::Create(path);
  ASSERT_TRUE(file);
  fs::create_directories(path + "/in-the-way");
  const Status status = file->Commit();
  ASSERT_FALSE(status.ok());
  EXPECT_TRUE(status.error().what.starts_with("cannot rename"));
  EXPECT_EQ(Files(folder), 1u);
}

}  // namespace
}  // namespace assay
