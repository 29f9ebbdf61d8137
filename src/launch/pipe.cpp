#include "launch/pipe.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include "base/error.h"

namespace cutaway::launch {

Pipe::Pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) user_error("cannot make a pipe: {}", std::strerror(errno));
  read_ = ends[0], write_ = ends[1];
  fcntl(read_, F_SETFL, O_NONBLOCK);
}

Pipe::~Pipe() {
  if (read_ >= 0) close(read_);
  close_write();
}

void Pipe::close_write() {
  if (write_ >= 0) close(std::exchange(write_, -1));
}

std::string Pipe::take() {
  std::string text;
  while (read_ >= 0) {
    char buffer[4096];
    const ssize_t count = read(read_, buffer, sizeof buffer);
    if (count > 0) text.append(buffer, static_cast<size_t>(count));
    else if (count == 0 || (errno != EINTR && errno != EAGAIN)) close(std::exchange(read_, -1));
    else if (errno == EAGAIN) break;
  }
  return text;
}

}  // namespace cutaway::launch
