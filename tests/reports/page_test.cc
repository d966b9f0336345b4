// The page's data, the file around it, and what the run file keeps for it.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "reports/detail_json.h"
#include "reports/fixture.h"
#include "reports/outline_json.h"
#include "reports/page_data.h"
#include "reports/page_html.h"
#include "reports/run_file.h"

namespace assay {
namespace {

struct Unpacked {
  nlohmann::json head;
  std::string columns;

  // One number of a column of type `T`.
  template <typename T>
  T At(const std::string& name, size_t row) const {
    const auto& column = head["columns"][name];
    const size_t count = column["count"], at = column["at"];
    char raw[sizeof(T)];
    for (size_t i = 0; i < sizeof(T); ++i) {
      raw[i] = columns[at + i * count + row];
    }
    T value;
    std::memcpy(&value, raw, sizeof(T));
    return value;
  }
  std::string Text(const std::string& column, size_t row) const {
    return head["texts"][At<uint32_t>(column, row)];
  }
};

Unpacked Unpack(const std::string& packed) {
  std::string bytes(1 << 22, '\0');
  uLongf size = bytes.size();
  EXPECT_EQ(
      uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                 reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
      Z_OK);
  uint32_t length = 0;
  std::memcpy(&length, bytes.data(), 4);
  EXPECT_EQ((length + 4) % 8, 0u);
  return {nlohmann::json::parse(bytes.substr(4, length)),
          bytes.substr(4 + length, size - 4 - length)};
}

RowDetail SomeDetail() {
  RowDetail detail;
  detail.spread.errors.Add(0.05);
  detail.spread.errors.Add(0);
  detail.spread.max_ulp = 17;
  detail.spread.values = {.low = -1, .high = 2.5};
  detail.spread.values.golden[3] = 8;
  detail.spread.profile[5] = 0.123456789;
  detail.absolute = {{{1, 2}, Number(1.5), Number(-HUGE_VAL)}};
  detail.relative = {{{0}, Signed(-3), Unsigned(4)}};
  return detail;
}

GraphOutline SomeGraph() {
  return {.file = "g.json",
          .nodes = {{"net/a", "Conv", {}, {{"k", "</script>"}}},
                    {"net/b", "Fused", {"x", "y"}, {}},
                    {"net/deep/c", "Relu", {}, {}},
                    {"out", "Add", {}, {}}},
          .edges = {{0, 1}, {1, 2}, {2, 3}},
          .node_of_row = {0, 1, -1, 2, -1, -1, -1, -1, 3, 3}};
}

Comparison WithPage() {
  Comparison c = Fixture();
  c.rows[1].detail = std::make_shared<const RowDetail>(SomeDetail());
  c.target_graph = std::make_shared<const GraphOutline>(SomeGraph());
  return c;
}

TEST(PageData, HoldsEveryRowAsColumns) {
  const Comparison c = WithPage();
  const Unpacked page = Unpack(*PageData(c));
  EXPECT_EQ(page.head["schema"], "assay.page/1");
  EXPECT_EQ(page.head["rows"], c.rows.size());
  for (size_t i = 0; i < c.rows.size(); ++i) {
    EXPECT_EQ(page.At<uint8_t>("verdict", i),
              static_cast<uint8_t>(c.rows[i].verdict));
  }
  EXPECT_EQ(page.Text("name", 3), c.rows[3].name);
  EXPECT_NEAR(page.At<float>("metric.rel_l2", 1), 0.31, 1e-6);
  EXPECT_TRUE(std::isnan(page.At<float>("metric.rel_l2", 0)));  // none
  EXPECT_EQ(page.Text("unpaired.why", 0), "fused away");
}

// Float32 would change them.
TEST(PageData, KeepsLargeWholeNumbers) {
  Comparison c = WithPage();
  c.rows[6].metrics.Set(*FindMetric("nan_golden"), Unsigned(16777217));
  const Unpacked page = Unpack(*PageData(c));
  EXPECT_EQ(page.head["columns"]["metric.nan_golden"]["type"], "f64");
  EXPECT_EQ(page.At<double>("metric.nan_golden", 6), 16777217);
  EXPECT_EQ(page.head["columns"]["metric.rel_l2"]["type"], "f32");
}

TEST(PageData, HasTheWorstRowsInFull) {
  const Unpacked page = Unpack(*PageData(WithPage()));
  const auto& full = page.head["full"]["1"];
  EXPECT_EQ(full["row"]["why_paired"], "origin name conv1");
  EXPECT_EQ(full["detail"]["absolute"][0]["target"], "-inf");
  EXPECT_EQ(page.head["suspects"][0], 1);
}

TEST(PageData, DrawsTheGraphAndFoldsItsScopes) {
  const Unpacked page = Unpack(*PageData(WithPage()));
  EXPECT_TRUE(page.head["graphs"]["golden"].is_null());
  const auto& graph = page.head["graphs"]["target"];
  EXPECT_EQ(graph["depths"], (nlohmann::json{0, 1}));
  EXPECT_EQ(graph["originals"]["1"], (nlohmann::json{"x", "y"}));
  EXPECT_EQ(page.Text("target.1.name", 0), "net");
  EXPECT_EQ(page.At<uint32_t>("target.1.members", 0), 3u);
  EXPECT_EQ(page.At<uint32_t>("target.0.layer", 3), 3u);
  EXPECT_EQ(page.At<uint32_t>("target.node", 0), 1u);
  EXPECT_EQ(page.At<uint32_t>("target.node", 2), 0u);  // none
}

TEST(PageData, IsTheSameFromASavedRun) {
  const Comparison c = WithPage();
  const std::string path = TemporaryPath("page.assay");
  Result<OutputFile> file = OutputFile::Create(path);
  ASSERT_TRUE(WriteReport(*FindReport("run"), c, {}, *file));
  const Result<Comparison> back = ReadRun(path);
  ASSERT_TRUE(back) << back.error().Text();
  EXPECT_EQ(Unpack(*PageData(*back)).head, Unpack(*PageData(c)).head);
}

TEST(Html, HoldsNoNameAsHtml) {
  if (!NeedPage()) GTEST_SKIP() << "built without the page";
  Comparison c = WithPage();
  c.rows[0].name = c.golden.source = "</script><script>hacked()</script>";
  const std::string path = TemporaryPath("page.html");
  Result<OutputFile> file = OutputFile::Create(path);
  ASSERT_TRUE(WriteReport(*FindReport("html"), c, {}, *file));
  const std::string html = ContentOf(path);
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  EXPECT_EQ(html.find("hacked"), std::string::npos);
  EXPECT_NE(html.find(ToBase64(*PageData(c))), std::string::npos);
}

TEST(DetailJson, ReadsBack) {
  const std::string text = DetailJson(SomeDetail());
  const Result<RowDetail> back = DetailFromJson(text);
  ASSERT_TRUE(back) << back.error().Text();
  EXPECT_EQ(DetailJson(*back), text);
  EXPECT_EQ(back->spread.values.golden[3], 8u);
}

TEST(OutlineJson, ReadsBack) {
  const std::string text = OutlineJson(SomeGraph());
  const Result<GraphOutline> back = OutlineFromJson(text);
  ASSERT_TRUE(back) << back.error().Text();
  EXPECT_EQ(OutlineJson(*back), text);
}

TEST(PageJson, SaysWhatIsWrong) {
  const struct {
    std::string text, error;
  } kRows[] = {
      {"[", "this is not JSON"},
      {R"({"nodes":[{"name":"a"}],"edges":[0,1]})",
       "an edge of the graph leads to node 1 of 1"},
      {R"({"nodes":[],"edges":[-1,0]})",
       "an edge of the graph leads to node -1 of 0"},
      {R"({"nodes":[],"node_of_row":[0]})", "a row stands at node 0 of 0"},
      {R"({"nodes":7})", "graph: 'nodes' is not a list"},
  };
  for (const auto& row : kRows) {
    const auto outline = OutlineFromJson(row.text);
    ASSERT_FALSE(outline) << row.text;
    EXPECT_EQ(outline.error().what, row.error);
  }
  EXPECT_EQ(DetailFromJson(R"({"decades":"x"})").error().what,
            "details: 'decades' is not a list");
}

TEST(Base64, HasThePaddingOfItsLength) {
  EXPECT_EQ(ToBase64(""), "");
  EXPECT_EQ(ToBase64("f"), "Zg==");
  EXPECT_EQ(ToBase64("fo"), "Zm8=");
  EXPECT_EQ(ToBase64("foo"), "Zm9v");
  EXPECT_EQ(ToBase64("\xff\xfe\xfd"), "//79");
}

}  // namespace
}  // namespace assay
