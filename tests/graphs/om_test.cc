// Offline models: what is where, and what is refused.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "graphs/graph_kind.h"
#include "graphs/graph_lines.h"
#include "graphs/om_attributes.h"
#include "graphs/om_file.h"
#include "temp_file.h"
#include "test_paths.h"

namespace assay {
namespace {

using nlohmann::json;

const std::string kData = TestData("graphs/");

json Expected() {
  std::ifstream in(kData + "om_expected.json");
  return json::parse(in);
}

std::string ErrorOf(const std::string& bytes) {
  const TempFile file(".om", bytes);
  const Result<Graph> graph = OpenGraph(file.path());
  if (graph) return "";
  EXPECT_EQ(graph.error().file, file.path());
  return graph.error().what;
}

std::string Number(uint64_t value, size_t bytes) {
  std::string text;
  for (; bytes > 0; --bytes, value >>= 8) text += static_cast<char>(value);
  return text;
}

std::string With(std::string bytes, size_t at, uint64_t value, size_t size) {
  return bytes.replace(at, size, Number(value, size));
}

json Names(const Graph& graph, const std::vector<NameId>& ids) {
  json list = json::array();
  for (const NameId id : ids) list.push_back(graph.Text(id));
  return list;
}

json Inputs(const Graph& graph, const Operator& op) {
  json list = json::array();
  for (const GraphEdge& edge : op.inputs) {
    list.push_back(edge.op == kNoName
                       ? ""
                       : fmt::format("{}:{}", graph.Text(edge.op), edge.index));
  }
  return list;
}

json Origin(const Graph& graph, const GraphTensor& tensor) {
  if (tensor.origin == kNoName) return nullptr;
  return {{"name", graph.Text(tensor.origin)},
          {"index", tensor.origin_index},
          {"format", graph.Text(tensor.origin_layout)},
          {"data_type",
           graph.Attr(tensor.attrs, "_datadump_origin_data_type").value()}};
}

json Described(const Graph& graph, const Operator& op) {
  json described = {{"id", op.id},
                    {"name", graph.Text(op.name)},
                    {"type", graph.Text(op.type)},
                    {"input", Inputs(graph, op)},
                    {"original_names", nullptr},
                    {"pass_name", nullptr},
                    {"output_origin", json::array()},
                    {"output", json::array()}};
  if (op.originals) described["original_names"] = Names(graph, *op.originals);
  if (!op.passes.empty()) described["pass_name"] = Names(graph, op.passes);
  if (!op.subgraphs.empty()) described["subgraph"] = Names(graph, op.subgraphs);
  for (const GraphTensor& tensor : op.output_tensors) {
    described["output_origin"].push_back(Origin(graph, tensor));
    described["output"].push_back({{"dtype", graph.Text(tensor.dtype)},
                                   {"layout", graph.Text(tensor.layout)},
                                   {"shape", tensor.shape}});
  }
  return described;
}

json Graphs(const Graph& graph) {
  json graphs = json::array();
  for (uint32_t i = 0; i < graph.parts.size(); ++i) {
    json ops = json::array();
    for (const Operator& op : graph.operators) {
      if (op.part == i) ops.push_back(Described(graph, op));
    }
    graphs.push_back({{"name", graph.Text(graph.parts[i].name)}, {"ops", ops}});
  }
  return graphs;
}

TEST(Om, ReadsTheGraphs) {
  const json expected = Expected();
  for (const char* name : {"plain.om", "two_model.om"}) {
    const Result<Graph> graph = OpenGraph(kData + name);
    ASSERT_TRUE(graph) << graph.error().Text();
    EXPECT_EQ(graph->kind, "om");
    EXPECT_EQ(Graphs(*graph), expected[name]["graphs"]) << name;
    EXPECT_TRUE(graph->warnings.empty()) << graph->warnings[0];
    for (const auto& [key, value] : expected[name]["model_attr"].items()) {
      EXPECT_EQ(graph->Attr(graph->attrs, key), value.get<std::string>());
    }
    for (const Operator& op : graph->operators) {
      for (const GraphAttr& attr : op.attrs) {
        EXPECT_FALSE(graph->Text(attr.key).starts_with('\0'));
      }
    }
  }
}

TEST(Om, FindsThePartitions) {
  const json expected = Expected();
  for (const char* name : {"plain.om", "two_model.om"}) {
    const std::string bytes = ReadAll(kData + name);
    const Result<OmFile> om = ReadOmFile(bytes, name, 0);
    ASSERT_TRUE(om) << om.error().Text();
    const json& header = expected[name]["header"];
    EXPECT_EQ(om->version, header["version"]);
    EXPECT_EQ(om->name, header["name"]);
    EXPECT_EQ(om->body, header["body_length"]);
    EXPECT_EQ(om->wide ? 64 : 32, header["table_bits"]);
    EXPECT_EQ(om->dynamic, header["dynamic"]);
    json models = json::array();
    for (const OmModel& model : om->models) {
      json parts = json::array();
      for (const OmPartition& part : model.partitions) {
        parts.push_back(
            {{"type", part.type}, {"at", part.at}, {"size", part.size}});
      }
      models.push_back({{"table_at", model.table_at}, {"partitions", parts}});
    }
    EXPECT_EQ(models, expected[name]["models"]);
  }
}

TEST(Om, RefusesEveryPrefix) {
  for (const char* name : {"plain.om", "two_model.om"}) {
    const std::string bytes = ReadAll(kData + name);
    for (size_t size = 1; size < bytes.size(); ++size) {
      const Result<OmFile> om = ReadOmFile(bytes.substr(0, size), name, 0);
      ASSERT_FALSE(om) << name << " " << size;
    }
    for (const size_t size : {1, 100, 255, 256, 300, 1200}) {
      EXPECT_NE(ErrorOf(bytes.substr(0, size)), "") << size;
    }
  }
  const Result<Graph> cut = OpenGraph(kData + "truncated.om");
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().what, "the header says 2536 bytes, 1200 are there");
}

TEST(Om, SaysWhatItRefuses) {
  const std::string plain = ReadAll(kData + "plain.om");
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {With(plain, 80, 1, 1), "the model is encrypted"},
      {With(plain, 0, 'P', 1), "not an offline model: 'IMOD' expected"},
      {With(plain, 4, 255, 4), "header size 255 instead of 256"},
      {With(plain, 8, 0x30000000, 4), "unknown version 0x30000000"},
      {With(plain, 156, 2, 4), "the header says 2 models, 1 are there"},
      {With(plain, 256, 0, 4), "0 partitions; 1 to 8 are possible"},
      {With(plain, 256, 0xFFFFFFFF, 4),
       "4294967295 partitions; 1 to 8 are possible"},
      {With(plain, 268, 0xFFFFFFFF, 4),
       "partition 0 (type 0) needs 4294967295 bytes, 2228 are left"},
      {With(plain, 276, 1, 4),
       "partition 1 (type 1) is said to begin at 1, not behind the one before"},
      {With(plain, 260, 2, 4), "the model file has no graph in it"},
      {With(plain, 84 + 4, 0, 4) + "x",
       "the header says 2536 bytes, 2537 are there"},
      {"PK\x03\x04" + plain, "an OM2 model (ZIP) has no graph of this kind"},
      {"PICO" + plain, "a PICO model is of another product line"},
      {"", "the file is empty"},
  };
  for (const auto& row : kRows) EXPECT_EQ(ErrorOf(row.bytes), row.error);
}

