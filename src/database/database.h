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

// SQLite files. Every error is a UserError that names the file and quotes SQLite's message. An interrupt of
// the process (base/interrupt.h) ends every statement that would still take a noticeable time.
namespace cutaway::database {

class Database;

// Bounds of what is read from a database that others made, or read by SQL of others. UserErrors beyond them.
struct Limits {
  uint64_t most_steps = 1'000'000'000;  // of SQLite's virtual machine, in one statement: about 20 seconds
  uint64_t most_rows = 10'000'000;      // of one statement
  int most_bytes = 64 << 20;            // of a text or blob, also between the steps of a calculation
};

// Limits for SQL of others. A function may take a time that is quadratic in its texts before it can be
// interrupted.
constexpr Limits kForeignQueries{.most_bytes = 256 << 10};

// Most memory that SQLite may have in this process, in bytes.
constexpr int64_t kMostMemory = 512 << 20;

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
  uint64_t steps_ = 0, rows_ = 0;  // so far
};

enum class Access : uint8_t {
  kRead,    // the file must exist, and nothing is written
  kWrite,   // the file must exist
  kCreate,  // created if missing
};

class Database {
 public:
  // limits: of statements, if the access is kRead. UserError also: not a regular file.
  Database(const std::filesystem::path& path, Access access, const Limits& limits = {});
  ~Database();
  Database(const Database&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void execute(const std::string& sql);  // one or several statements without parameters
  Statement prepare(std::string_view sql);
  // The first column of the first row of a query; empty if there is no row or the value is null.
  std::optional<int64_t> value(std::string_view sql);
  // The first damage that SQLite's check of the whole file finds, in one line; empty: none. It may take any
  // number of steps, since they are those of the rows.
  std::string damage();
  int64_t changes() const;  // rows that the last statement changed

 private:
  friend class Statement;
  static int on_progress(void* database);
  static int on_busy(void* database, int tries);
  void limit(const Limits& limits);
  [[noreturn]] void fail(const char* doing) const;

  std::filesystem::path path_;
  sqlite3* handle_ = nullptr;
  Limits limits_;
  bool limited_ = false;
  uint64_t* steps_ = nullptr;  // of the statement that is under way
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
