// Every sample dump gives the values that the vendor's tool found in it, but
// for the 8-bit floats it decodes wrongly.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>

#include "codecs/temp_file.h"
#include "kernel/decode.h"
#include "test_paths.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = TestData("ascend");

// The one dump of a case.
std::string DumpOf(const std::string& name) {
  for (const auto& entry : fs::directory_iterator(kFolder / "bin" / name)) {
    if (entry.path().filename() != "mapping.csv") return entry.path();
  }
  return {};
}

std::vector<double> Values(const std::string& path, const StoredTensor& t) {
  const uint64_t n = ElementCount(t.shape).value_or(0);
  const std::string bytes =
      ReadAll(path).substr(t.extent.offset, t.extent.length);
  std::vector<double> values(n);
  const Decoder decode = FindDecoder(t.dtype, TileType::kF64, t.big_endian);
  if (decode) {
    decode(reinterpret_cast<const std::byte*>(bytes.data()), n, values.data());
  } else if (n > 0) {
    std::memcpy(values.data(), bytes.data(), bytes.size());
  }
  return values;
}

bool Same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

// Codes of which the tool is known to give other values.
bool IsMistaken(DType dtype, size_t code) {
  const size_t positive = code & 0x7f;
  if (dtype == DType::kHiF8) {
    return code == 0xef || (positive >= 0x08 && positive <= 0x1f);
  }
  if (dtype == DType::kF8E5M2) return code == 0xfc;
  return dtype == DType::kF8E4M3 && positive == 0x7f;
}

void ExpectValues(const std::string& dump, const StoredTensor& tensor,
                  const std::string& npy) {
  const auto listing = ListFile(npy, {});
  ASSERT_TRUE(listing) << npy;
  const StoredTensor& wanted = listing->tensors.at(0);
  // The tool has no shape [] and no type for what is empty.
  const bool scalar = tensor.shape.empty() && wanted.shape == Shape{1};
  EXPECT_TRUE(scalar || tensor.shape == wanted.shape) << npy;
  const auto got = Values(dump, tensor), want = Values(npy, wanted);
  ASSERT_EQ(got.size(), want.size()) << npy;
  for (size_t i = 0; i < got.size(); ++i) {
    if (IsMistaken(tensor.dtype, i)) continue;  // that sample has all codes
    EXPECT_TRUE(Same(got[i], want[i]))
        << npy << " element " << i << ": " << got[i] << ", not " << want[i];
  }
}

// "X.t_2.30.8.1700000000000020.output.1.npy" -> "output:1".
std::string TensorName(const std::string& stem) {
  const size_t index = stem.rfind('.'), list = stem.rfind('.', index - 1);
  return stem.substr(list + 1, index - list - 1) + ":" + stem.substr(index + 1);
}

TEST(AscendSamples, HaveTheValuesTheToolFound) {
  size_t arrays = 0;
  for (const auto& entry : fs::directory_iterator(kFolder / "expected")) {
    const std::string dump = DumpOf(entry.path().filename());
    const auto listing = ListFile(dump, {});
    ASSERT_TRUE(listing) << listing.error().Text();
    std::map<std::string, const StoredTensor*> tensors;
    for (const StoredTensor& t : listing->tensors) tensors[t.name] = &t;
    for (const auto& array : fs::directory_iterator(entry.path() / "convert")) {
      if (array.path().extension() != ".npy") continue;
      const std::string name = TensorName(array.path().stem());
      ASSERT_TRUE(tensors.count(name)) << array.path();
      ExpectValues(dump, *tensors[name], array.path());
      ++arrays;
    }
  }
  EXPECT_EQ(arrays, 32u);
}

std::string Told(const StoredTensor& t) {
  std::string text = fmt::format("{} {} {} {}", t.name, Name(t.dtype),
                                 ToText(t.shape), Name(t.layout));
  if (t.original) text += " of " + ToText(*t.original);
  if (t.groups != 1) text += fmt::format(" groups {}", t.groups);
  if (t.error) text += ": " + t.error->what;
  return text;
}

TEST(AscendSamples, AreToldAsTheyAre) {
  const struct {
    std::string name, told;
  } kRows[] = {
      {"bad_eight_bytes", "error: the header is empty"},
      {"bad_header_len", "error: the header needs 4096 bytes, 5 left"},
      {"bad_proto", "error: field tag needs 1 bytes, 0 left"},
      {"bad_size_smaller_than_shape",
       "output:0 opaque [8] ND of [8]: f32 [8] needs 32 bytes, 16 are there; "
       "output:1 f32 [2] ND of [2]"},
      {"bad_zero_len", "error: the file is empty"},
      {"bf16_nd", "output:0 bf16 [2,6] ND of [2,6]"},
      {"empty_tensor",
       "output:0 f32 [0,4] ND of [0,4]; output:1 i64 [3,0] ND of [3,0]; "
       "output:2 f32 [2,2] ND of [2,2]"},
      {"ffts_auto_thread0", "input:0 f32 [3,4] ND; output:0 f32 [3,4] ND"},
      {"ffts_auto_thread1", "input:0 f32 [2,4] ND; output:0 f32 [2,4] ND"},
      {"fp16_fractal_nz",
       "output:0 f16 [2,2,16,16] FRACTAL_NZ of [20,30]; "
       "output:1 f16 [2,3,2,16,16] FRACTAL_NZ of [2,17,33]"},
      {"fp16_fractal_z", "output:0 f16 [4,1,16,16] FRACTAL_Z of [5,3,2,2]"},
      {"fp16_nchw_group2", "output:0 f16 [8,4,1,2] NCHW of [8,4,1,2] groups 2"},
      {"fp32_nhwc", "output:0 f32 [2,3,4,5] NHWC of [2,3,4,5]"},
      {"hashed_name", "output:0 f32 [2] ND"},
      {"int4_unsupported", "output:0 i4 [4] ND of [4]"},
      {"int64_scalar",
       "output:0 i64 [] ND of []; output:1 i64 [] ND of []; "
       "output:2 f32 [] ND of []"},
      {"int8_nd_and_c0_32",
       "input:0 i8 [3,5] ND of [3,5]; "
       "output:0 i8 [1,1,2,2,32] NC1HWC0 of [1,20,2,2]"},
      {"legacy_plain_protobuf", "output:0 f32 [2] ND"},
      {"nano_tlv", "input:0 f16 [4] ND of [4]; output:0 f32 [2,2] ND of [2,2]"},
      {"opdebug_new_aic", "output:0 u8 [112] ND"},
      {"opdebug_old", "output:0 u8 [2048] ND of [2048]"},
      {"undefined_dtype", "input:0 i8 [24] ND"},
  };
  for (const auto& row : kRows) {
    const auto listing = ListFile(DumpOf(row.name), {});
    std::string told = listing ? "" : "error: " + listing.error().what;
    if (listing) {
      for (const StoredTensor& tensor : listing->tensors) {
        told += (told.empty() ? "" : "; ") + Told(tensor);
      }
    }
    EXPECT_EQ(told, row.told) << row.name;
  }
}

TEST(AscendSamples, OldProtobufHasItsValuesInside) {
  const std::string path = DumpOf("legacy_plain_protobuf");
  const auto listing = ListFile(path, {});
  ASSERT_TRUE(listing) << listing.error().Text();
  EXPECT_EQ(Values(path, listing->tensors.at(0)),
            (std::vector<double>{1.5, -2.5}));
}

}  // namespace
}  // namespace assay
