#include "app/http/http_server.h"
#include "base/module.h"

namespace assay {
namespace {

std::string ValueOf(const std::map<std::string, std::string>& map,
                    const std::string& name) {
  const auto found = map.find(name);
  return found == map.end() ? "" : found->second;
}

}  // namespace

std::string HttpRequest::Header(const std::string& name) const {
  return ValueOf(headers, name);
}

std::string HttpRequest::Param(const std::string& name) const {
  return ValueOf(params, name);
}

Result<HttpServer*> LoadHttpServer(const HttpHandler& handler) {
  ASSIGN_OR_RETURN(void* const entry, LoadModule(kHttpModule, kHttpEntry));
  return reinterpret_cast<HttpEntry>(entry)(&handler);
}

}  // namespace assay
