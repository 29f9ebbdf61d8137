#include "database/database.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sqlite3.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/regular_file.h"
#include "base/text.h"

namespace cutaway::database {
namespace {

constexpr int kMostSqlBytes = 100'000;
constexpr int kStepsApart = 5'000;  // from one look for interrupts to the next
// Steps of a statement that stores results in spite of an interrupt: less than a second.
constexpr uint64_t kStepsToStore = 20'000'000;
constexpr int kBusyMilliseconds = 20, kBusyTries = 3'000;  // a minute's wait for another writing process

// In place of open(2) in SQLite: never waits, and refuses what is no regular file or folder. So the files
// beside a database (its journal) are looked at as the database itself is.
int open_regular(const char* path, int flags, int mode) {
  const int descriptor = ::open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode);
  struct stat status {};
  if (descriptor < 0 || std::string_view(path) == "/dev/urandom") return descriptor;
  if (::fstat(descriptor, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)))
    return descriptor;
  ::close(descriptor);
  errno = EACCES;
  return -1;
}

// Settings of SQLite for the whole process.
void set_up_sqlite() {
  static const bool done = [] {
    sqlite3_vfs* files = sqlite3_vfs_find(nullptr);
    CUTAWAY_CHECK(files && files->iVersion >= 3);
    files->xSetSystemCall(files, "open", reinterpret_cast<sqlite3_syscall_ptr>(open_regular));
    sqlite3_hard_heap_limit64(kMostMemory);
    return true;
  }();
  CUTAWAY_CHECK(done);
}

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

Database::Database(const std::filesystem::path& path, Access access, const Limits& limits) : path_(path) {
  set_up_sqlite();
  std::error_code error;
  if (access != Access::kCreate && !std::filesystem::exists(path, error))
    user_error("{}: there is no such file", path.string());
  if (const std::string kind = other_kind_of_file(path); !kind.empty())
    user_error("{}: not a file but {}: name a database", path.string(), kind);
  if (sqlite3_open_v2(path.c_str(), &handle_, open_flags(access), nullptr) != SQLITE_OK) {
    const std::string reason = handle_ ? sqlite3_errmsg(handle_) : "no memory";
    sqlite3_close(handle_);
    user_error("{}: cannot be opened: {}", path.string(), reason);
  }
  sqlite3_busy_handler(handle_, on_busy, nullptr);
  sqlite3_progress_handler(handle_, kStepsApart, on_progress, this);
  if (access == Access::kRead) limit(limits);
  // Files are untrusted: their contents must not be able to run harmful functions.
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
}

Database::~Database() { sqlite3_close_v2(handle_); }

void Database::limit(const Limits& limits) {
  limits_ = limits, limited_ = true;
  constexpr std::pair<int, int> kOthers[] = {{SQLITE_LIMIT_SQL_LENGTH, kMostSqlBytes},
                                             {SQLITE_LIMIT_VDBE_OP, 250'000},
                                             {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
                                             {SQLITE_LIMIT_COMPOUND_SELECT, 100},
                                             {SQLITE_LIMIT_ATTACHED, 0},
                                             {SQLITE_LIMIT_TRIGGER_DEPTH, 10}};
  for (const auto& [what, most] : kOthers) sqlite3_limit(handle_, what, most);
  sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, limits.most_bytes);
}

// Returns true to end the statement.
int Database::on_progress(void* self) {
  auto& database = *static_cast<Database*>(self);
  if (!database.steps_) return interrupted();
  const uint64_t steps = *database.steps_ += kStepsApart;
  if (interrupted()) return database.limited_ || steps > kStepsToStore;
  return database.limited_ && steps > database.limits_.most_steps;
}

// Returns true to try again.
int Database::on_busy(void*, int tries) {
  if (interrupted() || tries > kBusyTries) return false;
  usleep(kBusyMilliseconds * 1000);
  return true;
}

void Database::fail(const char* doing) const {
  std::string reason = sqlite3_errmsg(handle_);
  if (const int number = sqlite3_system_errno(handle_)) reason += fmt::format(" ({})", std::strerror(number));
  switch (sqlite3_errcode(handle_) & 0xff) {  // without the extended code
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      user_error(
          "{}: the file is damaged or no database ({}): move it away, or save what it holds with "
          "sqlite3 FILE .recover",
          path_.string(), reason);
    case SQLITE_INTERRUPT:
      end_if_interrupted();
      user_error("{}: a query takes more than {} steps: it may be endless", path_.string(),
                 grouped(limits_.most_steps));
    case SQLITE_NOMEM:
      user_error("{}: cannot {}: SQLite needs more than {} MB of memory", path_.string(), doing,
                 kMostMemory >> 20);
    case SQLITE_TOOBIG:
      user_error("{}: cannot {}: a text, blob or query is too long (most: {} and {} bytes)", path_.string(),
                 doing, limits_.most_bytes, kMostSqlBytes);
    case SQLITE_BUSY:
      end_if_interrupted();
      user_error("{}: cannot {}: another process has locked it", path_.string(), doing);
    case SQLITE_FULL:
    case SQLITE_IOERR:
      user_error("{}: cannot be {}: {}", path_.string(), limited_ ? "read" : "written", reason);
    default:
      user_error("{}: cannot {}: {}", path_.string(), doing, reason);
  }
}

void Database::execute(const std::string& sql) {
  uint64_t steps = 0;
  steps_ = &steps;
  const int result = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  steps_ = nullptr;
  if (result != SQLITE_OK) fail("be used");
}

Statement Database::prepare(std::string_view sql) {
  if (limited_) end_if_interrupted();
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

// A report may begin with a headline: "*** in database main ***".
std::string Database::damage() {
  const Limits limits = std::exchange(limits_, {.most_steps = ~uint64_t{0}});
  Statement check = prepare("PRAGMA quick_check(1)");
  const std::string report = check.step() ? check.text(0) : "";
  limits_ = limits;
  if (report == "ok") return "";
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && !line.starts_with("***")) return one_line(line);
  return "SQLite's check fails";
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
  if (database_->limited_) end_if_interrupted();
  database_->steps_ = &steps_;
  const int result = sqlite3_step(statement_.get());
  database_->steps_ = nullptr;
  if (result != SQLITE_ROW && result != SQLITE_DONE) database_->fail("be used");
  if (database_->limited_ && result == SQLITE_ROW && ++rows_ > database_->limits_.most_rows)
    user_error("{}: a query gives more than {} rows", database_->path_.string(),
               grouped(database_->limits_.most_rows));
  return result == SQLITE_ROW;
}

void Statement::run() {
  step();
  reset();
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  steps_ = rows_ = 0;
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
