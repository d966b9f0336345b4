// The module that knows cpp-httplib; nothing else does.
#include <httplib.h>

#include <cctype>

#include "app/http/http_server.h"

namespace assay {
namespace {

constexpr int kThreads = 64;  // a waiting client keeps one busy

std::string LowerName(std::string name) {
  for (char& c : name)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

HttpRequest Translated(const httplib::Request& in) {
  HttpRequest out{.method = in.method, .path = in.path, .body = in.body};
  for (const auto& [name, value] : in.headers) {
    out.headers.emplace(LowerName(name), value);
  }
  for (const auto& [name, value] : in.params) out.params.emplace(name, value);
  return out;
}

class HttplibServer : public HttpServer {
 public:
  explicit HttplibServer(HttpHandler handler) : handler_(std::move(handler)) {
    const auto answer = [this](const httplib::Request& in,
                               httplib::Response& out) {
      const HttpResponse response = handler_(Translated(in));
      out.status = response.status;
      for (const auto& [name, value] : response.headers) {
        out.set_header(name, value);
      }
      out.set_content(response.body, response.type);
    };
    server_.Get(".*", answer);
    server_.Post(".*", answer);
    server_.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    server_.set_payload_max_length(1 << 20);
    server_.set_keep_alive_timeout(2);
    // Not SO_REUSEPORT, the library's choice: two servers would share a port.
    server_.set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
  }

  int Bind(int port) override {
    if (port == 0) return std::max(0, server_.bind_to_any_port("127.0.0.1"));
    return server_.bind_to_port("127.0.0.1", port) ? port : 0;
  }
  void Run() override { server_.listen_after_bind(); }
  void Stop() override { server_.stop(); }

 private:
  HttpHandler handler_;
  httplib::Server server_;
};

}  // namespace
}  // namespace assay

extern "C" assay::HttpServer* AssayMakeHttpServer(
    const assay::HttpHandler* handler) {
  return new assay::HttplibServer(*handler);
}
