#include "base/work_folder.h"

#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/testing/temporary_folder.h"

namespace cutaway {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST(WorkFolder, IsPrivateAndGoesWithItsOwner) {
  fs::path path;
  {
    const WorkFolder folder(temporary_folder(), "mine-", "");
    path = folder.path();
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    std::ofstream(path / "file") << "text";
    const WorkFolder other(temporary_folder(), "mine-", "");  // the first is in use
    EXPECT_TRUE(fs::exists(path / "file"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(WorkFolder, AnAbandonedOneGoesWithTheNext) {
  const fs::path parent = temporary_folder() / "abandoned";
  fs::create_directory(parent);
  if (const pid_t child = fork(); child == 0) {
    const WorkFolder folder(parent, "mine-", "");
    std::ofstream(folder.path() / "file") << "text";
    raise(SIGKILL);
  } else {
    waitpid(child, nullptr, 0);
  }
  fs::create_directory(parent / "mine-backup");        // other names
  fs::create_directory(parent / "mine-backupbackup");  // not private
  fs::create_directory_symlink("mine-backup", parent / "mine-abcdefghijkl");
  EXPECT_EQ(std::distance(fs::directory_iterator(parent), {}), 4);
  { const WorkFolder next(parent, "mine-", ""); }
  EXPECT_EQ(std::distance(fs::directory_iterator(parent), {}), 3);
}

TEST(WorkFolder, CanBeLeftBehind) {
  fs::path path;
  {
    WorkFolder folder(temporary_folder(), "kept-", "");
    path = folder.path();
    folder.keep();
  }
  EXPECT_TRUE(fs::exists(path));
}

TEST(WorkFolder, NeedsAFolderThatCanBeWritten) {
  try {
    const WorkFolder folder("/nowhere", "x-", "name another");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("/nowhere: cannot be written (No such file or directory): name another"));
  }
}

}  // namespace
}  // namespace cutaway
