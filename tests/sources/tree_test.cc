#include "sources/tree.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "temp_tree.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::string Joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) {
    all += (all.empty() ? "" : " ") + text;
  }
  return all;
}

TEST(Tree, FilesAreSorted) {
  const TempTree tree;
  for (const char* name : {"b", "a/z", "a/b/c", "a.x", "Z", "a/b.c"}) {
    tree.Write(name, "");
  }
  tree.Folder("empty/deep");
  for (const std::string& path : {tree.path(), tree.path() + "//"}) {
    const auto walked = WalkTree(path);
    ASSERT_TRUE(walked);
    EXPECT_EQ(walked->root, tree.path());
    EXPECT_EQ(Joined(walked->files), "Z a.x a/b.c a/b/c a/z b");
    EXPECT_EQ(Joined(walked->folders), "a a/b empty empty/deep");
    EXPECT_TRUE(walked->notes.empty());
  }
}

TEST(Tree, FollowsLinksToFilesOnly) {
  const TempTree elsewhere, tree;
  elsewhere.Write("other", "x");
  elsewhere.Folder("folder");
  tree.Write("a/file", "x");
  fs::create_symlink("../a/file", tree / "a/inside");
  fs::create_symlink(tree / "a/file", tree / "absolute");
  fs::create_symlink(elsewhere / "other", tree / "outside");
  fs::create_symlink("nowhere", tree / "dangling");
  fs::create_directory_symlink(tree.path(), tree / "a/loop");
  fs::create_directory_symlink(elsewhere / "folder", tree / "folder");
  ASSERT_EQ(mkfifo((tree / "pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", tree / "zero");
  const auto walked = WalkTree(tree.path());
  ASSERT_TRUE(walked);
  EXPECT_EQ(Joined(walked->files), "a/file a/inside absolute outside");
  std::string notes;
  for (const DumpNote& note : walked->notes) {
    notes += fmt::format("{}: {}\n", note.file, note.text);
  }
  EXPECT_EQ(notes,
            "a/loop: a link to a folder is not followed\n"
            "dangling: a link to nothing\n"
            "folder: a link to a folder is not followed\n"
            "pipe: a pipe or a device\n"
            "zero: a pipe or a device\n");
}

TEST(Tree, TheRootItselfMayBeALink) {
  const TempTree tree;
  tree.Write("real/a", "x");
  fs::create_directory_symlink("real", tree / "link");
  fs::create_symlink("a", tree / "real/b");
  const auto walked = WalkTree(tree / "link");
  ASSERT_TRUE(walked);
  EXPECT_EQ(Joined(walked->files), "a b");
}

TEST(Tree, WhatCannotBeListed) {
  const TempTree tree;
  EXPECT_EQ(WalkTree(tree / "nowhere").error().what,
            "cannot list: No such file or directory");
  if (geteuid() == 0) return;  // who may list everything
  tree.Write("closed/a", "x");
  tree.Write("open/b", "x");
  fs::permissions(tree / "closed", fs::perms::none);
  const auto walked = WalkTree(tree.path());
  fs::permissions(tree / "closed", fs::perms::owner_all);
  ASSERT_TRUE(walked);
  EXPECT_EQ(Joined(walked->files), "open/b");
  EXPECT_EQ(walked->notes[0].text, "cannot list: Permission denied");
}

TEST(Tree, NamesInAFolder) {
  const TempTree tree;
  tree.Write("file", "");
  tree.Folder("folder");
  fs::create_directory_symlink("folder", tree / "linked");
  fs::create_symlink("nowhere", tree / "dangling");
  EXPECT_EQ(Joined(NamesIn(tree.path(), EntryKind::kFile)), "file");
  EXPECT_EQ(Joined(NamesIn(tree.path(), EntryKind::kFolder)), "folder linked");
  EXPECT_EQ(Joined(NamesIn(tree / "nowhere", EntryKind::kFile)), "");
}

TEST(Tree, Paths) {
  EXPECT_EQ(FolderOf("a/b/c"), "a/b");
  EXPECT_EQ(FolderOf("c"), "");
  EXPECT_EQ(NameIn("a/b/c"), "c");
  EXPECT_EQ(NameIn("c"), "c");
  EXPECT_EQ(WithoutSlashes("a//"), "a");
  EXPECT_EQ(WithoutSlashes("/"), "/");
}

}  // namespace
}  // namespace assay
