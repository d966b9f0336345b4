// What `assay serve` lets in, and what it answers; sockets are tested by
// tests/page.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/page_service.h"
#include "arrays.h"
#include "temp_tree.h"
#include "test_paths.h"

namespace assay {
namespace {

constexpr int kPort = 4711;
const PageGuard kGuard("secret", kPort);

HttpRequest Asking(const std::string& path,
                   std::map<std::string, std::string> headers = {}) {
  headers.emplace("host", "127.0.0.1:4711");
  headers.emplace("x-assay-token", "secret");
  return {.method = "GET", .path = path, .headers = std::move(headers)};
}

HttpRequest Posting(const std::string& path, const std::string& body) {
  HttpRequest request = Asking(path, {{"content-type", "application/json"}});
  request.method = "POST";
  request.body = body;
  return request;
}

TEST(PageGuard, LetsInWhoHasTheTokenAndComesFromHere) {
  const struct {
    std::map<std::string, std::string> headers;
    bool admitted;
  } kRows[] = {
      {{}, true},
      {{{"host", "localhost:4711"}}, true},
      {{{"origin", "http://127.0.0.1:4711"}}, true},
      {{{"x-assay-token", ""}}, false},
      {{{"x-assay-token", "secre"}}, false},
      {{{"x-assay-token", "secret2"}}, false},
      {{{"host", "evil.example"}}, false},
      {{{"host", "127.0.0.1:80"}}, false},
      {{{"host", ""}}, false},
      {{{"origin", "http://evil.example"}}, false},
      {{{"origin", "https://127.0.0.1:4711"}}, false},
      {{{"origin", "http://127.0.0.1:4711.evil.example"}}, false},
      {{{"origin", "null"}}, false},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(kGuard.Admits(Asking("/", row.headers)), row.admitted)
        << testing::PrintToString(row.headers);
  }
}

TEST(PageGuard, TakesTheTokenFromTheAddressToo) {
  HttpRequest request = Asking("/", {{"x-assay-token", ""}});
  request.headers.erase("x-assay-token");
  EXPECT_FALSE(kGuard.Admits(request));
  request.params["token"] = "secret";
  EXPECT_TRUE(kGuard.Admits(request));
}

TEST(PageGuard, MakesTokensThatDiffer) {
  EXPECT_EQ(RandomToken().size(), 32u);
  EXPECT_NE(RandomToken(), RandomToken());
}

class PageRootTest : public testing::Test {
 protected:
  PageRootTest() {
    tree_.Write("root/golden/a.npy", Npy(Random(100)));
    tree_.Write("root/target/a.npy", Npy(Random(100, 2)));
    tree_.Write("outside/secret.npy", Npy(Random(10)));
    std::filesystem::create_directories(tree_ / "root/linked");
    std::filesystem::create_symlink(tree_ / "outside",
                                    tree_ / "root/linked/out");
    std::filesystem::create_symlink(tree_ / "outside", tree_ / "root/out");
    tree_.Write("root/linked/m.onnx", "");
    std::filesystem::create_symlink(tree_ / "root/golden",
                                    tree_ / "root/inner");
  }
  PageRoot Root() const { return *PageRoot::Open(tree_ / "root"); }

