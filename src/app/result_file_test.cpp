#include "app/result_file.h"

#include <gtest/gtest.h>

#include "base/regular_file.h"
#include "base/testing/temporary_folder.h"

namespace cutaway::app {
namespace {

namespace fs = std::filesystem;

class ResultFileTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  // Keeps the file. Returns the lines that this writes to standard error.
  static std::string keep(ResultFile& file) {
    testing::internal::CaptureStderr();
    file.keep();
    return testing::internal::GetCapturedStderr();
  }

  fs::path folder_ = temporary_folder() / "result_file", path_ = folder_ / "life.svg";
};

TEST_F(ResultFileTest, TheLastOfTwoWritersSaysThatItReplacesTheOther) {
  ResultFile first(path_), second(path_);
  first.append("first");
  second.append("second");
  EXPECT_EQ(keep(first), "");
  EXPECT_EQ(read_whole(path_), "first");
  EXPECT_EQ(keep(second),
            "cutaway: " + path_.string() + ": another command wrote this file meanwhile; it is replaced\n");
  EXPECT_EQ(read_whole(path_), "second");
}

TEST_F(ResultFileTest, WritersInTurnSayNothing) {
  for (const char* text : {"first", "second"}) {
    ResultFile file(path_);
    file.append(text);
    EXPECT_EQ(keep(file), "");
    EXPECT_EQ(read_whole(path_), text);
  }
}

TEST_F(ResultFileTest, AChangeOfAFileThatWasThereIsNoticed) {
  write_whole(path_, "before");
  const FileStamp stamp(path_);
  EXPECT_FALSE(stamp.is_outdated());
  write_whole(path_, "before");  // the same contents in another file
  EXPECT_TRUE(stamp.is_outdated());
}

TEST_F(ResultFileTest, AFileThatIsGoneIsNotReplaced) {
  write_whole(path_, "before");
  const FileStamp stamp(path_);
  fs::remove(path_);
  EXPECT_FALSE(stamp.is_outdated());
}

}  // namespace
}  // namespace cutaway::app
