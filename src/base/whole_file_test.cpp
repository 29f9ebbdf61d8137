#include "base/whole_file.h"

#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/regular_file.h"
#include "base/testing/temporary_folder.h"

namespace cutaway {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class WholeFileTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), {}); }
  static std::string error_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const UserError& error) { return error.what(); }
    return "";
  }

  fs::path folder_ = temporary_folder() / "whole", path_ = folder_ / "file";
};

TEST_F(WholeFileTest, IsThereWholeOrNotAtAll) {
  write_whole(path_, "before");
  rlimit usual{}, small{4096, 0};
  getrlimit(RLIMIT_FSIZE, &usual);
  small.rlim_max = usual.rlim_max;
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string error = error_of([&] { write_whole(path_, std::string(5000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &usual);
  EXPECT_THAT(error, HasSubstr("file: cannot be written (File too large): make room on the disk"));
  EXPECT_EQ(read_whole(path_), "before");
  EXPECT_EQ(files(), 1);
  write_whole(path_, std::string(5000, 'x'));
  EXPECT_EQ(read_whole(path_).size(), 5000u);
}

TEST_F(WholeFileTest, TheTemporaryFileIsBesideItAndGoesWithoutCommit) {
  {
    WholeFile file(path_);
    file.append("half");
    EXPECT_TRUE(WholeFile::is_temporary(file.temporary(), path_));
    EXPECT_EQ(read_whole(file.temporary()), "half");
    EXPECT_EQ(file.temporary().parent_path(), folder_);
  }
  EXPECT_EQ(files(), 0);
}

TEST_F(WholeFileTest, FilesAndLinksOfSimilarNamesStay) {
  write_whole(folder_ / "victim", "precious");
  fs::create_symlink("victim", folder_ / "file.part");
  fs::create_symlink("victim", path_);
  write_whole(folder_ / "other.part", "mine");
  write_whole(path_, "new");
  write_whole(folder_ / "other", "new");
  EXPECT_EQ(read_whole(folder_ / "victim"), "precious");
  EXPECT_TRUE(fs::is_symlink(folder_ / "file.part"));
  EXPECT_FALSE(fs::is_symlink(path_));  // the link itself is replaced
  EXPECT_EQ(read_whole(path_), "new");
  EXPECT_EQ(read_whole(folder_ / "other.part"), "mine");
}

TEST_F(WholeFileTest, OfTwoWritersTheLastToCommitWins) {
  WholeFile first(path_), second(path_);
  first.append("first");
  second.append("second, which is longer");
  EXPECT_NE(first.temporary(), second.temporary());
  second.commit();
  EXPECT_EQ(read_whole(path_), "second, which is longer");
  first.append(" and whole");
  first.commit();
  EXPECT_EQ(read_whole(path_), "first and whole");
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFileTest, ACommitRemovesWhatKilledWritersLeft) {
  write_whole(folder_ / "file.abcdefgh.part", "left by a writer that was killed");
  write_whole(folder_ / "file.abcdefgh.part-journal", "of a database that was killed");
  write_whole(folder_ / "other.abcdefgh.part-journal", "of another path");
  write_whole(folder_ / "other.abcdefgh.part", "of another path");
  fs::create_symlink("other.abcdefgh.part", folder_ / "file.bcdefghi.part");
  fs::create_directory(folder_ / "file.cdefghij.part");
  const WholeFile at_work(path_), continued(path_, folder_ / "other.abcdefgh.part");
  write_whole(path_, "whole");
  EXPECT_FALSE(fs::exists(folder_ / "file.abcdefgh.part"));
  EXPECT_FALSE(fs::exists(folder_ / "file.abcdefgh.part-journal"));
  EXPECT_TRUE(fs::exists(folder_ / "other.abcdefgh.part-journal"));
  EXPECT_TRUE(fs::exists(folder_ / "other.abcdefgh.part"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "file.bcdefghi.part"));
  EXPECT_TRUE(fs::is_directory(folder_ / "file.cdefghij.part"));
  EXPECT_TRUE(fs::exists(at_work.temporary()));
}

TEST_F(WholeFileTest, MovesWithItsTemporaryFile) {
  WholeFile file(path_);
  file.append("a");
  file.move_to(folder_ / "elsewhere");
  EXPECT_TRUE(WholeFile::is_temporary(file.temporary(), folder_ / "elsewhere"));
  file.append("b");
  file.commit();
  EXPECT_EQ(read_whole(folder_ / "elsewhere"), "ab");
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFileTest, ContinuesWhatAnotherLeft) {
  std::ofstream(folder_ / "left") << "one, half";
  {
    WholeFile file(path_, folder_ / "left");
    EXPECT_EQ(file.size(), 9u);
    file.truncate(5);
  }
  EXPECT_EQ(read_whole(folder_ / "left"), "one, ");  // stays
  WholeFile file(path_, folder_ / "left");
  file.append("two");
  file.commit();
  EXPECT_EQ(read_whole(path_), "one, two");
  fs::create_symlink("file", folder_ / "link");
  EXPECT_THAT(error_of([&] { WholeFile(path_, folder_ / "link"); }), HasSubstr("cannot be continued"));
}

TEST_F(WholeFileTest, ErrorsNameTheFile) {
  EXPECT_THAT(error_of([] { write_whole("/nowhere/file", ""); }),
              HasSubstr("/nowhere/file: cannot be created (No such file or directory)"));
  EXPECT_EQ(read_whole("/nowhere/file"), "");
}

TEST_F(WholeFileTest, ReplacesFilesOnly) {
  EXPECT_THAT(error_of([&] { WholeFile file(folder_); }), HasSubstr("but a folder"));
  EXPECT_THAT(error_of([] { WholeFile file("/dev/null"); }), HasSubstr("but a device"));
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(error_of([&] { WholeFile file(folder_ / "pipe"); }), HasSubstr("but a pipe"));
}

TEST_F(WholeFileTest, NamesOfAnyLength) {
  const fs::path longest = folder_ / std::string(255, 'n');
  write_whole(longest, "text");
  EXPECT_EQ(read_whole(longest), "text");
  EXPECT_THAT(error_of([&] { WholeFile file(folder_ / std::string(256, 'n')); }), HasSubstr("too long"));
  EXPECT_THAT(error_of([&] { WholeFile file(longest / "below"); }), HasSubstr("Not a directory"));
  const fs::path here = fs::current_path();
  fs::current_path(folder_);
  write_whole("plain", "text");
  fs::current_path(here);
  EXPECT_EQ(read_whole(folder_ / "plain"), "text");
}

TEST_F(WholeFileTest, NamesOfTemporaryFiles) {
  EXPECT_TRUE(WholeFile::is_temporary("a/file.abcdefgh.part", "file"));
  for (const char* name :
       {"file.part", "file.abcdefg.part", "file.abcdefg1.part", "file.device2.abcdefgh.part",
        "other.abcdefgh.part", "file.abcdefgh.par", "file", ""})
    EXPECT_FALSE(WholeFile::is_temporary(name, "file")) << name;
}

}  // namespace
}  // namespace cutaway
