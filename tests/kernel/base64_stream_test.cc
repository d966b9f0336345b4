#include "kernel/base64_stream.h"

#include <gtest/gtest.h>

#include "kernel/stored.h"

namespace assay {
namespace {

std::string Base64(const std::string& bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    std::string group = bytes.substr(at, 3);
    const size_t missing = 3 - group.size();
    group.resize(3);
    uint32_t bits = 0;
    for (const char c : group) bits = bits << 8 | static_cast<uint8_t>(c);
    for (int shift = 18; shift >= 0; shift -= 6) {
      out += kAlphabet[bits >> shift & 63];
    }
    out.replace(out.size() - missing, missing, missing, '=');
  }
  return out;
}

std::string Noise(size_t n) {
  std::mt19937 engine(7);
  std::string out;
  while (out.size() < n) out += static_cast<char>(engine());
  return out;
}

Stored Text(const std::string& text, uint64_t skip = 0) {
  Stored stored(DType::kU8, {}, text);
  stored.tensor.extent.encoding = Encoding::kBase64;
  stored.tensor.extent.skip = skip;
  return stored;
}

// Reads `length` bytes in steps and ends the stream; the bytes or the error.
std::string Outcome(const Stored& stored, size_t length, size_t step = 1000) {
  auto stream = OpenStream(stored.file(), stored.tensor);
  if (!stream) return stream.error().what;
  std::string out(length, '\0');
  const auto bytes = std::as_writable_bytes(std::span(out));
  for (size_t at = 0; at < length; at += step) {
    const Status status =
        (*stream)->Read(bytes.subspan(at, std::min(step, length - at)));
    if (!status) {
      return fmt::format("{} @{}", status.error().what,
                         *status.error().offset - 8);
    }
  }
  const Status end = (*stream)->Finish();
  return end ? out : end.error().what;
}

TEST(Base64, GivesBackTheBytes) {
  for (const size_t n :
       {0, 1, 2, 3, 4, 5, 6, 7, 1000, 49151, 49152, 49153, 200000}) {
    const std::string bytes = Noise(n);
    for (const size_t step : {7, 1000, 1 << 30}) {
      EXPECT_TRUE(Outcome(Text(Base64(bytes)), n, step) == bytes) << n;
    }
    const auto decoded = DecodeBase64(Base64(bytes), "f", 0);
    EXPECT_TRUE(decoded && *decoded == bytes) << n;
  }
}

TEST(Base64, PassesOverTheHeader) {
  const std::string bytes = Noise(150000);
  for (const size_t skip : {1, 80, 49152, 100000, 150000}) {
    EXPECT_TRUE(Outcome(Text(Base64(bytes), skip), bytes.size() - skip) ==
                bytes.substr(skip));
  }
}

TEST(Base64, SaysWhatIsWrong) {
  const std::string good = Base64(Noise(60000));
  std::string late = good, inner = good, split = good;
  late[70000] = '-';
  inner[5] = '=';
  split[(64 << 10) - 1] = '=';  // just where a piece ends
  const struct {
    std::string text;
    size_t length;
    std::string error;
  } kRows[] = {
      {"QUJ", 1, "3 characters are no base64 text @0"},
      {"QU-D", 3, "not base64: found '-' @2"},
      {"QU D", 3, "not base64: found ' ' @2"},
      {"QUJD=QUJ", 3, "not base64: found '=' @4"},
      {"QQ==QUJD", 3, "not base64: found '=' @2"},
      {"Q===", 1, "not base64: found '=' @1"},
      {"====", 1, "not base64: found '=' @0"},
      {"QUJ\n", 3, "not base64: found '\\n' @3"},
      {"QUI=", 3, "the base64 text ends early @4"},
      {"", 1, "the base64 text ends early @0"},
      {"QUJD", 2, "more data than the header promises"},
      {late, 60000, "not base64: found '-' @70000"},
      {inner, 60000, "not base64: found '=' @5"},
      {split, 60000, "not base64: found '=' @65535"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Outcome(Text(row.text), row.length), row.error);
  }
  EXPECT_EQ(Outcome(Text("QUJD", 4), 0), "the base64 text ends early");
}

TEST(Base64, CountsBytes) {
  EXPECT_EQ(Base64Bytes(""), 0u);
  EXPECT_EQ(Base64Bytes("QUJD"), 3u);
  EXPECT_EQ(Base64Bytes("QUI="), 2u);
  EXPECT_EQ(Base64Bytes("QQ=="), 1u);
  EXPECT_EQ(Base64Bytes("QUJDR"), std::nullopt);
}

}  // namespace
}  // namespace assay