TEST(Om, ReadsVersion1) {
  const std::string plain = ReadAll(kData + "plain.om");
  const TempFile old(".om",
                     With(plain, 8, 0x10000000, 4).replace(156, 8, "1.11.z.0"));
  const Result<Graph> graph = OpenGraph(old.path());
  ASSERT_TRUE(graph) << graph.error().Text();
  EXPECT_EQ(Graphs(*graph), Expected()["plain.om"]["graphs"]);
}

std::string Table(const std::vector<std::pair<uint32_t, std::string>>& parts,
                  bool bundle) {
  const uint64_t size = 8 + 24 * parts.size();
  std::string table = Number(parts.size(), 8), data;
  for (const auto& [type, bytes] : parts) {
    table += Number(type, 8) + Number((bundle ? size : 0) + data.size(), 8) +
             Number(bytes.size(), 8);
    data += bytes;
  }
  return table + data;
}

std::string Header(std::string_view magic, uint8_t type, uint64_t length) {
  std::string header(256, '\0');
  header.replace(0, magic.size(), magic);
  if (!magic.empty()) {
    header.replace(4, 8, Number(256, 4) + Number(0x20000000, 4));
  }
  header[82] = static_cast<char>(type);
  return header.replace(184, 8, Number(length, 8));
}

// A length-delimited field of a message.
std::string Bytes(int number, const std::string& bytes) {
  std::string text(1, static_cast<char>(number << 3 | 2));
  uint64_t size = bytes.size();
  for (; size >= 0x80; size >>= 7) text += static_cast<char>(size | 0x80);
  return text + static_cast<char>(size) + bytes;
}

