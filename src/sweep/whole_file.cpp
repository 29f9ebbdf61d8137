#include "sweep/whole_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include "base/error.h"

namespace cutaway::sweep {
namespace {

// Returns 0, or the error that stopped it.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return fsync(descriptor) ? errno : 0;
}

}  // namespace

void write_whole(const std::filesystem::path& path, std::string_view text) {
  const std::string temporary = fmt::format("{}.{}.part", path.string(), getpid());
  const int descriptor = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  int error = descriptor < 0 ? errno : write_all(descriptor, text);
  if (descriptor >= 0 && close(descriptor) && !error) error = errno;
  if (!error && std::rename(temporary.c_str(), path.c_str())) error = errno;
  if (!error) return;
  unlink(temporary.c_str());
  user_error("{}: cannot be written: {}", path.string(), std::strerror(error));
}

std::string read_whole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

}  // namespace cutaway::sweep
