#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <thread>

#include "base/text.h"
#include "codecs/temp_file.h"
#include "kernel/byte_stream.h"

namespace assay {
namespace {

const std::string kFolder = ASSAY_TEST_DATA "/codecs/";

using Tensors = std::map<std::string, StoredTensor>;

Tensors TensorsOf(const std::string& path) {
  Tensors tensors;
  const auto listing = ListFile(path, {});
  EXPECT_TRUE(listing) << path << listing.error().Text();
  if (!listing) return tensors;
  for (const StoredTensor& t : listing->tensors) tensors[t.name] = t;
  EXPECT_EQ(tensors.size(), listing->tensors.size());
  return tensors;
}

// The bytes of a tensor, read `step` at a time; or what is wrong.
std::string BytesOf(const std::string& path, const StoredTensor& tensor,
                    size_t step = 5) {
  const auto file = InputFile::Open(path);
  std::string out(*ByteCount(tensor.dtype, *ElementCount(tensor.shape)), '\0');
  const auto bytes = std::as_writable_bytes(std::span(out));
  if (tensor.extent.encoding == Encoding::kRaw) {
    const Status read = file->ReadAt(tensor.extent.offset, bytes);
    return read ? out : read.error().Text();
  }
  auto stream = OpenStream(*file, tensor);
  if (!stream) return stream.error().Text();
  for (size_t at = 0; at < out.size(); at += step) {
    const Status read =
        (*stream)->Read(bytes.subspan(at, std::min(step, out.size() - at)));
    if (!read) return read.error().Text();
  }
  const Status end = (*stream)->Finish();
  return end ? out : end.error().Text();
}

template <typename T>
std::string Numbers(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()),
          values.size() * sizeof(T)};
}
template <typename T>
std::string Counted(size_t n) {
  std::vector<T> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = static_cast<T>(i);
  return Numbers(values);
}

TEST(Hdf5, ReadsTheDumpsOfPyTorch) {
  const std::string folder = ASSAY_TEST_DATA "/hdf5/";
  EXPECT_EQ(Summary(*ListFile(folder + "gpu.h5", {})),
            "AddmmBackward/2/input/mat1 f32 [2,3]; "
            "AddmmBackward/2/output/result f32 [2,4] strided; "
            "AddmmBackward/7/output/result f32 [2,4]; "
            "CudnnConvolutionBackward/3/input/self f32 [2,3]");
  // Its input/alpha is a scalar of the call, not a tensor.
  EXPECT_EQ(Summary(*ListFile(folder + "npu.h5", {})),
            "AddmmBackward/4/input/mat1 f32 [2,3]; "
            "AddmmBackward/4/output/result f16 [2,4]; "
            "AddmmBackward/9/output/result f32 [2,4]; "
            "NpuConvolutionBackward/5/input/input f32 [2,3]");
  for (const auto& [name, tensor] : TensorsOf(folder + "gpu.h5")) {
    EXPECT_EQ(tensor.extent.encoding, Encoding::kRaw) << name;
  }
}

TEST(Hdf5, ReadsEveryType) {
  const std::string path = kFolder + "types.h5";
  EXPECT_EQ(Summary(*ListFile(path, {})),
            "big f32 [2,3] big-endian; big_complex c64 [2] big-endian; "
            "bool bool [2]; c16 c128 [2,3]; c8 c64 [2,3]; empty f32 [2,0]; "
            "enum opaque [2]; f2 f16 [2,3]; f4 f32 [2,3]; f8 f64 [2,3]; "
            "i1 i8 [2,3]; i2 i16 [2,3]; i4 i32 [2,3]; i8 i64 [2,3]; "
            "long opaque [2]; none f32 [0]; record opaque [1]; scalar f32 []; "
            "text opaque [2]; texts opaque [2]; u1 u8 [2,3]; u2 u16 [2,3]; "
            "u4 u32 [2,3]; u8 u64 [2,3]");
  Tensors tensors = TensorsOf(path);
  EXPECT_EQ(BytesOf(path, tensors["f4"]), Counted<float>(6));
  EXPECT_EQ(BytesOf(path, tensors["u8"]), Counted<uint64_t>(6));
  EXPECT_EQ(BytesOf(path, tensors["bool"]), std::string("\1\0", 2));
  EXPECT_EQ(BytesOf(path, tensors["scalar"]), Numbers<float>({7.5}));
  EXPECT_EQ(BytesOf(path, tensors["empty"]), "");
  EXPECT_EQ(BytesOf(path, tensors["none"]), "");
}

TEST(Hdf5, ReadsEveryKindOfStorage) {
  std::vector<int16_t> holes(24, -1);
  std::fill_n(holes.begin() + 8, 8, int16_t{5});
  std::string big;
  for (char i = 0; i < 5; ++i) big += {'\0', '\0', '\0', i};
  const struct {
    std::string name, bytes;
    Encoding encoding = Encoding::kHdf5;
  } kRows[] = {
      {"raw", Counted<float>(6), Encoding::kRaw},
      {"compact", Counted<int32_t>(6)},
      {"unwritten", Numbers(std::vector<float>(12, 2.5f))},
      {"chunks", Counted<float>(35)},
      {"big", big},
      {"packed", Counted<int16_t>(90)},
      {"grows", Counted<double>(6)},
      {"grows_both", Counted<uint8_t>(12)},
      {"one_chunk", Counted<int64_t>(9)},
      {"holes", Numbers(holes)},
      {"odd", std::string(7, '\xff')},
      {"edges", Counted<int32_t>(5)},
      {"unpacked", Counted<int32_t>(4)},
  };
  for (const char* file : {"storage.h5", "storage_new.h5"}) {
    Tensors tensors = TensorsOf(kFolder + file);
    EXPECT_EQ(tensors.size(), std::size(kRows));
    for (const auto& row : kRows) {
      const StoredTensor& tensor = tensors[row.name];
      EXPECT_EQ(tensor.extent.encoding, row.encoding) << row.name;
      EXPECT_EQ(BytesOf(kFolder + file, tensor), row.bytes) << row.name;
    }
    EXPECT_TRUE(tensors["big"].big_endian);
  }
}

