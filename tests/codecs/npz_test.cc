#include <gtest/gtest.h>

#include <cstdlib>

#include "codecs/npy_builder.h"
#include "codecs/temp_file.h"
#include "codecs/zip_builder.h"

namespace assay {
namespace {

TEST(Npz, ListsItsMembers) {
  const std::string zip = Zip()
                              .Add("x.npy", Npy())
                              .Deflate("a/y.npy", Npy().Descr("<f2").Bytes())
                              .Add("folder/", "")
                              .Add("readme.txt", "hello");
  EXPECT_EQ(SummaryOf(".npz", zip),
            "x f32 [2,3]; a/y f16 [2,3]; readme.txt opaque []");
  EXPECT_EQ(SummaryOf(".dump", zip), SummaryOf(".npz", zip));  // by content
  EXPECT_EQ(SummaryOf(".npy", zip), SummaryOf(".npz", zip));
}

TEST(Npz, ADeflatedArraySkipsItsHeader) {
  const auto listing = ListBytes(".npz", Zip().Deflate("x.npy", Npy().Bytes()));
  ASSERT_TRUE(listing);
  const Extent& extent = listing->tensors[0].extent;
  EXPECT_EQ(extent.encoding, Encoding::kDeflate);
  EXPECT_EQ(extent.skip, 70u);
  EXPECT_EQ(extent.offset, 35u);
  EXPECT_EQ(extent.length, Deflated(Npy().Bytes()).size());
}

TEST(Npz, NoArraysIsSaid) {
  const auto listing = ListBytes(".npz", Zip());
  ASSERT_TRUE(listing);
  EXPECT_EQ(listing->note, "no tensors in it");
}

TEST(Npz, SaysWhatIsWrong) {
  const std::string good = Npy();
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {good, "this is one array, not an archive"},
      {"PK\3\4", "the archive has no central directory"},
      {Zip().Add("x.npy", Npy().Data(3)), "shape needs 24 bytes, 3 left"},
      {Zip().Deflate("x.npy", Npy().Data(3).Bytes()),
       "shape needs 24 bytes, 3 left"},
      {Zip().Deflate("x.npy", Npy().Cut(30)), "header needs 60 bytes, 20 left"},
      {Zip().Add("x.npy", "text"), "magic needs 6 bytes, 4 left"},
      {Zip().Add("../x.npy", good), "member '../x.npy' has '..' in its path"},
      {Zip().Add({.name = "x.npy",
                  .data = Deflated(good),
                  .method = 8,
                  .size = 1 << 30}),
       fmt::format("member 'x.npy' claims 1073741824 bytes from {}, more than "
                   "deflate can give",
                   Deflated(good).size())},
  };
  for (const auto& row : kRows)
    EXPECT_EQ(ErrorOf(".npz", row.bytes), row.error);
}

TEST(Npz, AnErrorNamesTheTensor) {
  const auto listing = ListBytes(".npz", Zip().Add("x.npy", "text"));
  ASSERT_FALSE(listing);
  EXPECT_EQ(listing.error().tensor, "x");
}

std::string WrittenNpz(std::vector<TensorToWrite> tensors,
                       const std::string& path) {
  auto out = OutputFile::Create(path);
  if (!out) return out.error().what;
  const Status status = FindCodec("npz")->write(tensors, *out);
  if (!status) return status.error().what;
  return out->Commit() ? "" : "commit";
}

TEST(Npz, ReadsWhatItWrites) {
  const TempFile file(".npz");
  ASSERT_EQ(WrittenNpz({ToWrite("/a/b:0", DType::kF32, {2}, "abcdefgh"),
                        ToWrite("gr\xc3\xbc\xc3\x9f", DType::kU8, {}, "x"),
                        ToWrite("", DType::kI64, {0, 2}, "")},
                       file.path()),
            "");
  const auto listing = ListFile(file.path(), {});
  ASSERT_TRUE(listing) << listing.error().Text();
  EXPECT_EQ(Summary(*listing),
            "/a/b:0 f32 [2]; gr\xc3\xbc\xc3\x9f u8 []; arr_2 i64 [0,2]");
  const Extent& extent = listing->tensors[0].extent;
  EXPECT_EQ(ReadAll(file.path()).substr(extent.offset, extent.length),
            "abcdefgh");
}

// NumPy checks the sums; it is asked where it is there.
TEST(Npz, NumpyReadsWhatItWrites) {
  const std::string python = "/usr/bin/python3 -c \"import sys, numpy; ";
  if (std::system((python + "\" 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << "no NumPy here";
  }
  const TempFile file(".npz");
  ASSERT_EQ(WrittenNpz({ToWrite("x", DType::kU8, {2, 2}, "abcd"),
                        ToWrite("gr\xc3\xbc\xc3\x9f", DType::kU8, {}, "e")},
                       file.path()),
            "");
  const std::string script =
      "z = numpy.load(sys.argv[1]); "
      "sys.exit(z['x'].tobytes() + z['gr\xc3\xbc\xc3\x9f'].tobytes() "
      "!= b'abcde')\" ";
  EXPECT_EQ(std::system((python + script + file.path()).c_str()), 0);
}

TEST(Npz, RefusesToWrite) {
  const TempFile file(".npz");
  EXPECT_EQ(WrittenNpz({ToWrite("x", DType::kBF16, {}, "ab")}, file.path()),
            "NumPy has no type for bf16");
  EXPECT_EQ(WrittenNpz({ToWrite("x", DType::kU8, {}, "a"),
                        ToWrite("x", DType::kU8, {}, "b")},
                       file.path()),
            "two members are named 'x.npy'");
}

}  // namespace
}  // namespace assay
