#include "legacy/long_names.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/md5.h"

namespace assay {

std::string UuidOf(std::string_view name) {
  constexpr std::string_view kDns(
      "\x6b\xa7\xb8\x10\x9d\xad\x11\xd1\x80\xb4\x00\xc0\x4f\xd4\x30\xc8", 16);
  auto bytes = Md5(std::string(kDns) + std::string(name));
  bytes[6] = (bytes[6] & 0x0F) | 0x30;
  bytes[8] = (bytes[8] & 0x3F) | 0x80;
  std::string out;
  for (const uint8_t byte : bytes) out += fmt::format("{:02x}", byte);
  return out;
}

void NoteReplacedName(const std::string& list, std::string_view replaced,
                      std::string_view old) {
  std::FILE* file = std::fopen(list.c_str(), "a");
  if (file == nullptr) return;
  fmt::print(file, "{},{}\n", replaced, old);
  std::fclose(file);
}

}  // namespace assay
