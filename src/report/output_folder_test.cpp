#include "report/output_folder.h"

#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

namespace cutaway::report {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::ThrowsMessage;

class Folder : public testing::Test {
 protected:
  Folder() : root_(fs::temp_directory_path() / fmt::format("cutaway_folder_{}", getpid())) {
    fs::create_directory(root_);
  }
  ~Folder() override { fs::remove_all(root_); }

  void file(const fs::path& name, std::string_view text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  std::string text(const fs::path& name) const {
    std::ostringstream all;
    all << std::ifstream(root_ / name).rdbuf();
    return all.str();
  }
  // All files except those of running commands.
  std::vector<std::string> files(const fs::path& below = "") const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(root_ / below)) {
      const std::string name = fs::relative(entry.path(), root_ / below);
      if (entry.is_regular_file() && !name.starts_with(".cutaway-")) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  std::vector<std::string> staging() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(root_))
      if (const std::string name = entry.path().filename(); name.starts_with(".cutaway-"))
        names.push_back(name);
    return names;
  }
  // A command that wrote these pictures.
  void command(const std::vector<std::string>& pictures) const {
    OutputFolder out(root_);
    for (const std::string& picture : pictures) out.write(picture, "new " + picture);
    out.commit();
  }

  fs::path root_;
};

TEST_F(Folder, NothingIsLeftWithoutCommit) {
  {
    const OutputFolder out(root_ / "a/b");
    out.write("frames/1.txt", "x");
  }
  EXPECT_TRUE(fs::is_empty(root_));
}

TEST_F(Folder, ExistingFilesStayWithoutCommit) {
  file("mine", "x");
  { OutputFolder(root_).write("summary.json", "{}"); }
  EXPECT_THAT(files(), ElementsAre("mine"));
}

TEST_F(Folder, FilesOfOtherCommandsStay) {
  {
    const OutputFolder out(root_ / "a/b");
    file("a/mine", "x");
  }
  EXPECT_THAT(files(), ElementsAre("a/mine"));
}

TEST_F(Folder, ReplacesOnlyEarlierPictures) {
  file("frames/mine.png", "mine"), file("frames/0077.png", "mine"), file("frames/notes.txt", "mine");
  command({"frames/0001.png", "frames/0009.png", "primitives/0001.png"});
  command({"frames/0002.png"});
  EXPECT_THAT(files("frames"), ElementsAre("0002.png", "0077.png", "mine.png", "notes.txt"));
  EXPECT_THAT(files("primitives"), ElementsAre("0001.png"));
  command({"frames/0003.png", "primitives/0003.png"});
  EXPECT_THAT(files("frames"), ElementsAre("0003.png", "0077.png", "mine.png", "notes.txt"));
  EXPECT_THAT(files("primitives"), ElementsAre("0003.png"));
  EXPECT_EQ(text("frames/0077.png"), "mine");
}

TEST_F(Folder, APictureOfTheSameNameIsReplaced) {
  file("frames/0001.png", "old");
  command({"frames/0001.png"});
  EXPECT_EQ(text("frames/0001.png"), "new frames/0001.png");
}

TEST_F(Folder, AlteredListNamesOnlyPictures) {
  for (const char* name : {"mine.png", "frames/mine.png", "frames/below/1.png"}) file(name, "mine");
  file("out/.pictures", "../mine.png\nframes/../../mine.png\nframes/mine.png\n/etc/passwd\n\n.png\n");
  const auto before = files();
  {
    OutputFolder out(root_ / "out");
    out.write("frames/1.png", "new");
    out.commit();
  }
  auto expected = before;
  expected.emplace_back("out/frames/1.png");
  EXPECT_THAT(files(), testing::UnorderedElementsAreArray(expected));
}

TEST_F(Folder, AllMovesOrNothing) {
  command({"frames/0001.png"});
  file("summary.json/mine", "a folder where a file is to go");
  const auto before = files();
  {
    OutputFolder out(root_);
    out.write("frames/0001.png", "other");
    out.write("frames/0002.png", "other");
    out.write("primitives/0001.png", "other");
    out.write("summary.json", "{}");
    EXPECT_THAT([&] { out.commit(); }, ThrowsMessage<UserError>(HasSubstr("summary.json")));
  }
  EXPECT_EQ(files(), before);
  EXPECT_EQ(text("frames/0001.png"), "new frames/0001.png");
  EXPECT_FALSE(fs::exists(root_ / "primitives"));
}

TEST_F(Folder, AFileWhereAFolderIsToGo) {
  file("frames", "mine");
  OutputFolder out(root_);
  out.write("frames/0001.png", "new");
  EXPECT_THAT([&] { out.commit(); }, ThrowsMessage<UserError>(HasSubstr("frames")));
  EXPECT_EQ(text("frames"), "mine");
}

// Forks a process that creates the folder, writes into it, and is killed.
void killed_command(const fs::path& root) {
  const pid_t pid = fork();
  if (pid == 0) {
    const OutputFolder out(root);
    out.write("frames/0001.png", "half");
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
}

TEST_F(Folder, NextCommandRemovesKilledLeftovers) {
  killed_command(root_);
  EXPECT_THAT(staging(), SizeIs(1));
  command({"frames/0002.png"});
  EXPECT_THAT(staging(), IsEmpty());
  EXPECT_THAT(files(), ElementsAre(".pictures", "frames/0002.png"));
}

TEST_F(Folder, KeepsFilesOfRunningCommands) {
  OutputFolder other(root_);
  other.write("frames/0001.png", "other");
  command({"frames/0002.png"});
  EXPECT_THAT(staging(), SizeIs(1));
  other.commit();
  EXPECT_EQ(text("frames/0001.png"), "other");
  EXPECT_THAT(staging(), IsEmpty());
}

TEST_F(Folder, ASymbolicLinkOfSuchANameIsLeftAlone) {
  file("elsewhere/mine", "x");
  fs::create_directory_symlink(root_ / "elsewhere", root_ / ".cutaway-link");
  command({"frames/0001.png"});
  EXPECT_EQ(text("elsewhere/mine"), "x");
  EXPECT_TRUE(fs::is_symlink(root_ / ".cutaway-link"));
}

TEST_F(Folder, AFileMayGrowPieceByPiece) {
  {
    OutputFolder out(root_);
    StagedFile file(out, "a.json");
    file.append("first, ");
    file.append("second");
    EXPECT_THAT(files(), IsEmpty());
    file.close();
    out.commit();
  }
  EXPECT_EQ(text("a.json"), "first, second");
  OutputFolder out(root_);
  fs::create_symlink("/dev/full", out.staged("b.json"));
  StagedFile full(out, "b.json");
  const auto write = [&] {
    full.append("more");
    full.close();
  };
  EXPECT_THAT(write, ThrowsMessage<UserError>(
                         HasSubstr((root_ / "b.json").string() + ": cannot be written (No space")));
}

}  // namespace
}  // namespace cutaway::report