// Streams of one file share what libhdf5 knows about it.
TEST(Hdf5, StreamsDoNotDisturbEachOther) {
  const std::string path = kFolder + "storage.h5";
  const StoredTensor tensor = TensorsOf(path)["packed"];
  const auto file = InputFile::Open(path);
  auto first = OpenStream(*file, tensor), second = OpenStream(*file, tensor);
  ASSERT_TRUE(first && second);
  first->reset();
  std::string out(180, '\0');
  ASSERT_TRUE((*second)->Read(std::as_writable_bytes(std::span(out))));
  EXPECT_EQ(out, Counted<int16_t>(90));

  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) {
        EXPECT_EQ(BytesOf(path, tensor), Counted<int16_t>(90));
        EXPECT_TRUE(ListFile(path, {}));
      }
    });
  }
}

TEST(Hdf5, FollowsHardLinksOnly) {
  Tensors tensors = TensorsOf(kFolder + "links.h5");
  std::string names;
  for (const auto& [name, tensor] : tensors) names += name + " ";
  EXPECT_EQ(names, "a/again a/b/c/x other outside packed virtual ");
  EXPECT_EQ(tensors["a/again"].extent.offset, tensors["a/b/c/x"].extent.offset);
  const struct {
    std::string name, error;
  } kRows[] = {
      {"other", "a link to another file"},
      {"outside", "the values are in another file"},
      {"virtual", "the values are in another file"},
      {"packed", "the values are encoded with filter 32000 'lzf'"},
  };
  for (const auto& row : kRows) {
    const StoredTensor& tensor = tensors[row.name];
    EXPECT_EQ(tensor.dtype, DType::kOpaque);
    ASSERT_TRUE(tensor.error) << row.name;
    EXPECT_EQ(tensor.error->what, row.error);
    EXPECT_EQ(tensor.error->file, kFolder + "links.h5");
    EXPECT_EQ(tensor.error->tensor, row.name);
  }
}

TEST(Hdf5, AppliesStridesThatFit) {
  Tensors tensors = TensorsOf(kFolder + "strides.h5");
  using Strides = std::vector<int64_t>;
  EXPECT_EQ(tensors.size(), 6u);  // without the list
  EXPECT_EQ(tensors["transposed"].strides, (Strides{1, 2}));
  EXPECT_EQ(tensors["repeated"].strides, (Strides{0, 1}));
  for (const char* name : {"ordered", "too_far", "backwards", "npu"}) {
    EXPECT_EQ(tensors[name].strides, Strides()) << name;
  }
}

TEST(Hdf5, SaysWhatIsWrong) {
  const std::string good = ReadAll(kFolder + "strides.h5");
  const std::string cannot = "cannot be read as HDF5: ";
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {"", cannot + "8 bytes at byte 0 are beyond the end"},
      {std::string(1000, 't'), cannot + "file signature not found"},
      {good.substr(0, 100), cannot +
                                "truncated file: eof = 100, "
                                "sblock->base_addr = 0, stored_eof = " +
                                std::to_string(good.size())},
  };
  for (const auto& row : kRows) EXPECT_EQ(ErrorOf(".h5", row.bytes), row.error);
  EXPECT_EQ(SummaryOf(".dump", good), SummaryOf(".h5", good));  // by content
}

TEST(Hdf5, ADatasetThatChangedIsAnError) {
  const TempFile file(".h5", ReadAll(kFolder + "storage.h5"));
  StoredTensor tensor = TensorsOf(file.path())["packed"];
  tensor.shape = {90};
  EXPECT_NE(BytesOf(file.path(), tensor).find("not what it was"),
            std::string::npos);
  tensor.name = "gone";
  EXPECT_NE(BytesOf(file.path(), tensor).find("object 'gone' doesn't exist"),
            std::string::npos);
}

// No value is ever read from a chunk that was damaged.
TEST(Hdf5, ADamagedChunkIsAnError) {
  std::string bytes = ReadAll(kFolder + "storage.h5");
  const std::string path = kFolder + "storage.h5";
  const StoredTensor tensor = TensorsOf(path)["odd"];
  const size_t at = bytes.find(std::string(7, '\xff') + '\0');
  size_t wrong = 0;
  for (size_t i = 0; i + 7 < bytes.size(); ++i) {
    if (bytes.compare(i, 7, std::string(7, '\xff')) != 0) continue;
    std::string damaged = bytes;
    damaged[i + 3] = 'x';
    const TempFile file(".h5", damaged);
    if (!ListFile(file.path(), {})) continue;
    wrong += BytesOf(file.path(), tensor).find("checksum of a chunk") !=
             std::string::npos;
  }
  EXPECT_NE(at, std::string::npos);
  EXPECT_GT(wrong, 0u);
}

}  // namespace
}  // namespace assay
