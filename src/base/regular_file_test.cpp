#include "base/regular_file.h"

#include <fstream>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.h"
#include "base/testing/temporary_folder.h"

namespace cutaway {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string error_of(const fs::path& path, uint64_t most_bytes = 1000) {
  try {
    RegularFile(path, "name another").text(most_bytes);
  } catch (const UserError& error) { return error.what(); }
  return "";
}

TEST(RegularFile, IsReadWholeAndInParts) {
  const fs::path path = temporary_folder() / "regular";
  std::ofstream(path) << "0123456789";
  const RegularFile file(path, "");
  EXPECT_EQ(file.size(), 10u);
  EXPECT_EQ(file.text(10), "0123456789");
  char some[4];
  EXPECT_EQ(file.read(3, some, 4), 4u);
  EXPECT_EQ(std::string(some, 4), "3456");
  EXPECT_EQ(file.read(8, some, 4), 2u);  // fewer at the end
  EXPECT_EQ(file.read(20, some, 4), 0u);
  EXPECT_THAT(error_of(path, 9), HasSubstr("more than 9 bytes"));
}

TEST(RegularFile, ReadsFilesThatStateNoSize) {
  EXPECT_THAT(read_whole("/proc/self/status"), HasSubstr("Pid:"));
  EXPECT_THAT(error_of("/proc/self/status", 9), HasSubstr("more than 9 bytes"));
}

// None of these waits for another process.
TEST(RegularFile, RefusesEverythingElse) {
  const fs::path folder = temporary_folder();
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  (folder / "socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  close(descriptor);
  fs::create_symlink("pipe", folder / "link");
  EXPECT_THAT(error_of(folder / "pipe"), HasSubstr("pipe: not a file but a pipe: name another"));
  EXPECT_THAT(error_of(folder / "link"), HasSubstr("not a file but a pipe"));
  EXPECT_THAT(error_of(folder / "socket"), HasSubstr("not a file but a socket"));
  EXPECT_THAT(error_of(folder), HasSubstr("not a file but a folder"));
  EXPECT_THAT(error_of("/dev/zero"), HasSubstr("not a file but a device"));
  EXPECT_THAT(error_of(folder / "none"), HasSubstr("none: cannot be opened (No such file or directory)"));
  EXPECT_EQ(read_whole(folder / "pipe"), "");
}

}  // namespace
}  // namespace cutaway
