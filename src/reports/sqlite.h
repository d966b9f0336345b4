#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay {

// The little of SQLite that the run file needs, with our errors.

class Statement {
 public:
  // Positions from 1. The text must live until Insert or Next.
  void Bind(int at, std::string_view text);
  void Bind(int at, int64_t number);

  Status Insert();                     // runs once and forgets what was bound
  Result<bool> Next();                 // true: there is a row
  std::string Text(int column) const;  // columns from 0

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const {
      sqlite3_finalize(statement);
    }
  };
  Error Failure() const;

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  // An empty file becomes a database.
  static Result<Database> Fill(const std::string& path);
  // Read only, and trusting nothing: no views, no triggers.
  static Result<Database> Read(const std::string& path);

  Status Run(const char* sql);
  Result<Statement> Prepare(std::string_view sql);

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
  };
  static Result<Database> Open(const std::string& path, int flags);

  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace assay
