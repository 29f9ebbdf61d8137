#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

// SQLite files. Every error is a UserError that names the file and quotes SQLite's message.
namespace cutaway::database {

class Database;

enum class Type : uint8_t { kNull, kInteger, kReal, kText, kBlob };

// A prepared statement. Parameters and columns count from 0, unlike SQLite's parameters.
class Statement {
 public:
  Statement(Statement&&) = default;
  Statement& operator=(Statement&&) = default;

  Statement& bind(int parameter, int64_t value);
  Statement& bind(int parameter, uint64_t value) { return bind(parameter, static_cast<int64_t>(value)); }
  Statement& bind(int parameter, uint32_t value) { return bind(parameter, static_cast<int64_t>(value)); }
  Statement& bind(int parameter, int value) { return bind(parameter, static_cast<int64_t>(value)); }
  Statement& bind(int parameter, double value);
  Statement& bind(int parameter, std::string_view text);
  Statement& bind(int parameter, std::span<const std::byte> blob);
  Statement& bind_null(int parameter);

  // Advances to the next row; returns false if there is none.
  bool step();
  // Runs a statement that returns no rows, and resets it for the next values.
  void run();
  template <class... Values>
  void run(const Values&... values) {
    int parameter = 0;
    (bind(parameter++, values), ...);
    run();
  }
  void reset();  // prepares for other values

  Type type(int column) const;  // of the stored value; foreign files may hold any type anywhere
  bool null(int column) const;
  int64_t integer(int column) const;
  uint64_t number(int column) const { return static_cast<uint64_t>(integer(column)); }
  double real(int column) const;
  std::string text(int column) const;
  std::span<const std::byte> blob(int column) const;  // valid until the next step
  int columns() const;
  std::string column_name(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(Database& database, sqlite3_stmt* statement) : database_(&database), statement_(statement) {}

  Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

enum class Access : uint8_t {
  kRead,    // the file must exist, and nothing is written
  kWrite,   // the file must exist
  kCreate,  // created if missing
};

class Database {
 public:
  Database(const std::filesystem::path& path, Access access);
  ~Database();
  Database(const Database&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void execute(const std::string& sql);  // one or several statements without parameters
  Statement prepare(std::string_view sql);
  // The first column of the first row of a query; empty if there is no row or the value is null.
  std::optional<int64_t> value(std::string_view sql);
  int64_t changes() const;  // rows that the last statement changed

 private:
  friend class Statement;
  [[noreturn]] void fail(const char* doing) const;

  std::filesystem::path path_;
  sqlite3* handle_ = nullptr;
};

// Makes all writes during its life visible with commit(), or none of them.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace cutaway::database
