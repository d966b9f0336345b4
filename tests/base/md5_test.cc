#include "base/md5.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace assay {
namespace {

std::string Hex(std::string_view bytes) {
  std::string out;
  for (const uint8_t byte : Md5(bytes)) out += fmt::format("{:02x}", byte);
  return out;
}

TEST(Md5, IsThatOfTheStandard) {
  EXPECT_EQ(Hex(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(Hex("abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(Hex("1234567890123456789012345678901234567890123456789012345678901"
                "2345678901234567890"),
            "57edf4a22be3c955ac49da2e2107b67a");
}

}  // namespace
}  // namespace assay
