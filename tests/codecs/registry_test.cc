#include <gtest/gtest.h>

#include <set>

#include "codecs/npy_builder.h"
#include "codecs/temp_file.h"
#include "codecs/zip_builder.h"

namespace assay {
namespace {

TEST(Registry, EveryCodecIsComplete) {
  std::set<std::string_view> names;
  for (const Codec* codec : AllCodecs()) {
    EXPECT_TRUE(names.insert(codec->name).second) << codec->name;
    EXPECT_FALSE(codec->summary.empty());
    EXPECT_TRUE(codec->extensions.empty() ||
                codec->extensions.starts_with('.') ||
                codec->extensions.starts_with('_'));
    EXPECT_EQ(codec->sniff == nullptr, codec->list == nullptr);
    EXPECT_TRUE(codec->list != nullptr || codec->write != nullptr);
    EXPECT_EQ(FindCodec(codec->name), codec);
  }
}

TEST(Registry, FindsByNameOrSuffix) {
  EXPECT_EQ(FindCodec("bin"), FindCodec("raw"));
  EXPECT_EQ(FindCodec("pb"), FindCodec("onnx"));
  EXPECT_EQ(FindCodec("doc"), nullptr);
  EXPECT_EQ(FindCodec(""), nullptr);
}

TEST(Registry, ASuffixDecidesOrElseTheContent) {
  const std::string npy = Npy(), npz = Zip().Add("x.npy", npy);
  const struct {
    std::string suffix, bytes, codec;
  } kRows[] = {
      {".npy", npy, "npy"},    {".17", npy, "npy"},   {".bin", npy, "npy"},
      {".npz", npz, "npz"},    {".npy", npz, "npz"},  {".pb", "", "onnx"},
      {".npy", "text", "npy"}, {".x", "\x93NUM", ""},
  };
  const CodecHints hints;
  for (const auto& row : kRows) {
    const std::string path = "dump" + row.suffix;
    const Codec* codec =
        ChooseCodec({path, row.bytes, row.bytes.size(), hints});
    EXPECT_EQ(codec ? codec->name : "", row.codec) << path;
  }
}

TEST(Registry, SaysWhatAFileSeemsToBe) {
  const std::string_view other = "not a format of 'assay list codecs'";
  const struct {
    std::string suffix, bytes;
    std::string_view note;
  } kRows[] = {
      {".x", "", "empty file"},
      {".bin", "abc",
       "a .bin file: give --dtype and --shape to read it as raw values"},
      {".x", Zip().Add("archive/readme", "x"), "a zip archive without arrays"},
      {".zip", Zip(), "a zip archive without arrays"},
      {".pkl", "(lp0\n.", "a Python pickle"},
      {".x", "\x80\x04\x95", "a Python pickle"},
      {".gz", "\x1f\x8b\x08", "a gzip file: unpack it first"},
      {".x", "\x89PNG\r\n", "a picture"},
      {".so", "\177ELF\2", "a program or library"},
      {".log", "hello,\tw\xc3\xb6rld\n", "text"},
      {".x", std::string("\x01\x02\x00", 3), other},
  };
  for (const auto& row : kRows) {
    const auto listing = ListBytes(row.suffix, row.bytes);
    ASSERT_TRUE(listing) << row.note;
    EXPECT_EQ(listing->codec, nullptr);
    EXPECT_TRUE(listing->tensors.empty());
    EXPECT_EQ(listing->note, row.note);
  }
}

TEST(Registry, AMissingFileIsAnError) {
  const auto listing = ListFile("/nowhere/x.npy", {});
  ASSERT_FALSE(listing);
  EXPECT_EQ(listing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(listing.error().file, "/nowhere/x.npy");
}

}  // namespace
}  // namespace assay
