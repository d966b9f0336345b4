// A saved run (.assay): an SQLite database.
//   meta(key, value)   schema "assay.run/1"; header: the document but its lists
//   rows(row, name, verdict, cause, data)   data: the row's JSON
//   unpaired(id, side, name, file, status, why)
// The same comparison gives the same bytes.
#include "reports/run_file.h"

#include <array>
#include <fstream>

#include "base/utf8.h"
#include "reports/document_json.h"
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

Status Fill(const Comparison& c, const std::string& path) {
  ASSIGN_OR_RETURN(Database database, Database::Fill(path));
  RETURN_IF_ERROR(database.Run(kCreate));
  RETURN_IF_ERROR(WriteMeta(c, database));
  RETURN_IF_ERROR(WriteRows(c, database));
  RETURN_IF_ERROR(WriteUnpaired(c, database));
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

Result<Comparison> Restore(const std::string& path) {
  ASSIGN_OR_RETURN(Database database, Database::Read(path));
  ASSIGN_OR_RETURN(Comparison c, ReadHeader(database));
  RETURN_IF_ERROR(ReadRows(database, c));
  RETURN_IF_ERROR(ReadUnpaired(database, c));
  return c;
}

}  // namespace

bool IsRunFile(const std::string& path) {
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
