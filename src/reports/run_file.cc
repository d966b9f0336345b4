// A saved run (.assay): an SQLite database.
//   meta(key, value)   schema "assay.run/1"; header: the document but its lists
//   rows(row, name, verdict, cause, data)   data: the row's JSON
//   unpaired(id, side, name, file, status, why)
//   details(row, data)   rows under the lens
//   graphs(side, data)   outlines
// The same comparison gives the same bytes.
#include "reports/run_file.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <unordered_map>

#include "base/utf8.h"
#include "reports/detail_json.h"
#include "reports/document_json.h"
#include "reports/outline_json.h"
#include "reports/report.h"
#include "reports/row_json.h"
#include "reports/sqlite.h"

namespace assay {
namespace {

constexpr std::string_view kSchema = "assay.run/1";
constexpr std::string_view kSqliteMagic("SQLite format 3\0", 16);
// The application id, "ASAY", stands at byte 68 of an SQLite file.
constexpr std::string_view kApplication = "ASAY";
constexpr size_t kApplicationAt = 68;

constexpr char kCreate[] = R"(
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA page_size = 4096;
PRAGMA encoding = 'UTF-8';
PRAGMA application_id = 0x41534159;
BEGIN;
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE rows(row INTEGER PRIMARY KEY, name TEXT, verdict TEXT,
                  cause TEXT, data TEXT);
CREATE TABLE unpaired(id INTEGER PRIMARY KEY, side TEXT, name TEXT, file TEXT,
                      status TEXT, why TEXT);
CREATE TABLE details(row INTEGER PRIMARY KEY, data TEXT);
CREATE TABLE graphs(side TEXT PRIMARY KEY, data TEXT);
)";

Status WriteMeta(const Comparison& c, Database& database) {
  ASSIGN_OR_RETURN(Statement insert,
                   database.Prepare("INSERT INTO meta VALUES(?, ?)"));
  const std::string header = HeaderJson(c);
  const std::pair<std::string_view, std::string_view> kEntries[] = {
      {"schema", kSchema}, {"header", header}};
  for (const auto& [key, value] : kEntries) {
    insert.Bind(1, key);
    insert.Bind(2, value);
    RETURN_IF_ERROR(insert.Insert());
  }
  return Done{};
}

Status WriteRows(const Comparison& c, Database& database) {
  ASSIGN_OR_RETURN(Statement insert, database.Prepare("INSERT INTO rows "
                                                      "VALUES(?, ?, ?, ?, ?)"));
  for (const Row& row : c.rows) {
    const std::string name = ValidUtf8(row.name), data = RowJson(row);
    insert.Bind(1, static_cast<int64_t>(row.number));
    insert.Bind(2, name);
    insert.Bind(3, Name(row.verdict));
    insert.Bind(4, Name(row.cause));
    insert.Bind(5, data);
    RETURN_IF_ERROR(insert.Insert());
  }
  return Done{};
}

Status WriteUnpaired(const Comparison& c, Database& database) {
  ASSIGN_OR_RETURN(
      Statement insert,
      database.Prepare("INSERT INTO unpaired VALUES(NULL, ?, ?, ?, ?, ?)"));
  for (const UnpairedTensor& tensor : c.unpaired) {
    const std::string texts[] = {ValidUtf8(tensor.name), ValidUtf8(tensor.file),
                                 ValidUtf8(tensor.status),
                                 ValidUtf8(tensor.why)};
    insert.Bind(1, Name(tensor.side));
    for (int i = 0; i < 4; ++i) insert.Bind(i + 2, texts[i]);
    RETURN_IF_ERROR(insert.Insert());
  }
  return Done{};
}

Status WriteDetails(const Comparison& c, Database& database) {
  ASSIGN_OR_RETURN(Statement insert,
                   database.Prepare("INSERT INTO details VALUES(?, ?)"));
  for (const Row& row : c.rows) {
    if (!row.detail) continue;
    const std::string data = DetailJson(*row.detail);
    insert.Bind(1, static_cast<int64_t>(row.number));
    insert.Bind(2, data);
    RETURN_IF_ERROR(insert.Insert());
  }
  return Done{};
}

Status WriteGraphs(const Comparison& c, Database& database) {
  ASSIGN_OR_RETURN(Statement insert,
                   database.Prepare("INSERT INTO graphs VALUES(?, ?)"));
  for (const auto& [side, graph] :
       {std::pair(Side::kGolden, c.golden_graph.get()),
        std::pair(Side::kTarget, c.target_graph.get())}) {
    if (graph == nullptr) continue;
    const std::string data = OutlineJson(*graph);
    insert.Bind(1, Name(side));
    insert.Bind(2, data);
    RETURN_IF_ERROR(insert.Insert());
  }
  return Done{};
}

Status Fill(const Comparison& c, const std::string& path) {
  ASSIGN_OR_RETURN(Database database, Database::Fill(path));
  RETURN_IF_ERROR(database.Run(kCreate));
  RETURN_IF_ERROR(WriteMeta(c, database));
  RETURN_IF_ERROR(WriteRows(c, database));
  RETURN_IF_ERROR(WriteUnpaired(c, database));
  RETURN_IF_ERROR(WriteDetails(c, database));
  RETURN_IF_ERROR(WriteGraphs(c, database));
  return database.Run("COMMIT");
}

Status Write(const Comparison& c, const ReportOptions&, OutputFile& out) {
  Status status = Fill(c, out.temporary());
  if (!status) return std::move(status.error()).At(out.path());
  return Done{};
}

Result<std::string> ReadMeta(std::string_view key, Database& database) {
  ASSIGN_OR_RETURN(Statement select,
                   database.Prepare("SELECT value FROM meta WHERE key = ?"));
  select.Bind(1, key);
  ASSIGN_OR_RETURN(const bool found, select.Next());
  if (!found) return Corrupt("the run has no '{}'", key);
  return select.Text(0);
}

Result<Comparison> ReadHeader(Database& database) {
  ASSIGN_OR_RETURN(const std::string schema, ReadMeta("schema", database));
  if (schema != kSchema) {
    return Unsupported("the run has the schema '{}', not '{}'",
                       Printable(schema), kSchema)
        .Hint("a newer assay wrote it; read it with that one");
  }
  ASSIGN_OR_RETURN(const std::string header, ReadMeta("header", database));
  return HeaderFromJson(header);
}

Status ReadRows(Database& database, Comparison& c) {
  ASSIGN_OR_RETURN(Statement select,
                   database.Prepare("SELECT data FROM rows ORDER BY row"));
  while (true) {
    ASSIGN_OR_RETURN(const bool more, select.Next());
    if (!more) return Done{};
    ASSIGN_OR_RETURN(Row row, RowFromJson(select.Text(0)));
    c.rows.push_back(std::move(row));
  }
}

Status ReadUnpaired(Database& database, Comparison& c) {
  ASSIGN_OR_RETURN(
      Statement select,
      database.Prepare(
          "SELECT side, name, file, status, why FROM unpaired ORDER BY id"));
  while (true) {
    ASSIGN_OR_RETURN(const bool more, select.Next());
    if (!more) return Done{};
    const bool golden = select.Text(0) == Name(Side::kGolden);
    c.unpaired.push_back({.side = golden ? Side::kGolden : Side::kTarget,
                          .name = select.Text(1),
                          .file = select.Text(2),
                          .status = select.Text(3),
                          .why = select.Text(4)});
  }
}

// Runs of older versions lack the tables for the page.
Result<bool> HasTable(const char* name, Database& database) {
  ASSIGN_OR_RETURN(Statement select,
                   database.Prepare("SELECT 1 FROM sqlite_master WHERE "
                                    "type = 'table' AND name = ?"));
  select.Bind(1, name);
  return select.Next();
}

Status ReadDetails(Database& database, Comparison& c) {
  ASSIGN_OR_RETURN(const bool there, HasTable("details", database));
  if (!there) return Done{};
  ASSIGN_OR_RETURN(
      Statement select,
      database.Prepare("SELECT CAST(row AS TEXT), data FROM details"));
  std::unordered_map<std::string, Row*> rows;
  for (Row& row : c.rows) rows[fmt::format("{}", row.number)] = &row;
  while (true) {
    ASSIGN_OR_RETURN(const bool more, select.Next());
    if (!more) return Done{};
    const auto row = rows.find(select.Text(0));
    if (row == rows.end()) continue;
    ASSIGN_OR_RETURN(RowDetail detail, DetailFromJson(select.Text(1)));
    row->second->detail = std::make_shared<const RowDetail>(std::move(detail));
  }
}

Status ReadGraphs(Database& database, Comparison& c) {
  ASSIGN_OR_RETURN(const bool there, HasTable("graphs", database));
  if (!there) return Done{};
  ASSIGN_OR_RETURN(Statement select,
                   database.Prepare("SELECT side, data FROM graphs"));
  while (true) {
    ASSIGN_OR_RETURN(const bool more, select.Next());
    if (!more) return Done{};
    ASSIGN_OR_RETURN(GraphOutline outline, OutlineFromJson(select.Text(1)));
    outline.node_of_row.resize(c.rows.size(), -1);
    auto& graph =
        select.Text(0) == Name(Side::kGolden) ? c.golden_graph : c.target_graph;
    graph = std::make_shared<const GraphOutline>(std::move(outline));
  }
}

Result<Comparison> Restore(const std::string& path) {
  ASSIGN_OR_RETURN(Database database, Database::Read(path));
  ASSIGN_OR_RETURN(Comparison c, ReadHeader(database));
  RETURN_IF_ERROR(ReadRows(database, c));
  RETURN_IF_ERROR(ReadUnpaired(database, c));
  RETURN_IF_ERROR(ReadDetails(database, c));
  RETURN_IF_ERROR(ReadGraphs(database, c));
  return c;
}

}  // namespace

bool IsRunFile(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::array<char, kApplicationAt + kApplication.size()> head{};
  std::ifstream file(path, std::ios::binary);
  if (!file.read(head.data(), head.size())) return false;
  const std::string_view text(head.data(), head.size());
  return text.starts_with(kSqliteMagic) && text.ends_with(kApplication);
}

Result<Comparison> ReadRun(const std::string& path) {
  if (!std::ifstream(path)) return NotFound("cannot read the run").At(path);
  if (!IsRunFile(path)) {
    return Corrupt("this is not a saved run")
        .At(path)
        .Hint("'assay compare GOLDEN TARGET -o run.assay' saves one");
  }
  Result<Comparison> c = Restore(path);
  if (c) return c;
  return std::move(std::move(c).error()).At(path);
}

extern constinit const Report kRunReport = {
    .name = "run",
    .suffix = ".assay",
    .summary = "the saved run: assay show reads it and renders any report",
    .write = Write,
};

}  // namespace assay
