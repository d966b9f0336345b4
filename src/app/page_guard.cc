#include "app/page_guard.h"

#include <fmt/format.h>
#include <sys/random.h>

namespace assay {
namespace {

// Takes the same time wherever the first difference stands.
bool SameSecret(std::string_view a, std::string_view b) {
  unsigned difference = a.size() != b.size();
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    difference |= static_cast<unsigned>(a[i] ^ b[i]);
  }
  return difference == 0;
}

}  // namespace

std::string RandomToken() {
  unsigned char bytes[16];
  if (getentropy(bytes, sizeof(bytes)) != 0) std::abort();
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

bool PageGuard::IsMe(std::string_view host) const {
  return host == fmt::format("127.0.0.1:{}", port_) ||
         host == fmt::format("localhost:{}", port_);
}

bool PageGuard::Admits(const HttpRequest& request) const {
  constexpr std::string_view kScheme = "http://";
  if (!IsMe(request.Header("host"))) return false;
  const std::string origin = request.Header("origin");
  if (!origin.empty() &&
      !(origin.starts_with(kScheme) && IsMe(origin.substr(kScheme.size())))) {
    return false;
  }
  const std::string header = request.Header("x-assay-token");
  return SameSecret(header.empty() ? request.Param("token") : header, token_);
}

}  // namespace assay
