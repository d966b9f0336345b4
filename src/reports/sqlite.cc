#include "reports/sqlite.h"

namespace assay {
namespace {

Error Failed(sqlite3* database) {
  const int code = sqlite3_errcode(database);
  const std::string_view text = sqlite3_errmsg(database);
  const bool system = code == SQLITE_IOERR || code == SQLITE_FULL ||
                      code == SQLITE_CANTOPEN || code == SQLITE_PERM ||
                      code == SQLITE_READONLY || code == SQLITE_BUSY;
  return system ? IoError("{}", text) : Corrupt("{}", text);
}

}  // namespace

Result<Database> Database::Open(const std::string& path, int flags) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle,
                                   flags | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database;
  database.database_.reset(handle);  // to be closed after failures as well
  if (!handle) return IoError("no memory for SQLite");
  if (code != SQLITE_OK) return Failed(handle);
  return database;
}

Result<Database> Database::Fill(const std::string& path) {
  return Open(path, SQLITE_OPEN_READWRITE);
}

Result<Database> Database::Read(const std::string& path) {
  ASSIGN_OR_RETURN(Database database, Open(path, SQLITE_OPEN_READONLY));
  sqlite3* handle = database.database_.get();
  for (const int option :
       {SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_TRIGGER,
        SQLITE_DBCONFIG_TRUSTED_SCHEMA}) {
    sqlite3_db_config(handle, option, 0, nullptr);
  }
  RETURN_IF_ERROR(database.Run("PRAGMA cell_size_check = ON"));
  return database;
}

Status Database::Run(const char* sql) {
  const int code =
      sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return Failed(database_.get());
  return Done{};
}

Result<Statement> Database::Prepare(std::string_view sql) {
  sqlite3_stmt* handle = nullptr;
  const int code =
      sqlite3_prepare_v2(database_.get(), sql.data(),
                         static_cast<int>(sql.size()), &handle, nullptr);
  if (code != SQLITE_OK) return Failed(database_.get());
  Statement statement;
  statement.statement_.reset(handle);
  return statement;
}

void Statement::Bind(int at, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), at, text.data(), text.size(),
                      SQLITE_STATIC, SQLITE_UTF8);
}

void Statement::Bind(int at, int64_t number) {
  sqlite3_bind_int64(statement_.get(), at, number);
}

Error Statement::Failure() const {
  return Failed(sqlite3_db_handle(statement_.get()));
}

Status Statement::Insert() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_DONE) return Failure();
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  return Done{};
}

Result<bool> Statement::Next() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return Failure();
}

std::string Statement::Text(int column) const {
  const auto* text = reinterpret_cast<const char*>(
      sqlite3_column_text(statement_.get(), column));
  if (!text) return "";
  const int bytes = sqlite3_column_bytes(statement_.get(), column);
  return {text, static_cast<size_t>(bytes)};
}

}  // namespace assay
