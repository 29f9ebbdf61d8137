#include "database/database.h"

#include <cstring>
#include <sqlite3.h>

#include "base/error.h"

namespace cutaway::database {
namespace {

constexpr int kBusyMilliseconds = 60'000;  // longest wait for another writing process

int open_flags(Access access) {
  switch (access) {
    case Access::kRead:
      return SQLITE_OPEN_READONLY;
    case Access::kWrite:
      return SQLITE_OPEN_READWRITE;
    case Access::kCreate:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  }
  return 0;
}

}  // namespace

Database::Database(const std::filesystem::path& path, Access access) : path_(path) {
  if (access != Access::kCreate && !std::filesystem::exists(path))
    user_error("{}: there is no such file", path.string());
  if (sqlite3_open_v2(path.c_str(), &handle_, open_flags(access), nullptr) != SQLITE_OK) {
    const std::string reason = handle_ ? sqlite3_errmsg(handle_) : "no memory";
    sqlite3_close(handle_);
    user_error("{}: cannot be opened: {}", path.string(), reason);
  }
  sqlite3_busy_timeout(handle_, kBusyMilliseconds);
  // Files are untrusted: their contents must not be able to run harmful functions.
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
}

Database::~Database() { sqlite3_close_v2(handle_); }

void Database::fail(const char* doing) const {
  std::string reason = sqlite3_errmsg(handle_);
  if (const int number = sqlite3_system_errno(handle_)) reason += fmt::format(" ({})", std::strerror(number));
  switch (sqlite3_errcode(handle_) & 0xff) {  // without the extended code
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      user_error("{}: the file is damaged or no database: {}", path_.string(), reason);
    case SQLITE_FULL:
    case SQLITE_IOERR:
      user_error("{}: cannot be written: {}", path_.string(), reason);
    default:
      user_error("{}: cannot {}: {}", path_.string(), doing, reason);
  }
}

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail("be used");
}

Statement Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle_, sql.data(), static_cast<int>(sql.size()), &statement, nullptr) != SQLITE_OK)
    fail("be read");
  return {*this, statement};
}

std::optional<int64_t> Database::value(std::string_view sql) {
  Statement statement = prepare(sql);
  if (!statement.step() || statement.null(0)) return std::nullopt;
  return statement.integer(0);
}

int64_t Database::changes() const { return sqlite3_changes64(handle_); }

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement& Statement::bind(int parameter, int64_t value) {
  if (sqlite3_bind_int64(statement_.get(), parameter + 1, value) != SQLITE_OK) database_->fail("be written");
  return *this;
}

Statement& Statement::bind(int parameter, double value) {
  if (sqlite3_bind_double(statement_.get(), parameter + 1, value) != SQLITE_OK) database_->fail("be written");
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view text) {
  if (sqlite3_bind_text64(statement_.get(), parameter + 1, text.data() ? text.data() : "", text.size(),
                          SQLITE_TRANSIENT, SQLITE_UTF8) != SQLITE_OK)
    database_->fail("be written");
  return *this;
}

Statement& Statement::bind(int parameter, std::span<const std::byte> blob) {
  const void* data = blob.data() ? static_cast<const void*>(blob.data()) : "";
  if (sqlite3_bind_blob64(statement_.get(), parameter + 1, data, blob.size(), SQLITE_TRANSIENT) != SQLITE_OK)
    database_->fail("be written");
  return *this;
}

Statement& Statement::bind_null(int parameter) {
  if (sqlite3_bind_null(statement_.get(), parameter + 1) != SQLITE_OK) database_->fail("be written");
  return *this;
}

bool Statement::step() {
  const int result = sqlite3_step(statement_.get());
  if (result != SQLITE_ROW && result != SQLITE_DONE) database_->fail("be used");
  return result == SQLITE_ROW;
}

void Statement::run() {
  step();
  reset();
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

Type Statement::type(int column) const {
  switch (sqlite3_column_type(statement_.get(), column)) {
    case SQLITE_INTEGER:
      return Type::kInteger;
    case SQLITE_FLOAT:
      return Type::kReal;
    case SQLITE_TEXT:
      return Type::kText;
    case SQLITE_BLOB:
      return Type::kBlob;
    default:
      return Type::kNull;
  }
}

bool Statement::null(int column) const { return type(column) == Type::kNull; }
int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return text ? std::string(text, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))) : "";
}

std::span<const std::byte> Statement::blob(int column) const {
  const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(statement_.get(), column));
  return {data, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

int Statement::columns() const { return sqlite3_column_count(statement_.get()); }
std::string Statement::column_name(int column) const { return sqlite3_column_name(statement_.get(), column); }

Transaction::Transaction(Database& database) : database_(database) { database_.execute("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const UserError&) {
    // After an error SQLite has already rolled back.
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace cutaway::database
