#include "app/page_service.h"

#include <charconv>
#include <optional>
#include <vector>

#include "base/json_writer.h"
#include "base/text.h"
#include "executors/executor.h"
#include "reports/page_html.h"

namespace assay {
namespace {

HttpResponse Refused(int status, std::string text) {
  return {.status = status, .type = "text/plain", .body = std::move(text)};
}

HttpResponse NoSuchPage() { return Refused(404, "there is nothing here\n"); }

int StatusOf(const Error& error) {
  switch (error.code) {
    case ErrorCode::kNotFound:
      return 404;
    case ErrorCode::kInternal:
      return 500;
    default:
      return 422;
  }
}

HttpResponse Sent(Result<std::string> body) {
  if (!body) return Refused(StatusOf(body.error()), body.error().Text());
  return {.body = *std::move(body)};
}

// The numbers at the stars: "api/runs/*/rows/*"; nothing if it is another path.
std::optional<std::vector<size_t>> Match(std::string_view path,
                                         std::string_view pattern) {
  const auto parts = Split(path, '/'), wanted = Split(pattern, '/');
  if (parts.size() != wanted.size()) return std::nullopt;
  std::vector<size_t> numbers;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (wanted[i] != "*") {
      if (parts[i] != wanted[i]) return std::nullopt;
      continue;
    }
    size_t number = 0;
    const char* end = parts[i].data() + parts[i].size();
    const auto [at, error] = std::from_chars(parts[i].data(), end, number);
    if (error != std::errc() || at != end) return std::nullopt;
    numbers.push_back(number);
  }
  return numbers;
}

// No other page may show, read or keep what is sent.
void AddSafety(HttpResponse& response) {
  response.headers = {{"Cache-Control", "no-store"},
                      {"X-Content-Type-Options", "nosniff"},
                      {"X-Frame-Options", "DENY"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cross-Origin-Resource-Policy", "same-origin"}};
}

}  // namespace

std::string PageService::SetupJson() const {
  JsonWriter json;
  json.BeginObject().Key("root").Text(root_.path().string());
  json.Key("metrics").BeginArray();
  for (const Metric& metric : AllMetrics()) {
    json.BeginObject().Key("name").Text(metric.name);
    json.Key("formula").Text(metric.formula);
    json.Key("asked").Bool(metric.pass == Pass::kFirst).EndObject();
  }
  json.EndArray().Key("executors").BeginArray();
  for (const Executor* executor : AllExecutors()) json.Text(executor->name);
  return json.EndArray().EndObject().Take();
}

Result<std::string> PageService::FilesJson(const std::string& path) const {
  ASSIGN_OR_RETURN(const auto names, root_.List(path));
  JsonWriter json;
  json.BeginObject().Key("path").Text(path).Key("entries").BeginArray();
  for (const std::string& name : names) json.Text(name);
  return json.EndArray().EndObject().Take();
}

HttpResponse PageService::Get(const std::string& path,
                              const HttpRequest& request) {
  if (path == "/") {
    return {.type = "text/html; charset=utf-8",
            .body = PageHead(PageRun::kFromServer) + PageTail()};
  }
  if (path == "/api/runs") return {.body = runs_.ListJson()};
  if (path == "/api/setup") return {.body = SetupJson()};
  if (path == "/api/files") return Sent(FilesJson(request.Param("path")));
  if (const auto n = Match(path, "/api/runs/*")) {
    HttpResponse response = Sent(runs_.Data((*n)[0]));
    if (response.status == 200) response.type = "application/octet-stream";
    return response;
  }
  if (const auto n = Match(path, "/api/runs/*/rows/*")) {
    return Sent(runs_.RowJson((*n)[0], (*n)[1]));
  }
  if (const auto n = Match(path, "/api/jobs/*"))
    return Sent(jobs_.StateJson((*n)[0]));
  return NoSuchPage();
}

HttpResponse PageService::Post(const std::string& path,
                               const HttpRequest& request) {
  // Forms of other pages cannot send this type without being asked first.
  if (request.Header("content-type") != "application/json") {
    return Refused(403, "only the page may do this\n");
  }
  if (path == "/api/jobs") {
    const Result<size_t> job = jobs_.Start(request.body);
    if (!job) return Sent(job.error());
    return {.body = fmt::format("{{\"job\":{}}}", *job)};
  }
  if (const auto n = Match(path, "/api/jobs/*/cancel")) {
    return Sent(jobs_.Cancel((*n)[0]));
  }
  return NoSuchPage();
}

HttpResponse PageService::Answer(const HttpRequest& request,
                                 const PageGuard& guard) {
  HttpResponse response;
  if (!guard.Admits(request)) {
    response = Refused(403,
                       "wrong or missing token, or not asked from here\n"
                       "  hint  open the address that 'assay serve' printed\n");
  } else if (request.method == "POST") {
    response = Post(request.path, request);
  } else {
    response = Get(request.path, request);
  }
  AddSafety(response);
  return response;
}

}  // namespace assay
