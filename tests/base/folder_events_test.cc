// Folders whose events are heard: which are new, and what wakes up.
#include "base/folder_events.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "temp_tree.h"

namespace assay {
namespace {

constexpr int kMost = 2000;  // milliseconds, if nothing happens

bool IsArray(std::string_view name) { return name.ends_with(".npy"); }

TEST(FolderEvents, AFolderIsNewOnce) {
  TempTree tree;
  auto events = FolderEvents::Open();
  ASSERT_TRUE(events);
  EXPECT_TRUE(events->Add(tree.path()));
  EXPECT_FALSE(events->Add(tree.path() + "/"));
  EXPECT_FALSE(events->Add(tree / "nowhere"));
}

TEST(FolderEvents, WakesForFoldersAndForWhatMatters) {
  TempTree tree;
  auto events = FolderEvents::Open();
  ASSERT_TRUE(events);
  events->Add(tree.path());
  std::ofstream(tree / "a.txt") << "x";
  EXPECT_FALSE(events->Wait(0, IsArray));
  std::filesystem::create_directory(tree / "sub");
  EXPECT_TRUE(events->Wait(kMost, IsArray));
  EXPECT_TRUE(events->Add(tree / "sub"));  // empty as yet
  std::ofstream(tree / "sub/a.npy") << "x";
  EXPECT_TRUE(events->Wait(kMost, IsArray));
}

}  // namespace
}  // namespace assay
