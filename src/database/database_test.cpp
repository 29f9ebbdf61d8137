#include "database/database.h"

#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "base/error.h"
#include "base/interrupt.h"

namespace cutaway::database {
namespace {

using ::testing::HasSubstr;

class DatabaseTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(path_); }
  void TearDown() override { std::filesystem::remove(path_); }
  std::string error_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const UserError& error) { return error.what(); }
    return "";
  }
  const InterruptGuard guard_;  // begins without an interrupt
  std::filesystem::path path_ =
      std::filesystem::path(::testing::TempDir()) / fmt::format("cutaway_database_{}.sqlite", ::getpid());
};

TEST_F(DatabaseTest, ValuesComeBackAsTheyWere) {
  Database database(path_, Access::kCreate);
  database.execute("CREATE TABLE t (i INTEGER, r REAL, s TEXT, b BLOB)");
  const std::byte bytes[] = {std::byte{0}, std::byte{255}};
  database.prepare("INSERT INTO t VALUES (?, ?, ?, ?)")
      .run(~uint64_t{0}, 0.5, std::string_view("a\0b", 3), std::span<const std::byte>(bytes));
  database.prepare("INSERT INTO t (i) VALUES (?)").run(7);
  Statement rows = database.prepare("SELECT i, r, s, b FROM t ORDER BY rowid");
  ASSERT_TRUE(rows.step());
  for (int i = 0; i < 4; i++)
    EXPECT_EQ(rows.type(i), (std::array{Type::kInteger, Type::kReal, Type::kText, Type::kBlob})[i]);
  EXPECT_EQ(rows.number(0), ~uint64_t{0});
  EXPECT_EQ(rows.real(1), 0.5);
  EXPECT_EQ(rows.text(2), std::string("a\0b", 3));
  ASSERT_EQ(rows.blob(3).size(), 2u);
  EXPECT_EQ(rows.blob(3)[1], std::byte{255});
  ASSERT_TRUE(rows.step());
  EXPECT_TRUE(rows.null(2));
  EXPECT_FALSE(rows.step());
  EXPECT_EQ(database.value("SELECT sum(i) FROM t WHERE i > 0"), 7);
  EXPECT_EQ(database.value("SELECT i FROM t WHERE i = 8"), std::nullopt);
}

TEST_F(DatabaseTest, ATransactionThatIsNotCommittedLeavesNothing) {
  Database database(path_, Access::kCreate);
  database.execute("CREATE TABLE t (i INTEGER)");
  {
    Transaction transaction(database);
    database.execute("INSERT INTO t VALUES (1)");
  }
  EXPECT_EQ(database.value("SELECT count(*) FROM t"), 0);
  {
    Transaction transaction(database);
    database.execute("INSERT INTO t VALUES (1)");
    transaction.commit();
  }
  EXPECT_EQ(database.value("SELECT count(*) FROM t"), 1);
}

TEST_F(DatabaseTest, ErrorsNameTheFile) {
  EXPECT_THAT(error_of([&] { Database(path_, Access::kRead); }), HasSubstr("there is no such file"));
  std::ofstream(path_) << "this is no database, however long the text that stands here may be";
  Database damaged(path_, Access::kRead);
  const std::string error = error_of([&] { damaged.value("SELECT 1 FROM sqlite_master"); });
  EXPECT_THAT(error, HasSubstr(path_.string()));
  EXPECT_THAT(error, HasSubstr("no database"));
}

TEST_F(DatabaseTest, AFileThatIsOpenForReadingIsNotWritten) {
  { Database(path_, Access::kCreate).execute("CREATE TABLE t (i INTEGER)"); }
  Database database(path_, Access::kRead);
  EXPECT_THAT(error_of([&] { database.execute("INSERT INTO t VALUES (1)"); }), HasSubstr("readonly"));
}

constexpr const char* kEndless =
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";

// Sends the process a signal after a while, as Ctrl-C does.
class LaterSignal {
 public:
  LaterSignal()
      : thread_([] {
          std::this_thread::sleep_for(std::chrono::milliseconds(100));
          kill(getpid(), SIGTERM);
        }) {}
  ~LaterSignal() { thread_.join(); }
  LaterSignal(const LaterSignal&) = delete;

 private:
  std::thread thread_;
};

