#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/fixture.h"
#include "reports/json_text.h"
#include "reports/row_json.h"

namespace assay {
namespace {

using nlohmann::json;

json Parsed(const std::string& text) {
  return json::parse(text, nullptr, /*allow_exceptions=*/false);
}

constexpr char kConv[] =
    R"({"row":0,"name":"conv1:output:0","op":"conv1","type":"Conv2D",)"
    R"("port":"output","index":0,"rank":null,"step":null,"graph":null,)"
    R"("call":0,"phase":"forward","order":12,"order_from":"graph",)"
    R"("golden":[{"file":"conv1.0.170.npy","tensor":"","dtype":"f32",)"
    R"("shape":[1,8,4,4],"layout":"NCHW"}],)"
    R"("target":[{"file":"Conv2D.conv1.2","tensor":"output:0","dtype":"f16",)"
    R"("shape":[1,1,4,4,16],"layout":"NC1HWC0"}],)"
    R"("strategy":"ge-fusion","why_paired":"origin name conv1",)"
    R"("steps":["target: unpack NC1HWC0 to NCHW","target: cut C 16 to 8"],)"
    R"("evidence":"full","verdict":"fail","cause":"origin",)"
    R"("why":"rel_l2 0.31 is 38x its floor",)"
    R"("floor":{"level":"amplification","metric":"rel_l2","value":0.0081,)"
    R"("margin":38.2},)"
    R"("metrics":{"count":128,"rel_l2":0.31,"cosine":0.95,"max_abs":1.2},)"
    R"("worst":[{"index":[0,3,1,2],"golden":1.0,"target":-0.2}]})";

TEST(RowJson, HasTheKeysOfTheContractInOrder) {
  EXPECT_EQ(RowJson(ConvRow()), kConv);
}

TEST(RowJson, RoundTripsEveryRow) {
  for (const Row& row : Fixture().rows) {
    const std::string text = RowJson(row);
    const Result<Row> back = RowFromJson(text);
    ASSERT_TRUE(back.ok()) << back.error().Text();
    EXPECT_EQ(RowJson(*back), text);
    EXPECT_EQ(text.find('\n'), std::string::npos);
  }
}

TEST(RowJson, KeepsErrorsWithTheirPlace) {
  const json error = Parsed(RowJson(ErrorRow()))["error"];
  EXPECT_EQ(error.dump(),
            R"({"code":"corrupt","hint":"the file looks truncated",)"
            R"("what":"shape needs 24 bytes, 0 left",)"
            R"("where":"target/conv1.npy (byte 80), tensor w"})");
  const Result<Row> back = RowFromJson(RowJson(ErrorRow()));
  EXPECT_EQ(back->error->Text(), ErrorRow().error->Text());
}

TEST(RowJson, SaysWhatIsWrong) {
  const struct {
    std::string json, error;
  } kRows[] = {
      {"", "this is not JSON"},
      {"[1]", "this is not a JSON object"},
      {"{\"row\":1", "this is not JSON"},
      {R"({"row":-1,"verdict":"pass"})", "row 0: 'row' is not a count"},
      {R"({"row":4,"verdict":"good"})",
       "row 4: 'verdict' is not one of the known words"},
      {R"({"verdict":"pass","name":7})", "row 0: 'name' is not a text"},
      {R"({"verdict":"pass","call":9223372036854775808})",
       "row 0: 'call' is not an integer"},
      {R"({"verdict":"pass","golden":{}})", "row 0: 'golden' is not a list"},
      {R"({"verdict":"pass","golden":[1]})",
       "row 0: 'golden' is not a list of objects"},
      {R"({"verdict":"pass","golden":[{"shape":[1,"a"]}]})",
       "row 0: 'shape' is not a list of integers"},
      {R"({"verdict":"pass","metrics":{"rel_l2":"much"}})",
       "row 0: 'rel_l2' is not a number"},
      {R"({"verdict":"pass","steps":[{}]})",
       "row 0: 'steps' is not a list of texts"},
      {R"({"verdict":"pass","floor":3})", "row 0: 'floor' is not an object"},
      {R"({"verdict":"pass","error":{"code":"none"}})",
       "row 0: 'code' is not one of the known words"},
  };
  for (const auto& row : kRows) {
    const Result<Row> result = RowFromJson(row.json);
    ASSERT_FALSE(result.ok()) << row.json;
    EXPECT_EQ(result.error().what, row.error);
  }
}

TEST(NumberText, ReadsBackAsTheSameKind) {
  const struct {
    Number number;
    std::string text;
  } kRows[] = {
      {Number(3.0), "3.0"},
      {Number(-0.0), "-0.0"},
      {Number(0.1), "0.1"},
      {Number(1e300), "1e+300"},
      {Number(5e-324), "5e-324"},
      {Number(1e15), "1000000000000000.0"},
      {Number(-std::nan("")), "nan"},
      {Number(HUGE_VAL), "inf"},
      {Number(-HUGE_VAL), "-inf"},
      {Signed(std::numeric_limits<int64_t>::min()), "-9223372036854775808"},
      {Unsigned(~uint64_t{0}), "18446744073709551615"},
  };
  for (const auto& row : kRows) EXPECT_EQ(NumberText(row.number), row.text);
}

TEST(Json, HasTheKeysOfTheContractInOrder) {
  Comparison c{.verdict = Verdict::kPass, .exit = 0};
  c.golden = {"a", "plain", ""};
  c.target = {"b", "plain", ""};
  c.run = {.tool = "assay", .seconds = 2, .threads = 1};
  EXPECT_EQ(
      TextOf("json", c),
      R"({"schema":"assay.comparison/1","verdict":"pass","exit":0,"why":null,)"
      R"("origins":[],"counts":{"pass":0,"fail":0,"unsure":0,"trivial":0,)"
      R"("skipped":0,"error":0},"coverage":{"pairs":0,)"
      R"("golden":{"total":0,"compared":0,"unpaired":0,"skipped":0,"error":0},)"
      R"("target":{"total":0,"compared":0,"unpaired":0,"skipped":0,"error":0})"
      R"(},"sources":{"golden":{"source":"a","kind":"plain","graph":null},)"
      R"("target":{"source":"b","kind":"plain","graph":null},"noise":null},)"
      R"("pairing":{"strategy":null,"why":null},)"
      "\n\"rows\":[],\n\"unpaired\":[],\n\"findings\":[],\n"
      R"("run":{"tool":"assay","started":"","seconds":2.0,"threads":1,)"
      R"("simd":null,"argv":[]}})"
      "\n");
}

TEST(Json, ParsesWithAllSortsOfNames) {
  const json document = Parsed(TextOf("json", Fixture()));
  ASSERT_TRUE(document.is_object());
  EXPECT_EQ(document["rows"].size(), 10);
  EXPECT_EQ(document["coverage"]["pairs"], 10);
  EXPECT_EQ(document["counts"]["unsure"], 5);
  EXPECT_EQ(document["rows"][0]["name"], "in|put`x`\nline");
  EXPECT_EQ(document["rows"][9]["name"], "bad\ufffd\ufffd(utf8");
  EXPECT_EQ(document["rows"][6]["metrics"]["mean_golden"], "nan");
  EXPECT_TRUE(document["rows"][6]["metrics"]["rel_l2"].is_null());
  EXPECT_FALSE(document["rows"][1].contains("error"));
  EXPECT_EQ(document["unpaired"].size(), 3);
  EXPECT_EQ(document["unpaired"][2]["file"], nullptr);
  EXPECT_EQ(document["findings"][0]["evidence"]["a"], "2");
}

TEST(Json, OnlyRunDiffersBetweenRepetitions) {
  Comparison again = Fixture();
  again.run.seconds = 9;
  const std::string a = TextOf("json", Fixture()), b = TextOf("json", again);
  const size_t run = a.find("\n\"run\":");
  ASSERT_NE(run, std::string::npos);
  EXPECT_EQ(a.substr(0, run), b.substr(0, run));
  EXPECT_NE(a, b);
}

TEST(Jsonl, IsHeaderRowsAndTail) {
  const std::string text = TextOf("jsonl", Fixture());
  std::istringstream stream(text);
  std::vector<json> lines;
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(Parsed(line));
    ASSERT_TRUE(lines.back().is_object()) << line;
  }
  ASSERT_EQ(lines.size(), 12);
  for (const char* key : {"rows", "counts", "coverage", "findings", "unpaired"})
    EXPECT_FALSE(lines[0].contains(key)) << key;
  EXPECT_EQ(lines[0]["run"]["threads"], 2);
  EXPECT_EQ(lines[1]["row"], 0);
  EXPECT_EQ(lines[11]["unpaired"].size(), 3);
  EXPECT_EQ(lines[11]["exit"], 2);
}

}  // namespace
}  // namespace assay
