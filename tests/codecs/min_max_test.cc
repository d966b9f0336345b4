#include <gtest/gtest.h>

#include "base/text.h"
#include "codecs/npy_builder.h"
#include "codecs/temp_file.h"
#include "codecs/zip_builder.h"
#include "test_paths.h"

namespace assay {
namespace {

template <typename T>
std::string Array(std::string_view descr, std::string_view shape,
                  const std::vector<T>& values) {
  return Npy().Descr(descr).Shape(shape).Data(0).Bytes() +
         std::string(reinterpret_cast<const char*>(values.data()),
                     values.size() * sizeof(T));
}

// "input:0 f16 -1..2; output:0 f16 0..1", or the error.
std::string Shown(const Result<Listing>& listing) {
  if (!listing) return "error: " + listing.error().what;
  EXPECT_EQ(listing->codec->name, "min-max");
  std::string text;
  for (const StoredTensor& t : listing->tensors) {
    EXPECT_TRUE(t.summary && !t.summary->shape_known);
    EXPECT_EQ(t.extent.length, 0u);
    text +=
        fmt::format("{}{}{}{} {}..{}", text.empty() ? "" : "; ", t.name,
                    t.name.empty() ? "" : " ", Name(t.dtype),
                    RoundedText(*t.summary->min), RoundedText(*t.summary->max));
  }
  return text;
}

TEST(MinMax, ReadsWhatTheConverterWrote) {
  const std::string folder = TestData("codecs/");
  EXPECT_EQ(Shown(ListFile(folder + "fx_min_max.npy", {})),
            "f16 -0.3308..2.432");
  EXPECT_EQ(Shown(ListFile(folder + "ge_min_max.npz", {})),
            "input:0 f16 -0.3308..2.432; input:1 f16 -1.192..0.1876; "
            "output:0 f16 -3.363..-0.2109");
  EXPECT_EQ(Shown(ListFile(folder + "deflated_min_max.npz", {})),
            "input:0 f64 1..2; input:1 f64 3..4");
}

TEST(MinMax, ReadsEveryKindOfArray) {
  const std::string fortran =
      Npy()
          .Dict("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2)}")
          .Data(0)
          .Bytes() +
      "\1\2\3\4";
  const struct {
    std::string suffix, bytes, tensors;
  } kRows[] = {
      {".npy", Array<int64_t>("<i8", "(2,)", {-5, 7}), "i64 -5..7"},
      {".npy", Array<uint8_t>(">i2", "(2,)", {0xff, 0xfe, 1, 0}),
       "i16 -2..256"},
      {".npy", Array<uint8_t>("|b1", "(2,)", {0, 1}), "bool 0..1"},
      {".npz", Zip().Add("outputs.npy", fortran),
       "output:0 u8 1..3; output:1 u8 2..4"},
      {".npz",
       Zip()
           .Add("inputs.npy", Array<double>("<f8", "(0,)", {}))
           .Add("outputs.npy", Array<double>("<f8", "(1, 2)", {1, 2}))
           .Add("notes.txt", "x"),
       "output:0 f64 1..2"},
      {".npz", Zip().Add("outputs.npy", Array<double>("<f8", "(0, 2)", {})),
       ""},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Shown(ListBytes("_min_max" + row.suffix, row.bytes)),
              row.tensors);
  }
}

TEST(MinMax, SaysWhatIsWrong) {
  const std::vector<float> two = {1, 2};
  const std::string pairs = " where an array of pairs of numbers is wanted";
  const struct {
    std::string suffix, bytes, error;
  } kRows[] = {
      {".npy", "", "magic needs 6 bytes, 0 left"},
      {".npy", Npy(), "f32 [2,3] where an array of two numbers is wanted"},
      {".npy", Array<float>("<c8", "(2,)", {1, 2, 3, 4}),
       "c64 [2] where an array of two numbers is wanted"},
      {".npy", Array("|S4", "(2,)", two),
       "opaque [2] where an array of two numbers is wanted"},
      {".npz", Zip().Add("x.npy", Npy()),
       "neither 'inputs' nor 'outputs' is in it"},
      {".npz", Zip().Add("inputs.npy", Array("<f4", "(2,)", two)),
       "f32 [2]" + pairs},
      {".npz", Zip().Add("inputs.npy", Array("<f4", "(1, 1, 2)", two)),
       "f32 [1,1,2]" + pairs},
      {".npz",
       Zip().Deflate(
           "inputs.npy",
           Npy().Descr("|u1").Shape("(100000, 2)").Data(200000).Bytes()),
       "u8 [100000,2]" + pairs},
      {".npz", Npy(), "this is one array, not an archive"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ErrorOf("_min_max" + row.suffix, row.bytes), row.error);
  }
}

}  // namespace
}  // namespace assay
