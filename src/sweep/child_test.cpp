#include "sweep/child.h"

#include <csignal>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include "sweep/program.h"
#include "sweep/testing/sweep_files.h"

namespace cutaway::sweep {
namespace {

using ::testing::HasSubstr;

TEST(Child, ToldByItsEndAndItsOutput) {
  const ProgramOutput result = run_program({"sh", "-c", "echo out; echo a >&2; echo 'b ' >&2; exit 3"}, "");
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.last_error(), "b");
  EXPECT_EQ(run_program({"sh", "-c", "kill -TERM $$"}, "").code, 128 + SIGTERM);
}

TEST(Child, ThatDoesNotExist) {
  const std::string error = error_of([] { run_program({"no-such-program"}, "install it"); });
  EXPECT_THAT(error, HasSubstr("no-such-program: cannot be started: No such file"));
  EXPECT_THAT(error, HasSubstr("install it"));
}

TEST(Child, WordsOfAShell) {
  for (const std::string word : {"plain", "two words", "it's", "$(false) `x` \"y\" \\", ""})
    EXPECT_EQ(run_program({"sh", "-c", "printf %s " + shell_word(word)}, "").output, word);
}

TEST(Child, GoesWithItsOwner) {
  const std::string file = fresh_folder("child") / "alive";
  { Child child({"sh", "-c", "sleep 0.3; touch " + file}); }
  run_program({"sleep", "0.5"}, "");
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(Child, GoesWithItsOwnerHoweverThatEnds) {
  const std::string folder = fresh_folder("child");
  const pid_t owner = fork();
  if (owner == 0) {
    Child child({"sh", "-c", "touch " + folder + "/began; sleep 0.3; touch " + folder + "/alive"});
    while (!std::filesystem::exists(folder + "/began")) usleep(1000);
    raise(SIGKILL);
  }
  waitpid(owner, nullptr, 0);
  EXPECT_TRUE(std::filesystem::exists(folder + "/began"));
  run_program({"sleep", "0.5"}, "");
  EXPECT_FALSE(std::filesystem::exists(folder + "/alive"));
}

}  // namespace
}  // namespace cutaway::sweep