TEST(Om, ReadsBundles) {
  const std::string plain = ReadAll(kData + "plain.om");
  const std::string two = ReadAll(kData + "two_model.om");
  const std::string body =
      Table({{25, "12345678"}, {24, plain}, {24, two}}, true);
  const TempFile file(".om", Header("", 5, 256 + body.size()) + body);
  const Result<Graph> graph = OpenGraph(file.path());
  ASSERT_TRUE(graph) << graph.error().Text();
  const json expected = Expected();
  json both = expected["plain.om"]["graphs"];
  for (const json& part : expected["two_model.om"]["graphs"]) {
    both.push_back(part);
  }
  EXPECT_EQ(Graphs(*graph), both);
}

TEST(Om, ReadsFlowModels) {
  const std::string plain = ReadAll(kData + "plain.om");
  const std::string op = Bytes(1, "n") + Bytes(2, "FlowNode");
  const std::string graph = Bytes(1, "outer") + Bytes(6, op);
  const std::string function = Bytes(1, "f") + Bytes(3, "no model") +
                               Bytes(4, Bytes(1, "fg") + Bytes(6, op));
  const std::string elsewhere = Bytes(1, "far") + Bytes(9, "sub/far.om");
  const std::string body = Table({{0, Bytes(7, graph)},
                                  {6, "x"},
                                  {7, Bytes(1, "net") + Bytes(3, plain)},
                                  {7, function},
                                  {7, elsewhere}},
                                 false);
  const TempFile file(".om", Header("IMOD", 3, body.size()) + body);
  const Result<Graph> read = OpenGraph(file.path());
  ASSERT_TRUE(read) << read.error().Text();
  std::string parts;
  for (const Graph::Part& part : read->parts) {
    parts += std::string(read->Text(part.name)) + " ";
  }
  EXPECT_EQ(parts, "outer net_0 fg ");
  EXPECT_EQ(read->operators.size(), 6u);
  ASSERT_FALSE(read->warnings.empty());
  EXPECT_EQ(read->warnings[0], "model 'far' is in another file: sub/far.om");
}

TEST(Om, NestsOnlySoDeep) {
  std::string om = ReadAll(kData + "plain.om");
  for (int i = 0; i < 10; ++i) {
    const std::string body = Table({{24, om}}, true);
    om = Header("", 5, 256 + body.size()) + body;
  }
  EXPECT_EQ(ErrorOf(om), "models in models, 8 deep");
}

TEST(Om, ReadsShortKeys) {
  const struct {
    std::string key;
    std::optional<uint64_t> number;
  } kRows[] = {
      {std::string("\0\x01", 2), 0},
      {std::string("\0\x7f", 2), 126},
      {std::string("\0\x01\x02", 3), 127},
      {std::string("\0\x04\x02", 3), 130},
      {std::string("\0", 1), std::nullopt},
      {std::string("\0\0", 2), std::nullopt},
      {std::string("\0\x80", 2), std::nullopt},
      {std::string("\0\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f", 10), std::nullopt},
      {"pads", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& row : kRows) EXPECT_EQ(ShortKeyNumber(row.key), row.number);
}

}  // namespace
}  // namespace assay
