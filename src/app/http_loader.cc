#include <dlfcn.h>

#include <filesystem>

#include "app/http/http_server.h"

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

// Beside the program while it is built, in lib/assay once it is installed.
Result<HttpServer*> LoadHttpServer(const HttpHandler& handler) {
  std::error_code none;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
  std::string why = "it was built with -DASSAY_WEB=OFF";
  for (const char* folder : {".", "../lib/assay"}) {
    const auto path = program.parent_path() / folder / kHttpModule;
    if (!std::filesystem::exists(path, none)) continue;
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* entry = module ? dlsym(module, kHttpEntry) : nullptr;
    if (entry) return reinterpret_cast<HttpEntry>(entry)(&handler);
    why = dlerror();
  }
  return Unsupported("this program has no server: {} is not usable",
                     kHttpModule)
      .At(program.string())
      .Hint(why);
}

}  // namespace assay
