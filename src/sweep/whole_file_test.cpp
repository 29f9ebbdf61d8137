#include "sweep/whole_file.h"

#include <csignal>
#include <gmock/gmock.h>
#include <sys/resource.h>

#include "sweep/testing/sweep_files.h"

namespace cutaway::sweep {
namespace {

using ::testing::HasSubstr;

TEST(WholeFile, IsThereWholeOrNotAtAll) {
  const std::filesystem::path folder = fresh_folder("whole"), path = folder / "file";
  write_whole(path, "before");
  rlimit usual{}, small{4096, 0};
  getrlimit(RLIMIT_FSIZE, &usual);
  small.rlim_max = usual.rlim_max;
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string error = error_of([&] { write_whole(path, std::string(5000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &usual);
  EXPECT_THAT(error, HasSubstr("file: cannot be written: File too large"));
  EXPECT_EQ(read_whole(path), "before");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  write_whole(path, std::string(5000, 'x'));
  EXPECT_EQ(read_whole(path).size(), 5000u);
}

TEST(WholeFile, ErrorsNameTheFile) {
  EXPECT_THAT(error_of([] { write_whole("/nowhere/file", ""); }),
              HasSubstr("/nowhere/file: cannot be written: No such"));
  EXPECT_EQ(read_whole("/nowhere/file"), "");
}

}  // namespace
}  // namespace cutaway::sweep
