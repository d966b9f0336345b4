#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/result.h"

namespace assay {

struct HttpRequest {
  std::string method, path, body;
  std::map<std::string, std::string> headers;  // names in lower case
  std::map<std::string, std::string> params;   // behind the '?'

  std::string Header(const std::string& name) const;
  std::string Param(const std::string& name) const;
};

struct HttpResponse {
  int status = 200;
  std::string type = "application/json", body;
  std::map<std::string, std::string> headers = {};
};

// Called from many threads.
using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

class HttpServer {
 public:
  virtual ~HttpServer() = default;
  // On 127.0.0.1 and nowhere else; port 0: a free one. Returns the port, or 0.
  virtual int Bind(int port) = 0;
  virtual void Run() = 0;  // until Stop
  virtual void Stop() = 0;
};

// Only `assay serve` loads it (base/module.h).
Result<HttpServer*> LoadHttpServer(const HttpHandler& handler);

inline constexpr char kHttpModule[] = "libassay_http.so";
inline constexpr char kHttpEntry[] = "AssayMakeHttpServer";
using HttpEntry = HttpServer* (*)(const HttpHandler*);

}  // namespace assay
