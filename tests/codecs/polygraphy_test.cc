// The samples were saved by Polygraphy 0.53.6.
#include <gtest/gtest.h>

#include "codecs/temp_file.h"
#include "kernel/byte_stream.h"
#include "test_paths.h"

namespace assay {
namespace {

const std::string kFolder = TestData("codecs/");
// One float32, 7: the header has 128 bytes.
constexpr std::string_view kSeven =
    "k05VTVBZAQB2AHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3"
    "NoYXBlJzogKDEsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg"
    "ICAgICAgICAgICAgICAgICAgICAgIAoAAOBA";

std::string Array(std::string_view text) {
  return fmt::format(R"({{"values": {{"array": "{}"}}}})", text);
}

std::string Outputs(std::string_view outputs) {
  return fmt::format(
      R"({{"lst": [["r", [{{"outputs": {}}}]]], "polygraphy_class":
      "RunResults"}})",
      outputs);
}

TEST(Polygraphy, ListsOutputs) {
  const struct {
    std::string file, summary;
  } kRows[] = {
      {"polygraphy.json",
       "y f32 [2,3]; z/out:0 f16 [2,3] strided; s i64 []; e f32 [0,4]; "
       "f u8 [4]"},
      {"polygraphy_many.json",
       "a/y/0 f32 [3]; a/q\"\xc3\xa9/0 bool [2]; "
       "a/y/1 f32 [3]; a/q\"\xc3\xa9/1 bool [2]; "
       "b/y/0 f32 [3]; b/q\"\xc3\xa9/0 bool [2]; "
       "b/y/1 f32 [3]; b/q\"\xc3\xa9/1 bool [2]"},
      {"polygraphy_inputs.json", "x f32 [2,3]; t opaque [2]"},
  };
  for (const auto& row : kRows) {
    const auto listing = ListFile(kFolder + row.file, {});
    ASSERT_TRUE(listing) << listing.error().Text();
    ASSERT_NE(listing->codec, nullptr);
    EXPECT_EQ(listing->codec->name, "polygraphy");
    EXPECT_EQ(Summary(*listing), row.summary);
  }
}

// All values of a float32 tensor.
std::vector<float> Floats(const std::string& path, const StoredTensor& t) {
  const auto file = InputFile::Open(path);
  std::vector<float> values(*ElementCount(t.shape));
  auto stream = OpenStream(*file, t);
  EXPECT_TRUE((*stream)->Read(std::as_writable_bytes(std::span(values))));
  EXPECT_TRUE((*stream)->Finish());
  return values;
}