  TempTree tree_;
};

TEST_F(PageRootTest, HoldsWhatIsBelowIt) {
  for (const char* path :
       {"", ".", "golden", "golden/a.npy", "inner", "golden/../target/a.npy"}) {
    EXPECT_TRUE(Root().TreeInside(path) || std::string(path).size() < 2)
        << path;
    EXPECT_TRUE(Root().Inside(path)) << path;
  }
}

TEST_F(PageRootTest, IsNotLeft) {
  const std::string other = tree_ / "outside";
  for (const std::string& path :
       {std::string(".."), std::string("golden/../../outside"), other,
        std::string("out"), std::string("out/secret.npy"),
        std::string("nothing"), std::string("golden\0x", 8),
        std::string("/etc/passwd")}) {
    EXPECT_FALSE(Root().Inside(path)) << path;
    EXPECT_FALSE(Root().List(path)) << path;
  }
  // A folder of the same beginning is another folder.
  tree_.Write("rooted/x", "");
  EXPECT_FALSE(Root().Inside("../rooted"));
}

TEST_F(PageRootTest, FollowsNoLinkOutOfATree) {
  EXPECT_TRUE(Root().Inside("linked"));
  EXPECT_FALSE(Root().TreeInside("linked"));
  EXPECT_FALSE(PageRoot::Open(tree_ / "root/golden/a.npy"));
}

nlohmann::json JsonOf(const HttpResponse& response) {
  EXPECT_EQ(response.status, 200) << response.body;
  return nlohmann::json::parse(response.body, nullptr, false);
}

nlohmann::json FinishedOn(PageService& service, const std::string& job) {
  for (;;) {
    const nlohmann::json state = JsonOf(service.Answer(Asking(job), kGuard));
    if (state["state"] != "running") return state;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

class PageServiceTest : public PageRootTest {
 protected:
  HttpResponse Answer(const HttpRequest& request) {
    return service_.Answer(request, kGuard);
  }
  nlohmann::json Finished(const std::string& job) {
    return FinishedOn(service_, job);
  }

  PageService service_{Root()};
};

TEST_F(PageServiceTest, AnswersOnlyWhatItKnows) {
  const struct {
    std::string path;
    int status;
  } kRows[] = {{"/", 200},
               {"/api/runs", 200},
               {"/api/setup", 200},
               {"/api/files", 200},
               {"/api/runs/0", 404},
               {"/api/runs/x", 404},
               {"/api/runs/-1", 404},
               {"/api/runs/0/rows/0", 404},
               {"/api/jobs/0", 404},
               {"/api/runs/99999999999999999999", 404},
               {"/../../etc/passwd", 404},
               {"/etc/passwd", 404},
               {"//", 404},
               {"", 404}};
  for (const auto& row : kRows) {
    const HttpResponse response = Answer(Asking(row.path));
    EXPECT_EQ(response.status, row.status) << row.path;
    EXPECT_EQ(response.headers.at("X-Frame-Options"), "DENY");
  }
  EXPECT_EQ(Answer(Asking("/", {{"x-assay-token", "no"}})).status, 403);
}

TEST_F(PageServiceTest, ComparesAndShowsTheRun) {
  const nlohmann::json started = JsonOf(
      Answer(Posting("/api/jobs", R"({"golden":"golden","target":"target"})")));
  EXPECT_EQ(started["job"], 0);
  const nlohmann::json end = Finished("/api/jobs/0");
  EXPECT_EQ(end["state"], "done") << end;
  EXPECT_EQ(end["run"], 0);
  const nlohmann::json runs = JsonOf(Answer(Asking("/api/runs")));
  EXPECT_EQ(runs[0]["golden"], "golden");
  EXPECT_EQ(Answer(Asking("/api/runs/0")).type, "application/octet-stream");
  const nlohmann::json row = JsonOf(Answer(Asking("/api/runs/0/rows/0")));
  EXPECT_EQ(row["row"]["name"], "a");
  EXPECT_EQ(row["detail"]["absolute"].size(), 20u);
  EXPECT_EQ(Answer(Asking("/api/runs/0/rows/1")).status, 404);
}

// Among them pairs of an operator's own input and output, both of the target.
TEST(PageService, ReadsEveryMeasuredRowAgain) {
  PageService service(*PageRoot::Open(TestData("compare/torchair_fx")));
  const std::string form = R"({"golden":"golden","target":"my"})";
  JsonOf(service.Answer(Posting("/api/jobs", form), kGuard));
  EXPECT_EQ(FinishedOn(service, "/api/jobs/0")["state"], "done");
  size_t own = 0;
  for (int i = 0; i < 60; ++i) {
    const auto path = fmt::format("/api/runs/0/rows/{}", i);
    const HttpResponse response = service.Answer(Asking(path), kGuard);
    const bool unmeasured =
        response.body.find("was not measured") != std::string::npos;
    EXPECT_EQ(response.status, unmeasured ? 422 : 200) << response.body;
    own += response.body.find("its own input") != std::string::npos;
  }
  EXPECT_EQ(own, 4u);
}

TEST_F(PageServiceTest, ShowsNoValuesThatChanged) {
  JsonOf(
      Answer(Posting("/api/jobs", R"({"golden":"golden","target":"target"})")));
  Finished("/api/jobs/0");
  tree_.Write("root/target/a.npy", Npy(Random(100, 3)));
  const HttpResponse row = Answer(Asking("/api/runs/0/rows/0"));
  EXPECT_EQ(row.status, 422);
  EXPECT_NE(row.body.find("no longer those"), std::string::npos) << row.body;
}

TEST_F(PageServiceTest, FollowsNoLinkThatCameLater) {
  JsonOf(
      Answer(Posting("/api/jobs", R"({"golden":"golden","target":"target"})")));
  Finished("/api/jobs/0");
  EXPECT_EQ(Answer(Asking("/api/runs/0/rows/0")).status, 200);
  std::filesystem::rename(tree_ / "root/target/a.npy", tree_ / "outside/a.npy");
  std::filesystem::create_symlink(tree_ / "outside/a.npy",
                                  tree_ / "root/target/a.npy");
  EXPECT_EQ(Answer(Asking("/api/runs/0/rows/0")).status, 404);
}

TEST_F(PageServiceTest, RefusesBadForms) {
  const struct {
    std::string body;
    int status;
  } kRows[] = {
      {"", 422},
      {"[]", 422},
      {R"({"golden":"golden"})", 422},
      {R"({"golden":7,"target":"target"})", 422},
      {R"({"golden":"golden","target":"../outside"})", 404},
      {R"({"golden":"golden","target":"out"})", 404},
      {R"({"golden":"linked","target":"target"})", 404},
      {R"({"golden":"golden","target":"target","graph":"/etc/passwd"})", 404},
      {R"({"golden":"golden","target":"target","metrics":["cosin"]})", 422},
      {R"({"golden":"golden","target":"onnxruntime:../outside/m.onnx"})", 404},
      {R"({"golden":"golden","target":"onnxruntime:nothing.onnx"})", 404},
      {R"({"golden":"golden","target":"onnxruntime:linked/m.onnx"})", 404},
      {R"({"golden":"golden","target":"/bin/sh:golden/a.npy"})", 404},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Answer(Posting("/api/jobs", row.body)).status, row.status)
        << row.body;
  }
  HttpRequest form = Posting("/api/jobs", "{}");
  form.headers["content-type"] = "text/plain";
  EXPECT_EQ(Answer(form).status, 403);
}

// Whatever becomes of it here, it was started with the model.
TEST_F(PageServiceTest, RunsModelsBelowTheRoot) {
  tree_.Write("root/models/m.onnx", "no model");
  const nlohmann::json setup = JsonOf(Answer(Asking("/api/setup")));
  EXPECT_EQ(setup["executors"][0], "onnxruntime");
  JsonOf(Answer(Posting(
      "/api/jobs",
      R"({"golden":"golden","target":"onnxruntime:models/m.onnx","dims":"n=1"})")));
  const nlohmann::json end = Finished("/api/jobs/0");
  EXPECT_EQ(end["state"], "failed");
  EXPECT_TRUE(end["error"].get<std::string>().find("root/models/m.onnx") !=
              std::string::npos)
      << end;
}

TEST_F(PageServiceTest, TellsWhatWentWrongInAJob) {
  tree_.Write("root/empty/readme.md", "no arrays");
  JsonOf(
      Answer(Posting("/api/jobs", R"({"golden":"golden","target":"empty"})")));
  const nlohmann::json end = Finished("/api/jobs/0");
  EXPECT_NE(end["state"], "running");
  EXPECT_EQ(JsonOf(Answer(Posting("/api/jobs/0/cancel", "{}")))["state"],
            end["state"]);
}

}  // namespace
}  // namespace assay
