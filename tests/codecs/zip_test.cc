#include "base/zip.h"

#include <gtest/gtest.h>

#include "base/zip_writer.h"
#include "codecs/temp_file.h"
#include "codecs/zip_builder.h"

namespace assay {
namespace {

Result<std::vector<ZipMember>> Members(const std::string& bytes,
                                       ZipNames names = ZipNames::kPaths) {
  const TempFile file(".zip", bytes);
  ASSIGN_OR_RETURN(const InputFile in, InputFile::Open(file.path()));
  return ListZip(in, names);
}

// "name=first bytes" of each member.
std::string Heads(const std::string& bytes) {
  const TempFile file(".zip", bytes);
  const auto in = InputFile::Open(file.path());
  const auto members = ListZip(*in);
  if (!members) return members.error().what;
  std::string text;
  for (const ZipMember& member : *members) {
    const auto head = ReadZipHead(*in, member, 5);
    text += member.name + '=' + (head ? *head : head.error().what) + ' ';
  }
  return text;
}

TEST(Zip, ReadsMembers) {
  const std::string plain = Zip().Add("a", "hello").Deflate("b/c", "worlds");
  const struct {
    std::string bytes, heads;
  } kRows[] = {
      {Zip(), ""},
      {plain, "a=hello b/c=world "},
      {"#!/bin/sh\n" + plain, "a=hello b/c=world "},
      {plain + "after it", "a=hello b/c=world "},
      {Zip().Add("a", "hello").Zip64End(), "a=hello "},
      {"prefix" + Zip().Add("a", "hello").Zip64End().Bytes(), "a=hello "},
      {Zip().Add({.name = "a", .data = "hello", .zip64 = true}), "a=hello "},
      {Zip().Add({.name = "a", .data = "hi", .flags = 8}), "a=hi "},
      {Zip().Add("a", "").Add("b", ""), "a= b= "},
  };
  for (const auto& row : kRows) EXPECT_EQ(Heads(row.bytes), row.heads);
}

TEST(Zip, RefusesWhatCannotBe) {
  const std::string bomb = Deflated(std::string(1 << 20, '\0'));
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {"", "the archive has no central directory"},
      {std::string("PK\3\4") + std::string(100, 'x'),
       "the archive has no central directory"},
      {Zip().Add({.name = "a", .data = "x", .flags = 1}),
       "member 'a' is encrypted"},
      {Zip().Add({.name = "a", .data = "x", .method = 14}),
       "member 'a' uses compression method 14"},
      {Zip().Add("../../etc/passwd", "x"),
       "member '../../etc/passwd' has '..' in its path"},
      {Zip().Add("a\\..\\b", "x"), "member 'a\\..\\b' has '..' in its path"},
      {Zip().Add("/etc/passwd", "x"),
       "member '/etc/passwd' has an absolute path as its name"},
      {Zip().Add("", "x"), "member '' has no name"},
      {Zip().Add("a", "x").Add("a", "y"), "the archive holds 'a' twice"},
      {Zip().Add("a", "x").Add({.name = "b", .data = "y", .header = 0}),
       "member 'b' has no header here"},
      {Zip().Add({.name = "a", .data = "x", .size = 2}),
       "stored member 'a' claims 2 bytes and holds 1"},
      {Zip().Add({.name = "a", .data = "x", .size = 99, .compressed = 99}),
       "member 'a' needs 99 bytes, 1 left"},
      {Zip().Add({.name = "a", .data = "x", .header = 1000}),
       "member 'a' begins at byte 1000, outside the archive"},
      {Zip().Add(
           {.name = "a", .data = "x", .header = 1ull << 40, .zip64 = true}),
       "member 'a' begins at byte 1099511627776, outside the archive"},
      {Zip().Add({.name = "a", .data = "x", .local_name = "b"}),
       "member 'a' has no header here"},
      {Zip().Add({.name = "a", .data = bomb, .method = 8, .size = 1ull << 31}),
       fmt::format("member 'a' claims 2147483648 bytes from {}, more than "
                   "deflate can give",
                   bomb.size())},
      {Zip().Add({.name = "a",
                  .data = std::string(2 << 20, 'x'),
                  .method = 8,
                  .size = 1ull << 31}),
       "member 'a' unfolds to 2147483648 bytes from 2097152"},
      {Zip().Add({.name = "a",
                  .data = "x",
                  .method = 8,
                  .size = ~0ull,
                  .zip64 = true}),
       "member 'a' claims 18446744073709551615 bytes from 1, more than deflate "
       "can give"},
      {Zip().Add("a", "x").Count(2),
       "the archive claims 2 members and lists 1"},
      {Zip().Add("a", "x").Disk(1), "the archive is split over several files"},
  };
  for (const auto& row : kRows) {
    const auto members = Members(row.bytes);
    ASSERT_FALSE(members) << row.error;
    EXPECT_EQ(members.error().what, row.error);
    EXPECT_FALSE(members.error().file.empty());
    EXPECT_TRUE(members.error().offset.has_value());
  }
}

// Two names for the same bytes: the trick of the most efficient zip bombs.
TEST(Zip, RefusesOverlap) {
  const std::string inner = Zip().Add("b", "zz").Bytes().substr(0, 33);
  const auto members = Members(
      Zip().Add("a", inner).Add({.name = "b", .data = "zz", .header = 31}));
  ASSERT_FALSE(members);
  EXPECT_EQ(members.error().what, "members 'a' and 'b' overlap");
}

TEST(Zip, AKeyMayBeginWithASlash) {
  EXPECT_TRUE(Members(Zip().Add("/conv1/out", "x"), ZipNames::kKeys));
  EXPECT_FALSE(Members(Zip().Add("/../out", "x"), ZipNames::kKeys));
}

TEST(Zip, SaysWhereAStreamStops) {
  EXPECT_EQ(Heads(Zip().Add(
                {.name = "a", .data = Deflated("hi"), .method = 8, .size = 9})),
            "a=member 'a' stops after 2 of 9 bytes: the stream ends ");
  EXPECT_EQ(Heads(Zip().Add(
                {.name = "a", .data = "\xff\xff", .method = 8, .size = 9})),
            "a=member 'a' stops after 0 of 9 bytes: invalid block type ");
  EXPECT_EQ(Heads(Zip().Add({.name = "a",
                             .data = Deflated("hello").substr(0, 3),
                             .method = 8,
                             .size = 5})),
            "a=member 'a' stops after 2 of 5 bytes: there are no more ");
}

// More than 65535 members need zip64 records.
TEST(Zip, WritesManyMembers) {
  constexpr int kCount = 66000;
  const TempFile file(".zip");
  auto out = OutputFile::Create(file.path());
  ASSERT_TRUE(out);
  ZipWriter zip(*out);
  for (int i = 0; i < kCount; ++i) {
    ASSERT_TRUE(zip.Begin(fmt::format("{}", i)));
    ASSERT_TRUE(zip.End());
  }
  ASSERT_TRUE(zip.Finish());
  ASSERT_TRUE(out->Commit());
  const auto in = InputFile::Open(file.path());
  const auto members = ListZip(*in);
  ASSERT_TRUE(members) << members.error().Text();
  EXPECT_EQ(members->size(), size_t{kCount});
}

TEST(Zip, WriterRefusesNames) {
  const TempFile file(".zip");
  auto out = OutputFile::Create(file.path());
  ASSERT_TRUE(out);
  ZipWriter zip(*out);
  ASSERT_TRUE(zip.Begin("a"));
  ASSERT_TRUE(zip.End());
  EXPECT_EQ(zip.Begin("a").error().what, "two members are named 'a'");
  EXPECT_EQ(zip.Begin("../a").error().what,
            "member '../a' has '..' in its path");
  EXPECT_EQ(zip.Begin("").error().what, "member '' has no name");
}

}  // namespace
}  // namespace assay
