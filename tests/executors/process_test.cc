// A child may do anything: what it reported is kept, the rest gets a reason.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/text.h"
#include "executors/executor.h"
#include "executors/protocol.h"
#include "temp_file.h"
#include "test_paths.h"

namespace assay {
namespace {

const std::atomic<bool> kGoOn = false;

RunRequest TwoTaps() {
  return {
      .executor = "test",
      .model = "/m.onnx",
      .folder = "/tmp",
      .taps = {{.name = "a", .file = "a.npy"}, {.name = "b", .file = "b.npy"}}};
}

struct Outcome {
  RunReport report;
  std::vector<RunTensor> tensors;
};

Outcome RunScript(const std::string& script, double seconds = 20,
                  const std::atomic<bool>& stop = kGoOn) {
  Outcome out;
  out.report =
      RunInChild({"sh", "-c", script}, TwoTaps(), {seconds, stop},
                 [&](RunTensor t) { out.tensors.push_back(std::move(t)); });
  return out;
}

constexpr char kTapA[] =
    R"(echo '{"kind":"tap","name":"a","file":"a.npy","dtype":"f32","shape":[2]}';)";
constexpr char kTapB[] =
    R"(echo '{"kind":"tap","name":"b","file":"b.npy","dtype":"f32","shape":[]}';)";
constexpr char kDone[] = R"(echo '{"kind":"done","facts":{"version":"1"}}';)";

TEST(RunInChild, AllWell) {
  const Outcome out = RunScript(std::string(kTapA) + kTapB + kDone);
  ASSERT_FALSE(out.report.failure) << out.report.failure->Text();
  EXPECT_EQ(out.report.facts.at("version"), "1");
  ASSERT_EQ(out.tensors.size(), 2u);
  EXPECT_EQ(out.tensors[0].shape, Shape{2});
  EXPECT_EQ(out.tensors[1].place, 1u);
  EXPECT_FALSE(out.tensors[1].error);
}

TEST(RunInChild, TroubleCostsWhatWasNotReported) {
  const struct {
    std::string script, what, tail;
  } kRows[] = {
      {"echo deep trouble >&2; kill -SEGV $$", "the executor died of signal 11",
       "deep trouble"},
      {"echo bye >&2; exit 3",
       "the executor ended with code 3 before it was done", "bye"},
      {"echo '<html>'; exit 0",
       "the executor ended with code 0 before it was done; before that, the "
       "executor printed a line that is no answer (it is no JSON object): "
       "\"<html>\"",
       ""},
      {"echo '<html>';" + std::string(kDone),
       "the executor printed a line that is no answer", ""},
      // What it started lives on, and holds its output open.
      {"sleep 100 & echo bye >&2; exit 3",
       "the executor ended with code 3 before it was done", "bye"},
      {"exec >&-; sleep 100",
       "the executor closed its output before it was done, stayed, and was "
       "killed",
       ""},
      {R"(echo '{"kind":"error","text":"out of memory","final":true}')",
       "out of memory", ""},
      {kDone, "the executor was done without it", ""},
      {R"(echo '{"kind":"tap","name":"b","error":"no kernel"}';)" +
           std::string(kDone),
       "no kernel", ""},
      {R"(echo '{"kind":"tap","name":"b","file":"b.npy"}';)" +
           std::string(kDone),
       "the executor printed a line that is no answer (it has no list 'shape')",
       ""},
  };
  for (const auto& row : kRows) {
    const Outcome out = RunScript(kTapA + row.script);
    ASSERT_EQ(out.tensors.size(), 2u) << row.script;
    EXPECT_FALSE(out.tensors[0].error);
    ASSERT_TRUE(out.tensors[1].error) << row.script;
    EXPECT_TRUE(out.tensors[1].error->what.starts_with(row.what))
        << out.tensors[1].error->Text();
    EXPECT_NE(out.tensors[1].error->hint.find(row.tail), std::string::npos);
  }
}

TEST(RunInChild, HangIsKilledWithAllItStarted) {
  const Outcome out =
      RunScript(std::string(kTapA) + "sleep 100 & sleep 100", 0.3);
  ASSERT_EQ(out.tensors.size(), 2u);
  EXPECT_EQ(out.tensors[1].error->what,
            "the executor was silent for 0 seconds and was killed");
}

TEST(RunInChild, PrintingOnAndOnIsNoLife) {
  const struct {
    std::string script, before;
  } kRows[] = {
      {"yes '<html>'",
       "; before that, the executor printed a line that is no answer (it is no "
       "JSON object): \"<html>\""},
      {"yes ''", ""},
  };
  for (const auto& row : kRows) {
    const Outcome out = RunScript(kTapA + row.script);
    ASSERT_EQ(out.tensors.size(), 2u);
    EXPECT_FALSE(out.tensors[0].error);
    EXPECT_EQ(out.tensors[1].error->what,
              "the executor printed 100000 lines in a row that are no answer, "
              "and was killed" +
                  row.before);
    EXPECT_TRUE(out.report.hung);
  }
}

TEST(RunInChild, StopsWhenAsked) {
  const std::atomic<bool> stop = true;
  const Outcome out = RunScript("sleep 100", 100, stop);
  ASSERT_EQ(out.tensors.size(), 2u);
  EXPECT_EQ(out.tensors[0].error->code, ErrorCode::kInterrupted);
}

TEST(RunInChild, NoSuchProgramIsFinal) {
  size_t errors = 0;
  const RunReport report =
      RunInChild({"/no/such/executor"}, TwoTaps(), {1, kGoOn},
                 [&](const RunTensor& t) { errors += t.error.has_value(); });
  EXPECT_TRUE(report.failure);
  EXPECT_TRUE(report.final);
  EXPECT_EQ(errors, 2u);
}

TEST(RunInChild, GetsTheRequest) {
  const Outcome out = RunScript(
      R"(read line; case "$line" in *'"schema":"assay.request/1"'*'"taps":[{"name":"a"'*) echo '{"kind":"note","text":"seen"}';; esac;)" +
      std::string(kTapA) + kTapB + kDone);
  EXPECT_EQ(out.report.notes, std::vector<std::string>{"seen"});
}

// Counts its requests; dies at the third.
TEST(ExecutorPool, TheSameChildAnswersUntilItDies) {
  const std::string script =
      R"(n=0; while read line; do n=$((n+1)); echo "request $n" >&2; )"
      R"([ $n = 3 ] && exit 7; echo "{\"kind\":\"note\",\"text\":\"$0 $n\"}"; )" +
      std::string(kTapA) + kTapB + kDone + " done";
  const ModelRun run{.words = {"sh", "-c", script}, .stays = true};
  ExecutorPool pool;
  const auto ask = [&](Texts options) {
    RunRequest request = TwoTaps();
    request.options = std::move(options);
    return pool.Run(run, request, {20, kGoOn}, [](const RunTensor&) {});
  };
  EXPECT_EQ(ask({}).notes, std::vector<std::string>{"--stay 1"});
  EXPECT_EQ(ask({}).notes, std::vector<std::string>{"--stay 2"});
  EXPECT_EQ(ask({{"level", "2"}}).notes, std::vector<std::string>{"--stay 1"});
  const RunReport died = ask({});
  ASSERT_TRUE(died.failure);
  EXPECT_TRUE(died.failure->what.starts_with("the executor ended with code 7"));
  EXPECT_EQ(died.errors, "request 3\n");
  EXPECT_EQ(ask({}).notes, std::vector<std::string>{"--stay 1"});
}

TEST(ExecutorPool, ProgramsThatDoNotStayGetOneRequest) {
  const std::string script =
      "cat >/dev/null;" + std::string(kTapA) + kTapB + kDone;
  ExecutorPool pool;
  const RunReport report = pool.Run({.words = {"sh", "-c", script}}, TwoTaps(),
                                    {20, kGoOn}, [](const RunTensor&) {});
  EXPECT_FALSE(report.failure);
}

TEST(Protocol, RequestReadsBack) {
  RunRequest request = TwoTaps();
  request.inputs = {{"x", "inputs/x.npy", "f32", {1, 3}}};
  request.outputs = {{.name = "y\n\"", .file = ".plain/0.npy"}};
  request.taps[1].model = "/cut.onnx";
  request.taps[1].session = "0f";
  request.options = {{"threads", "2"}};
  request.max_memory = 1u << 30;
  request.want_ir = true;
  const std::string text = RequestJson(request);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const auto again = ParseRequest(text);
  ASSERT_TRUE(again) << again.error().Text();
  EXPECT_EQ(RequestJson(*again), text);
}

TEST(Protocol, AnswersReadBack) {
  for (const char* line :
       {R"({"kind":"tap","name":"a","file":"a.npy","dtype":"f32","shape":[2]})",
        R"({"kind":"output","name":"y","error":"no"})",
        R"({"kind":"error","final":true,"text":"x"})",
        R"({"kind":"ir","text":"line\nline"})",
        R"({"kind":"done","facts":{"version":"1"}})",
        R"({"kind":"check","usable":false,"version":"","why":"none"})"}) {
    const auto answer = ParseAnswer(line);
    ASSERT_TRUE(answer) << line;
    EXPECT_EQ(AnswerJson(*answer), line);
  }
  EXPECT_FALSE(ParseAnswer(R"({"kind":"tip"})"));
  EXPECT_FALSE(ParseAnswer("[]"));
  EXPECT_FALSE(ParseAnswer(
      R"({"kind":"tap","name":"a","file":"f","dtype":"f32","shape":[-1]})"));
}

TEST(Protocol, CorpusIsReplayed) {
  size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(FuzzCorpus("executor_answer"))) {
    const std::string text = ReadAll(entry.path());
    const auto answer = ParseAnswer(text);
    if (answer) {
      EXPECT_TRUE(ParseAnswer(AnswerJson(*answer))) << text;
    }
    (void)ParseRequest(text);
    ++files;
  }
  EXPECT_GT(files, 4u);
}

TEST(ModelRun, IsTakenApart) {
  EXPECT_TRUE(IsModelRun("openvino:m.onnx"));
  EXPECT_TRUE(IsModelRun("opnvino:m.onnx"));  // to be told that there is none
  EXPECT_TRUE(IsModelRun("/bin/sh:m.onnx"));
  EXPECT_FALSE(IsModelRun("golden/"));
  EXPECT_FALSE(IsModelRun("no/such/a:b"));
  const auto program = ParseModelRun("/bin/sh:m:1.onnx");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->words, std::vector<std::string>{"/bin/sh"});
  EXPECT_EQ(program->model, "m:1.onnx");
  EXPECT_EQ(ParseModelRun("opnvino:m.onnx").error().hint,
            "did you mean 'openvino'? 'assay list executors' shows all");
}

}  // namespace
}  // namespace assay
