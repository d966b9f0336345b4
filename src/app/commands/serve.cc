#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <thread>

#include "app/command.h"
#include "app/interrupt.h"
#include "app/page_service.h"
#include "base/child_process.h"
#include "reports/page_html.h"
#include "reports/run_file.h"

namespace assay {
namespace {

constexpr OptionSpec kOptions[] = {
    {"--root", "DIR", "the page may read below this folder only [.]"},
    {"--port", "N", "port to listen on [a free one]"},
    {"--no-open", "", "do not open a browser"},
};

constexpr Example kExamples[] = {
    {"assay serve run.assay", "the page of a saved run, with live details"},
    {"assay serve --root dumps/", "start comparisons from the page"},
    {"assay serve a.assay b.assay --port 8080", "several runs"},
};

Status AddRuns(const Args& args, PageService& service) {
  const std::string here = std::filesystem::current_path().string();
  for (const std::string& path : args.positionals) {
    ASSIGN_OR_RETURN(Comparison run, ReadRun(path));
    service.runs().Add(path, std::move(run), here);
  }
  return Done{};
}

// On a desktop the page opens by itself.
void OpenBrowser(const std::string& address) {
  const bool desktop = std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY");
  if (!desktop) return;
  std::thread([address] {
    static_cast<void>(RunChild({"xdg-open", address}, ""));
  }).detach();
}

// Until Ctrl-C.
void ServeUntilStopped(HttpServer& server, PageService& service) {
  const std::atomic<bool>& stop = WatchInterrupt();
  std::jthread watcher([&](const std::stop_token& ended) {
    while (!stop && !ended.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    service.CancelJobs();
    server.Stop();
  });
  server.Run();
}

Result<int> Run(const Args& args) {
  RETURN_IF_ERROR(NeedPage());
  ASSIGN_OR_RETURN(const int wanted, args.Count("port", 0));
  if (wanted > 65535) return Usage("--port {} is no port", wanted);
  const std::string root = args.Has("root") ? args.Text("root") : ".";
  ASSIGN_OR_RETURN(PageRoot opened, PageRoot::Open(root));
  PageService service(std::move(opened));
  RETURN_IF_ERROR(AddRuns(args, service));
  std::optional<PageGuard> guard;  // needs the port
  const HttpHandler handler = [&](const HttpRequest& request) {
    return service.Answer(request, *guard);
  };
  ASSIGN_OR_RETURN(HttpServer* const loaded, LoadHttpServer(handler));
  const std::unique_ptr<HttpServer> server(loaded);
  const int port = server->Bind(wanted);
  if (port == 0) {
    return IoError("cannot listen on port {} of 127.0.0.1", wanted)
        .Hint("is another server using it? without --port a free one is taken");
  }
  const std::string token = RandomToken();
  guard.emplace(token, port);
  const std::string address =
      fmt::format("http://127.0.0.1:{}/?token={}", port, token);
  fmt::print("{}\n", address);
  std::fflush(stdout);
  fmt::print(stderr, "serving {}; Ctrl-C ends it\n",
             std::filesystem::absolute(root).lexically_normal().string());
  if (!args.Has("no-open")) OpenBrowser(address);
  ServeUntilStopped(*server, service);
  return 0;
}

}  // namespace

extern constinit const Command kServe = {
    .name = "serve",
    .sentence = "Show runs as a page, live.",
    .usage = "assay serve [options] [RUN]...",
    .notes =
        "  Listens on this machine only; the printed address has the key to "
        "it.\n"
        "  Without a RUN the page offers to start a comparison.",
    .least = 0,
    .most = 100,
    .options = kOptions,
    .examples = kExamples,
    .run = Run,
};

}  // namespace assay
