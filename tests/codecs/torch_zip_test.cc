#include <gtest/gtest.h>

#include "codecs/pickle_builder.h"
#include "codecs/temp_file.h"
#include "codecs/zip_builder.h"
#include "test_paths.h"

namespace assay {
namespace {

using namespace pkl;

const std::string kFolder = TestData("codecs/");

// An archive of torch.save: what is not given is as torch writes it.
std::string Pt(const std::string& value, size_t bytes = 24) {
  return Zip()
      .Add("archive/data.pkl", Whole(value))
      .Add("archive/data/0", std::string(bytes, 'v'))
      .Add("archive/version", "3\n");
}

// "x f32 [2,3]", and the strides where there are some.
std::string Listed(const Listing& listing) {
  std::string text;
  for (const StoredTensor& t : listing.tensors) {
    text += fmt::format("{}'{}' {} {}{}{}", text.empty() ? "" : "; ", t.name,
                        Name(t.dtype), ToText(t.shape),
                        t.big_endian ? " big-endian" : "",
                        t.strides.empty() ? "" : " by " + ToText(t.strides));
  }
  return text;
}

std::string ListedOf(const std::string& bytes) {
  const auto listing = ListBytes(".pt", bytes);
  return listing ? Listed(*listing) : "error: " + listing.error().what;
}

TEST(TorchZip, ReadsTheSamples) {
  const std::string model =
      "'model.fc.weight' f32 [2,3]; 'model.fc.bias' f16 [3]; 'tied' f32 [2,3]; "
      "'state.0.step' i64 []; 'pair.0' bool [2]";
  const struct {
    std::string file, tensors;
  } kRows[] = {
      {"half.pt", "'' f16 [3,4]"},
      {"msprobe.pt", "'' f32 [3,4]"},
      {"msprobe_scalar.pt", "'' f32 []"},
      {"nested.pt", model},
      {"nested4.pth", model},
      {"views.pt",
       "'0' f32 [4,6]; '1' f32 [6,4] by [1,6]; '2' f32 [2,3] by [12,2]; "
       "'3' f32 [3,2] by [0,1]; '4' f32 []; '5' f32 [1,4,1]; '6' f32 [0,5]; "
       "'7' f8e4m3 [2,3]; '8' bf16 [3]"},
      {"big_endian.pt", "'x' f32 [2,3] big-endian; 'b' bool [1]"},
      {"deflated.pt", "'x' f32 [2,3]"},
      {"no_tensors.pt", ""},
  };
  for (const auto& row : kRows) {
    const auto listing = ListFile(kFolder + row.file, {});
    ASSERT_TRUE(listing) << listing.error().Text();
    EXPECT_EQ(Listed(*listing), row.tensors) << row.file;
    EXPECT_EQ(listing->codec, FindCodec("pt"));
  }
}

// Views share a storage; each extent is the part from its first to its last
// element.
TEST(TorchZip, ExtentsPointIntoTheStorages) {
  const auto listing = ListFile(kFolder + "views.pt", {});
  ASSERT_TRUE(listing);
  const std::string file = ReadAll(kFolder + "views.pt");
  const uint64_t base = listing->tensors[0].extent.offset;
  const struct {
    uint64_t first, count;  // elements of 4 bytes
  } kRows[] = {{0, 24}, {0, 24}, {7, 17}, {5, 2}, {23, 1}, {0, 4}, {24, 0}};
  for (size_t i = 0; i < std::size(kRows); ++i) {
    const Extent& extent = listing->tensors[i].extent;
    EXPECT_EQ(extent.offset, base + 4 * kRows[i].first) << i;
    EXPECT_EQ(extent.length, 4 * kRows[i].count) << i;
    EXPECT_EQ(extent.encoding, Encoding::kRaw);
  }
  const Extent &f8 = listing->tensors[7].extent,
               &bf16 = listing->tensors[8].extent;
  EXPECT_EQ(file.substr(f8.offset, f8.length), "\2\3\4\5\6\7");
  EXPECT_EQ(file.substr(bf16.offset, bf16.length), "\2\3\4\5\6\7");
  const auto half = ListFile(kFolder + "half.pt", {});
  ASSERT_TRUE(half);
  EXPECT_EQ(half->tensors[0].extent.length, 24u);
}

TEST(TorchZip, ADeflatedStorageIsReadWhole) {
  const auto listing = ListFile(kFolder + "deflated.pt", {});
  ASSERT_TRUE(listing);
  const Extent& extent = listing->tensors[0].extent;
  EXPECT_EQ(extent.encoding, Encoding::kDeflate);
  EXPECT_EQ(extent.skip, 0u);
  EXPECT_NE(extent.crc, 0u);
  for (const Tensor& part :
       {Tensor{.size = {3, 2}, .strides = {1, 3}},
        Tensor{.size = {5}, .strides = {1}},
        Tensor{.size = {5}, .strides = {1}, .offset = 1}}) {
    const std::string zip = Zip()
                                .Deflate("a/data.pkl", Whole(part))
                                .Deflate("a/data/0", std::string(24, 'v'));
    EXPECT_EQ(ErrorOf(".pt", zip), "a part of a compressed storage");
  }
}

TEST(TorchZip, KnowsItsTypes) {
  const struct {
    std::string storage, tail, dtype;
    size_t bytes;  // of two elements
  } kRows[] = {
      {"DoubleStorage", "", "f64", 16},
      {"FloatStorage", "", "f32", 8},
      {"HalfStorage", "", "f16", 4},
      {"BFloat16Storage", "", "bf16", 4},
      {"LongStorage", "", "i64", 16},
      {"IntStorage", "", "i32", 8},
      {"ShortStorage", "", "i16", 4},
      {"CharStorage", "", "i8", 2},
      {"ByteStorage", "", "u8", 2},
      {"BoolStorage", "", "bool", 2},
      {"ComplexFloatStorage", "", "c64", 16},
      {"ComplexDoubleStorage", "", "c128", 32},
      {"UntypedStorage", "float8_e4m3fn", "f8e4m3", 2},
      {"UntypedStorage", "float8_e5m2", "f8e5m2", 2},
      {"UntypedStorage", "float8_e8m0fnu", "f8e8m0", 2},
      {"UntypedStorage", "complex32", "c32", 8},
      {"UntypedStorage", "uint16", "u16", 4},
      {"UntypedStorage", "uint32", "u32", 8},
      {"UntypedStorage", "uint64", "u64", 16},
      {"UntypedStorage", "float8_e4m3fnuz", "opaque", 2},
      {"UntypedStorage", "bcomplex32", "opaque", 8},
  };
  for (const auto& row : kRows) {
    const bool typed = !row.tail.empty();
    const int64_t numel = typed ? static_cast<int64_t>(row.bytes) : 2;
    const Storage storage{.type = row.storage,
                          .numel = numel,
                          .module = typed ? "torch.storage" : "torch"};
    const Tensor tensor{
        .size = {2},
        .strides = {1},
        .storage = storage,
        .tail = typed ? Global("torch", row.tail) : "",
        .function = typed ? "_rebuild_tensor_v3" : "_rebuild_tensor_v2"};
    EXPECT_EQ(ListedOf(Pt(tensor, row.bytes)), "'' " + row.dtype + " [2]");
    if (row.dtype == "opaque") continue;
    EXPECT_EQ(ErrorOf(".pt", Pt(tensor, row.bytes - 1)),
              fmt::format("its storage claims {} bytes and holds {}", row.bytes,
                          row.bytes - 1));
  }
}

TEST(TorchZip, ChecksViewsAgainstTheirStorages) {
  const int64_t huge = int64_t{1} << 62;
  const struct {
    std::string value, error;
  } kRows[] = {
      {Tensor{.size = {2, 4}, .strides = {4, 1}},
       "f32 [2,4] with strides [4,1] from element 0 on needs 32 bytes, its "
       "storage has 24"},
      {Tensor{.offset = 1},
       "f32 [2,3] with strides [3,1] from element 1 on needs 28 bytes, its "
       "storage has 24"},
      {Tensor{.strides = {4, 1}},
       "f32 [2,3] with strides [4,1] from element 0 on needs 28 bytes, its "
       "storage has 24"},
      {Tensor{.strides = {huge, huge}},
       "f32 [2,3] with strides [4611686018427387904,4611686018427387904] from "
       "element 0 on needs too many bytes, its storage has 24"},
      {Tensor{.strides = {3, -1}},
       "f32 [2,3] with strides [3,-1] from element 0 on needs too many bytes, "
       "its storage has 24"},
      {Tensor{.size = {}, .strides = {}, .offset = INT64_MAX},
       "f32 [] with strides [] from element 9223372036854775807 on needs too "
       "many bytes, its storage has 24"},
      {Tensor{.size = {huge, 4}},
       "shape [4611686018427387904,4] is impossible"},
      {Tensor{.size = {-1, 4}}, "shape [-1,4] is impossible"},
      {Tensor{.strides = {1}}, "shape [2,3] has 1 strides"},
      {Tensor{.size = {huge}, .strides = {0}},
       "[4611686018427387904] shows 1 elements again and again"},
      {Tensor{.storage = Storage{.key = "7"}},
       "its storage 'data/7' is not in the archive"},
      {Tensor{.storage = Storage{.key = "../../etc/passwd"}},
       "its storage 'data/../../etc/passwd' is not in the archive"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ErrorOf(".pt", Pt(row.value)), row.error);
  }
}

TEST(TorchZip, LimitsThePickle) {
  const std::string wide = "](" + std::string(200000, 'N') + "e";
  EXPECT_EQ(ErrorOf(".pt", Pt(wide), {.max_memory = 100000}),
            "data.pkl has 200006 bytes, at most 100000 are read");
  EXPECT_EQ(ErrorOf(".pt", Pt(wide), {.max_memory = 1000000}),
            "the pickle holds more than 10000 values");
}

TEST(TorchZip, NeverRunsCode) {
  const auto listing = ListBytes(
      ".pt", Pt(Global("os", "system") + "(" + Text("touch /tmp/x") + "tR"));
  ASSERT_FALSE(listing);
  const Error& error = listing.error();
  EXPECT_EQ(error.code, ErrorCode::kUnsupported);
  EXPECT_EQ(error.what, "GLOBAL asks for os.system, which is refused");
  EXPECT_EQ(error.offset, 30u + 16 + 2);  // behind the member's header
  EXPECT_NE(error.hint.find("no code is run"), error.hint.npos) << error.hint;
  const struct {
    std::string module, name, hint;
  } kRows[] = {
      {"torch._utils", "_rebuild_qtensor", "quantised"},
      {"torch", "QInt8Storage", "quantised"},
      {"torch._utils", "_rebuild_sparse_tensor", "sparse"},
      {"torch._utils", "_rebuild_meta_tensor_no_storage", "meta"},
      {"builtins", "eval", "no code is run"},
      {"numpy.core.multiarray", "_reconstruct", "no code is run"},
  };
  for (const auto& row : kRows) {
    const auto refused = ListBytes(".pt", Pt(Global(row.module, row.name)));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().what,
              fmt::format("GLOBAL asks for {}.{}, which is refused", row.module,
                          row.name));
    EXPECT_NE(refused.error().hint.find(row.hint), std::string::npos);
  }
}

TEST(TorchZip, ExplainsOtherFiles) {
  std::string tar(512, '\0');
  tar.replace(257, 5, "ustar");
  const std::string pickle = Whole(Tensor());
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {ReadAll(kFolder + "script.pt"),
       "a TorchScript archive: a program, not only tensors"},
      {"\x80\x02\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19.",
       "a pickle file of torch before 1.6, not a zip archive"},
      {tar, "a tar file of torch before 1.6, not a zip archive"},
      {"PK\3\4", "the archive has no central directory"},
      {Zip(), "a zip archive without data.pkl"},
      {Zip().Add("x.npy", "x"), "a zip archive without data.pkl"},
      {Zip().Add("a/version", "3").Add("b/data.pkl", pickle),
       "a zip archive without data.pkl"},
      {Zip().Add("a/data.pkl", pickle).Add("a/byteorder", "middle"),
       "byteorder is neither 'little' nor 'big'"},
      {Zip().Add("a/data.pkl", pickle).Add("a/../data/0", "x"),
       "member 'a/../data/0' has '..' in its path"},
      {Zip().Add("/a/data.pkl", pickle),
       "member '/a/data.pkl' has an absolute path as its name"},
      {Zip().Add("a/data.pkl", "text"),
       "no pickle of protocols 2 to 5 begins here"},
  };
  for (const auto& row : kRows) EXPECT_EQ(ErrorOf(".pt", row.bytes), row.error);
}

TEST(TorchZip, IsKnownBySuffixOrFirstMember) {
  const std::string head = Pt(Tensor()), npz = Zip().Add("x.npy", "x");
  const std::string format = Zip().Add("a/.format_version", "1");
  const struct {
    std::string path, bytes, codec;
  } kRows[] = {
      {"x.pt", "", "pt"},      {"x.pth", npz, "pt"},   {"x", head, "pt"},
      {"x.zip", format, "pt"}, {"x.npz", head, "npz"}, {"x", npz, "npz"},
  };
  const CodecHints hints;
  for (const auto& row : kRows) {
    const Codec* codec =
        ChooseCodec({row.path, row.bytes, row.bytes.size(), hints});
    EXPECT_EQ(codec ? codec->name : "", row.codec) << row.path;
  }
}

}  // namespace
}  // namespace assay
