// Every sample file gives the tensors and values that truth.tsv names.
#include <gtest/gtest.h>
#include <zlib.h>

#include <map>
#include <sstream>

#include "base/text.h"
#include "codecs/temp_file.h"
#include "test_paths.h"

namespace assay {
namespace {

const std::string kFolder = TestData("codecs/");

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) {
    hex += fmt::format("{:02x}", static_cast<uint8_t>(c));
  }
  return hex;
}

std::string Inflated(std::string bytes) {
  std::string out(1 << 20, '\0');
  z_stream stream{};
  inflateInit2(&stream, -MAX_WBITS);
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

std::string Values(const std::string& file, const Extent& extent) {
  const std::string bytes = file.substr(extent.offset, extent.length);
  if (extent.encoding != Encoding::kDeflate) return bytes;
  const std::string all = Inflated(bytes);
  EXPECT_EQ(crc32(0, reinterpret_cast<const Bytef*>(all.data()), all.size()),
            extent.crc);
  return all.substr(extent.skip);
}

// As a line of truth.tsv.
std::string Line(const std::string& file, const std::string& bytes,
                 const StoredTensor& t) {
  return fmt::format("{}\t{}\t{}\t{}\t{}{}\t{}", file, t.name, Name(t.dtype),
                     ToText(t.shape), t.big_endian ? "B" : "",
                     t.strides.empty() ? "" : "C",
                     Hex(Values(bytes, t.extent)));
}

TEST(Samples, HoldWhatTheTruthSays) {
  std::map<std::string, std::string> wanted;
  std::istringstream truth(ReadAll(kFolder + "truth.tsv"));
  for (std::string line; std::getline(truth, line);) {
    wanted[std::string(Split(line, '\t')[0])] += line + '\n';
  }
  EXPECT_GT(wanted.size(), 50u);
  for (const auto& [file, lines] : wanted) {
    const auto listing = ListFile(kFolder + file, {});
    ASSERT_TRUE(listing) << listing.error().Text();
    const std::string bytes = ReadAll(kFolder + file);
    std::string got;
    for (const StoredTensor& tensor : listing->tensors) {
      got += Line(file, bytes, tensor) + '\n';
    }
    EXPECT_EQ(got, lines);
  }
}

}  // namespace
}  // namespace assay