TEST_F(DatabaseTest, AQueryHasALimitOfSteps) {
  { Database(path_, Access::kCreate).execute("CREATE TABLE t (i INTEGER)"); }
  Database database(path_, Access::kRead, {.most_steps = 100'000});
  EXPECT_THAT(error_of([&] { database.value(kEndless); }),
              HasSubstr("more than 100,000 steps: it may be endless"));
  Statement rows = database.prepare(std::string(kEndless) + " UNION ALL SELECT 1");
  for (int i = 0; i < 2; i++) {  // each row by itself counts to the same statement
    EXPECT_THAT(error_of([&] { rows.step(); }), HasSubstr("may be endless"));
    rows.reset();
  }
  EXPECT_EQ(database.value("SELECT 7"), 7);  // another statement has all of its steps
}

TEST_F(DatabaseTest, AQueryHasALimitOfRows) {
  {
    Database(path_, Access::kCreate)
        .execute("CREATE TABLE t (i INTEGER); INSERT INTO t VALUES (1), (2), (3)");
  }
  Database database(path_, Access::kRead, {.most_rows = 3});
  Statement rows = database.prepare("SELECT i FROM t");
  for (int i = 0; i < 3; i++) EXPECT_TRUE(rows.step());
  EXPECT_FALSE(rows.step());
  Statement more = database.prepare("SELECT i FROM t UNION ALL SELECT 4");
  EXPECT_THAT(error_of([&] {
                while (more.step()) {}
              }),
              HasSubstr("more than 3 rows"));
}

TEST_F(DatabaseTest, TheCheckForDamageHasNoLimitOfSteps) {
  {
    Database database(path_, Access::kCreate);
    database.execute("CREATE TABLE t (i INTEGER NOT NULL)");
    Transaction transaction(database);
    Statement insert = database.prepare("INSERT INTO t VALUES (?)");
    for (int i = 0; i < 20'000; i++) insert.run(i);
    transaction.commit();
  }
  {
    Database database(path_, Access::kRead, {.most_steps = 10'000});
    EXPECT_EQ(database.damage(), "");
    EXPECT_THAT(error_of([&] { database.value("SELECT sum(i) FROM t"); }),
                HasSubstr("more than 10,000 steps"));
  }
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(5 * 4096) << std::string(100, '\xff');
  file.close();
  const std::string damage = Database(path_, Access::kRead).damage();
  EXPECT_THAT(damage, HasSubstr("age"));  // "On page 6 ..."
  EXPECT_EQ(damage.find_first_of("*\n"), std::string::npos);
}

TEST_F(DatabaseTest, TextsHaveALimit) {
  { Database(path_, Access::kCreate).execute("CREATE TABLE t (i INTEGER)"); }
  Database database(path_, Access::kRead, {.most_bytes = 1000});
  EXPECT_EQ(database.value("SELECT length(zeroblob(1000))"), 1000);
  EXPECT_THAT(error_of([&] { database.value("SELECT length(hex(zeroblob(600)))"); }),
              HasSubstr("too long (most: 1000"));
  EXPECT_THAT(error_of([&] { database.prepare("SELECT " + std::string(200'000, ' ') + "1"); }),
              HasSubstr("too long"));
}

TEST_F(DatabaseTest, MemoryHasALimit) {
  { Database(path_, Access::kCreate).execute("CREATE TABLE t (i INTEGER)"); }
  Database database(path_, Access::kRead, {.most_bytes = 500 << 20});
  EXPECT_THAT(error_of([&] { database.value("SELECT length(hex(zeroblob(240000000)))"); }),
              HasSubstr("SQLite needs more than 512 MB of memory"));
}

TEST_F(DatabaseTest, AnInterruptEndsAQuery) {
  { Database(path_, Access::kCreate).execute("CREATE TABLE t (i INTEGER)"); }
  Database database(path_, Access::kRead);
  const LaterSignal signal;
  EXPECT_THAT(error_of([&] { database.value(kEndless); }), HasSubstr("interrupted"));
}

TEST_F(DatabaseTest, AnInterruptEndsAQueryOnAFileThatIsWritten) {
  Database database(path_, Access::kCreate);
  const LaterSignal signal;
  EXPECT_THAT(error_of([&] { database.value(kEndless); }), HasSubstr("interrupted"));
}

TEST_F(DatabaseTest, ResultsAreStoredInSpiteOfAnInterrupt) {
  raise(SIGTERM);
  Database database(path_, Access::kCreate);
  Transaction transaction(database);
  database.execute("CREATE TABLE t (i INTEGER)");
  Statement insert = database.prepare("INSERT INTO t VALUES (?)");
  for (int i = 0; i < 20'000; i++) insert.run(i);
  transaction.commit();
  EXPECT_EQ(database.value("SELECT count(*) FROM t"), 20'000);
}

TEST_F(DatabaseTest, AnInterruptEndsTheWaitForALock) {
  Database owner(path_, Access::kCreate);
  owner.execute("CREATE TABLE t (i INTEGER); BEGIN EXCLUSIVE");
  Database database(path_, Access::kWrite);
  const LaterSignal signal;
  EXPECT_THAT(error_of([&] { database.execute("INSERT INTO t VALUES (1)"); }), HasSubstr("interrupted"));
}

TEST_F(DatabaseTest, OpensNothingButFiles) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  for (const Access access : {Access::kRead, Access::kWrite, Access::kCreate})
    EXPECT_THAT(error_of([&] { Database database(path_, access); }), HasSubstr("not a file but a pipe"));
  std::filesystem::remove(path_);
  { Database(path_, Access::kCreate).execute("CREATE TABLE t (i INTEGER)"); }
  const std::filesystem::path journal = path_.string() + "-journal";
  ASSERT_EQ(mkfifo(journal.c_str(), 0600), 0);
  Database database(path_, Access::kRead);
  EXPECT_THAT(error_of([&] { database.value("SELECT count(*) FROM t"); }), HasSubstr(path_.string()));
  std::filesystem::remove(journal);
}

TEST_F(DatabaseTest, TriggersOfAFileDoNotRun) {
  Database database(path_, Access::kCreate);
  database.execute(
      "CREATE TABLE t (i INTEGER); CREATE TRIGGER more AFTER INSERT ON t BEGIN DELETE FROM t; END; "
      "INSERT INTO t VALUES (1)");
  EXPECT_EQ(database.value("SELECT count(*) FROM t"), 1);
}

}  // namespace
}  // namespace cutaway::database