TEST(Polygraphy, TheValuesAreThoseOfTheArrays) {
  const std::string path = kFolder + "polygraphy_many.json";
  const auto listing = ListFile(path, {});
  ASSERT_TRUE(listing);
  EXPECT_EQ(Floats(path, listing->tensors[0]), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(Floats(path, listing->tensors[6]), (std::vector<float>{1, 2, 3}));
  const Extent& extent = listing->tensors[0].extent;
  EXPECT_EQ(extent.encoding, Encoding::kBase64);
  EXPECT_EQ(extent.skip, 128u);
  EXPECT_TRUE(ReadAll(path).substr(extent.offset).starts_with("k05VTVBZ"));
}

TEST(Polygraphy, KnowsItsFilesByTheirBeginning) {
  const std::string array = Array(kSeven);
  const struct {
    std::string bytes, codec;
  } kRows[] = {
      {Outputs("{}"), "polygraphy"},
      {Outputs("{\"x\": " + array + "}"), "polygraphy"},
      {"{\"lst\": [], \"polygraphy_class\": \"RunResults\"}", "polygraphy"},
      {"[{\"x\": {\"array\": \"" + std::string(kSeven) + "\"}}]", "polygraphy"},
      {"{\"lst\": []}", ""},
      {"{\"lst\": [[\"a\", [1]]]}", ""},
      {"[{\"x\": {\"array\": [1, 2]}}]", ""},
      {"[{\"x\": 1}]", ""},
      {"{\"task\": \"statistics\", \"data\": {}}", ""},
      {"{}", ""},
      {"[]", ""},
  };
  const CodecHints hints;
  for (const auto& row : kRows) {
    const Codec* codec =
        ChooseCodec({"x.json", row.bytes, row.bytes.size(), hints});
    EXPECT_EQ(codec ? codec->name : "", row.codec) << row.bytes;
  }
}

TEST(Polygraphy, OneBadArrayIsItsOwnError) {
  const std::string seven(kSeven);
  const struct {
    std::string value, error;
  } kRows[] = {
      {"null", "no array of NumPy"},
      {"[1, {\"array\": 2}]", "no array of NumPy"},
      {R"({"values": {"tensor": "UEsDBA=="}})", "no array of NumPy"},
      {Array(""), "magic needs 6 bytes, 0 left"},
      {Array("QUJ"), "the array is no base64 text"},
      {Array(R"(\u0093NUMPY)"), "the array is no base64 text"},
      {Array("QU-DQUJD"), "not base64: found '-'"},
      {Array("UEsDBAAA"), "not a NumPy array: the magic bytes are missing"},
      {Array(seven.substr(0, 100)), "header needs 118 bytes, 65 left"},
      {Array(seven.substr(0, 172)), "shape needs 4 bytes, 1 left"},
  };
  for (const auto& row : kRows) {
    const auto listing =
        ListBytes(".json", Outputs("{\"bad\": " + row.value +
                                   ", \"good\": " + Array(kSeven) + "}"));
    ASSERT_TRUE(listing) << listing.error().Text();
    EXPECT_EQ(Summary(*listing), "bad opaque []; good f32 [1]") << row.value;
    ASSERT_TRUE(listing->tensors[0].error) << row.value;
    EXPECT_EQ(listing->tensors[0].error->what, row.error);
    EXPECT_EQ(listing->tensors[0].error->tensor, "bad");
    EXPECT_TRUE(listing->tensors[0].error->offset);
  }
}

TEST(Polygraphy, SaysWhatIsWrong) {
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {Outputs("[]"), "'outputs' is no object"},
      {Outputs("{}").substr(0, 40), "the JSON text ends where '\"' should be"},
      {Outputs("{}") + "x", "not JSON: the end expected, found 'x'"},
      {R"({"polygraphy_class": "RunResults", "lst": 1})",
       "'lst' is no list of runners"},
      {R"({"polygraphy_class": "RunResults", "lst": [1]})",
       "a runner is no list"},
      {R"({"polygraphy_class": "RunResults", "lst": [[]]})",
       "a runner has no name"},
      {R"({"polygraphy_class": "RunResults", "lst": [["a", 1]]})",
       "a runner has no list of iterations"},
      {R"({"polygraphy_class": "RunResults", "lst": [["a", [], 1]]})",
       "a runner has more than iterations"},
      {R"({"polygraphy_class": "RunResults", "lst": [["a", [1]]]})",
       "an iteration is no object"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ErrorOf(".json", row.bytes), row.error) << row.bytes;
  }
}

TEST(Polygraphy, NothingFillsTheMemory) {
  const auto results = [](std::string_view runner, std::string_view output) {
    std::string outputs = fmt::format("{{\"\": {}", output);
    for (int i = 0; i < 999; ++i) outputs += fmt::format(",\"\":{}", output);
    return fmt::format(
        R"({{"polygraphy_class": "RunResults",
            "lst": [["{}", [{{"outputs": {}}}}}]], ["", []]]}})",
        runner, outputs);
  };
  EXPECT_EQ(ErrorOf(".json", results("r", "0")), "");
  EXPECT_EQ(ErrorOf(".json", results("r", "0,\"\":0")), "no array of NumPy");
  EXPECT_EQ(ErrorOf(".json", results(std::string(1 << 20, 'r'), "0")),
            "the names of the arrays are longer than the file");
}

}  // namespace
}  // namespace assay
