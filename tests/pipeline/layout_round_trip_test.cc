// Random tensors through the Ascend writer and back, for every type and every
// layout.
#include <gtest/gtest.h>

#include <random>

#include "codecs/ascend_builder.h"
#include "pipeline/compare_with.h"
#include "pipeline/convert.h"

namespace assay {
namespace {

const std::atomic<bool> kGoOn = false;

std::string RandomBytes(size_t n, unsigned seed) {
  std::mt19937 engine(seed);
  std::string bytes(n, '\0');
  for (char& c : bytes) c = static_cast<char>(engine());
  return bytes;
}

void MustConvert(const ConvertOptions& options, const std::string& what) {
  const auto result = Convert(options, kGoOn);
  ASSERT_TRUE(result) << what << ": " << result.error().Text();
  ASSERT_TRUE(result->failures.empty())
      << what << ": " << result->failures.front().Text();
}

struct Kind {
  Layout layout;
  Shape shape;
};

const Kind kKinds[] = {
    {Layout::kND, {3, 5}},
    {Layout::kNC1HWC0, {2, 21, 3, 4}},
    {Layout::kNC1HWC0C04, {2, 3, 3, 4}},
    {Layout::kNDC1HWC0, {2, 21, 2, 3, 4}},
    {Layout::kFractalNZ, {20, 70}},
    {Layout::kFractalNZ, {2, 3, 17, 33}},
    {Layout::kFractalZ, {20, 35, 2, 3}},
    {Layout::kFractalZ3D, {20, 35, 2, 3, 2}},
    {Layout::kC1HWNCoC0, {1, 35, 2, 3}},
};

TEST(LayoutRoundTrip, EveryTypeInEveryLayout) {
  unsigned seed = 1;
  for (const DTypeInfo& type : AllDTypes()) {
    if (type.type == DType::kOpaque) continue;
    for (const Kind& kind : kKinds) {
      const std::string what =
          std::string(type.name) + " " + std::string(Name(kind.layout));
      const uint64_t count = *ElementCount(kind.shape);
      std::string bytes = RandomBytes(*ByteCount(type.type, count), ++seed);
      // Bits behind the last element are nobody's.
      if (count * type.bits % 8 != 0) {
        bytes.back() = static_cast<char>(
            bytes.back() & (type.bits == 4 ? 0x0f : 0xff << (8 - count % 8)));
      }
      const TempTree tree;
      ConvertOptions there{.sources = {tree.Write("x.bin", bytes)},
                           .to = FindCodec("ascend"),
                           .out = tree / "packed"};
      there.open.hints.dtype = type.type;
      there.open.hints.shape = kind.shape;
      there.layouts = ConvertOptions::Layouts::kOne;
      there.layout = kind.layout;
      MustConvert(there, what);
      ConvertOptions back{.sources = {tree / "packed"},
                          .to = FindCodec("bin"),
                          .out = tree / "plain"};
      back.layouts = ConvertOptions::Layouts::kHost;
      MustConvert(back, what);
      for (const auto& file :
           std::filesystem::directory_iterator(tree / "plain")) {
        EXPECT_EQ(Content(file.path()), bytes) << what;
      }
      EXPECT_FALSE(std::filesystem::is_empty(tree / "plain")) << what;
    }
  }
}

// A dump of before 2022 does not say what shape was packed.
TEST(LayoutRoundTrip, ComparedInTheShapeOfTheOtherSide) {
  for (const Kind& kind : kKinds) {
    const TempTree tree;
    const uint64_t count = *ElementCount(kind.shape);
    std::vector<float> values;
    for (uint64_t i = 0; i < count; ++i) values.push_back(float(i) - 7);
    const std::string dims = ToText(kind.shape);
    const std::string npy =
        NpyBytes("<f4", dims.substr(1, dims.size() - 2), BytesOf(values));
    ConvertOptions pack{
        .sources = {tree.Write("golden/x.0.1700000000000001.npy", npy)},
        .to = FindCodec("npy"),
        .out = tree / "packed"};
    pack.layouts = ConvertOptions::Layouts::kOne;
    pack.layout = kind.layout;
    MustConvert(pack, dims);
    const std::string packed = tree / "packed/x.0.1700000000000001.npy.npy";
    const Shape stored = OpenSource(packed, {})->tensors[0].stored.shape;
    const std::string bytes =
        Content(packed).substr(Content(packed).size() -
                               *ByteCount(DType::kF32, *ElementCount(stored)));
    const std::string format =
        ProtoNumber(2, static_cast<uint64_t>(kind.layout));
    tree.Write(
        "target/Op.x.1.2.1700000000000001",
        Dump2(Output(1, {stored.begin(), stored.end()}, bytes.size(), format)) +
            bytes);
    for (const bool swapped : {false, true}) {
      const std::string a = tree / "golden", b = tree / "target";
      const Comparison c = MustCompare(swapped ? Options(b, a) : Options(a, b));
      ASSERT_EQ(c.rows.size(), 1u) << dims;
      EXPECT_EQ(c.rows[0].why, "equal") << Name(kind.layout) << dims;
    }
  }
}

}  // namespace
}  // namespace assay
