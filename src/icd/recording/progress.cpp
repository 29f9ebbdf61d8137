#include "icd/recording/progress.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cutaway::icd {
namespace {

// The descriptor to write to, or -1. A program may have closed its descriptor, and the number may now belong
// to another file: then the pipe is reopened by its path.
int find_pipe() {
  const char* number = std::getenv("CUTAWAY_PROGRESS_FD");
  const char* path = std::getenv("CUTAWAY_PROGRESS_PIPE");
  const int given = number && *number ? std::atoi(number) : -1;
  struct stat pipe {
  }, at_number{};
  if (!path || !*path || ::stat(path, &pipe) != 0) return given;
  if (given >= 0 && ::fstat(given, &at_number) == 0 && at_number.st_dev == pipe.st_dev &&
      at_number.st_ino == pipe.st_ino)
    return given;
  return ::open(path, O_WRONLY | O_CLOEXEC);
}

}  // namespace

bool tell_command(std::string line) {
  static const int pipe = find_pipe();
  if (pipe < 0) return false;
  std::replace(line.begin(), line.end(), '\n', ' ');
  line += '\n';
  return write(pipe, line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

}  // namespace cutaway::icd
