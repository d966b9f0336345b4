#pragma once

#include <string>

#include "app/http/http_server.h"

namespace assay {

// 128 random bits in hex.
std::string RandomToken();

// Lets in whoever has the token and came to this very server. The host is
// checked because a foreign page can make its own name point here, the origin
// because it can send requests from the user's browser.
class PageGuard {
 public:
  PageGuard(std::string token, int port)
      : token_(std::move(token)), port_(port) {}

  bool Admits(const HttpRequest& request) const;

 private:
  bool IsMe(std::string_view host) const;

  std::string token_;
  int port_;
};

}  // namespace assay
