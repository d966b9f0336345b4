#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <thread>

#include "base/text.h"
#include "codecs/temp_file.h"
#include "kernel/byte_stream.h"
#include "test_paths.h"

namespace assay {
namespace {

const std::string kFolder = TestData("codecs/");

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
  const std::string folder = TestData("hdf5/");
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
      {"compact", Counted<int32_t>(6), Encoding::kRaw},
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

// Version 5 of the layout, which HDF5 2.0 writes for compressed chunks.
TEST(Hdf5, ChunksOfVersion5) {
  const std::string path = kFolder + "storage_2.h5";
  Tensors tensors = TensorsOf(path);
  EXPECT_EQ(tensors.size(), 4u);
  EXPECT_EQ(BytesOf(path, tensors["packed"]), Counted<int16_t>(90));
  EXPECT_EQ(BytesOf(path, tensors["grows"]), Counted<double>(6));
  EXPECT_EQ(BytesOf(path, tensors["grows_both"]), Counted<uint8_t>(12));
  EXPECT_EQ(BytesOf(path, tensors["one_chunk"]), Counted<int64_t>(9));
}

// One file, many readers.
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
      {"packed", "the values are encoded with filter 32000 lzf"},
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

// Indexes of more than one node, block or page; groups of many links.
TEST(Hdf5, ReadsLargeIndexes) {
  const std::string folder = TestData("hdf5/");
  for (const char* file : {"many.h5", "many_new.h5"}) {
    Tensors tensors = TensorsOf(folder + file);
    EXPECT_EQ(tensors.size(), 83u) << file;
    for (const auto& [name, n] :
         {std::pair("fixed", 1100u), std::pair("grows", 300u),
          std::pair("grows_both", 200u)}) {
      EXPECT_EQ(BytesOf(folder + file, tensors[name], 4096),
                Counted<uint8_t>(n))
          << file << name;
    }
    for (int i = 0; i < 80; ++i) {
      const std::string name = fmt::format("group/link_{}", i);
      ASSERT_EQ(BytesOf(folder + file, tensors[name]),
                Numbers<int16_t>({static_cast<int16_t>(i)}));
    }
  }
}

TEST(Hdf5, SaysWhatIsWrong) {
  const std::string good = ReadAll(kFolder + "strides.h5");
  std::string version = good, width = good, root = good;
  version[8] = 9;
  width[13] = 3;
  root[64] = '\1';
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {"", "not an HDF5 file: its signature is missing"},
      {std::string(1000, 't'), "not an HDF5 file: its signature is missing"},
      {good.substr(0, 9), "versions needs 4 bytes, 0 left"},
      {good.substr(0, 100),
       fmt::format("the file ends at byte 100, {} were written", good.size())},
      {version, "HDF5 files of version 9"},
      {width, "its numbers have an impossible size"},
      {root, "no object is here"},
  };
  for (const auto& row : kRows) EXPECT_EQ(ErrorOf(".h5", row.bytes), row.error);
  EXPECT_EQ(SummaryOf(".dump", good), SummaryOf(".h5", good));  // by content
  EXPECT_EQ(SummaryOf(".dump", std::string(512, ' ') + good),
            SummaryOf(".h5", good));  // behind a block of another program
}

TEST(Hdf5, ADatasetThatChangedIsAnError) {
  const std::string path = kFolder + "storage.h5";
  StoredTensor tensor = TensorsOf(path)["packed"];
  tensor.shape = {90};
  EXPECT_NE(BytesOf(path, tensor).find("the dataset is not what it was"),
            std::string::npos);
  tensor.extent.offset = 8;
  EXPECT_NE(BytesOf(path, tensor).find("no object is here"), std::string::npos);
}

// Damage is never read as values: sums guard them, and new files all else too.
TEST(Hdf5, ADamagedChunkIsAnError) {
  const std::string path = kFolder + "storage.h5";
  const std::string bytes = ReadAll(path), values(7, '\xff');
  const StoredTensor tensor = TensorsOf(path)["odd"];
  size_t wrong = 0;
  for (size_t i = bytes.find(values); i != std::string::npos;
       i = bytes.find(values, i + 1)) {
    std::string damaged = bytes;
    damaged[i + 3] = 'x';
    const TempFile file(".h5", damaged);
    if (!ListFile(file.path(), {})) continue;
    wrong += BytesOf(file.path(), tensor).find("checksum of a chunk") !=
             std::string::npos;
  }
  EXPECT_EQ(wrong, 1u);
}

// Reads everything of a file that is damaged in one place, wherever it is.
TEST(Hdf5, SurvivesDamageAnywhere) {
  for (const char* name : {"storage.h5", "storage_new.h5", "links.h5"}) {
    std::string bytes = ReadAll(kFolder + name);
    const TempFile file(".h5");
    for (size_t at = 0; at < bytes.size(); at += 11) {
      const char kept = bytes[at];
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8 | (at % 3) * 64));
      file.Write(bytes);
      const auto listing = ListFile(file.path(), {});
      for (size_t i = 0; listing && i < listing->tensors.size(); ++i) {
        const StoredTensor& tensor = listing->tensors[i];
        if (HasNumbers(tensor) && *ElementCount(tensor.shape) < 100000) {
          BytesOf(file.path(), tensor, 1000);
        }
      }
      bytes[at] = kept;
    }
  }
}

}  // namespace
}  // namespace assay
