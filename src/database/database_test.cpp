#include "database/database.h"

#include <array>
#include <fstream>
#include <gmock/gmock.h>
#include <unistd.h>

#include "base/error.h"

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

}  // namespace
}  // namespace cutaway::database
