#include "sweep/child.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

namespace cutaway::sweep {
namespace {

[[noreturn]] void exec(char* const* arguments, int output, int errors, int failure, pid_t parent) {
  setpgid(0, 0);  // Ctrl-C signals only the parent
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);
  const int input = open("/dev/null", O_RDONLY);
  dup2(input, STDIN_FILENO), dup2(output, STDOUT_FILENO), dup2(errors, STDERR_FILENO);
  execvp(arguments[0], arguments);
  const int error = errno;
  if (write(failure, &error, sizeof error) < 0) _exit(126);
  _exit(127);
}

std::string text_in(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status)) return "";
  std::string text(static_cast<size_t>(status.st_size), '\0');
  const ssize_t count = pread(descriptor, text.data(), text.size(), 0);
  text.resize(count < 0 ? 0 : static_cast<size_t>(count));
  return text;
}

}  // namespace

Child::Child(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& text : command) arguments.push_back(const_cast<char*>(text.c_str()));
  arguments.push_back(nullptr);
  int failure[2];
  output_ = memfd_create("output", MFD_CLOEXEC), errors_ = memfd_create("errors", MFD_CLOEXEC);
  if (output_ < 0 || errors_ < 0 || pipe2(failure, O_CLOEXEC))
    user_error("{}: cannot be started: {}", command[0], std::strerror(errno));
  std::fflush(nullptr);
  const pid_t self = getpid();
  pid_ = fork();
  if (pid_ == 0) exec(arguments.data(), output_, errors_, failure[1], self);
  int error = pid_ < 0 ? errno : 0;
  close(failure[1]);
  const bool failed = pid_ < 0 || read(failure[0], &error, sizeof error) == sizeof error;
  close(failure[0]);
  if (!failed && (pidfd_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0))) >= 0) return;
  if (!failed) error = errno;
  Child ended(std::move(*this));  // destroyed even if the constructor throws
  user_error("{}: cannot be started: {}", command[0], std::strerror(error));
}

Child::Child(Child&& other) noexcept { swap(other); }
Child& Child::operator=(Child&& other) noexcept {
  swap(other);
  return *this;
}

void Child::swap(Child& other) noexcept {
  std::swap(pid_, other.pid_), std::swap(pidfd_, other.pidfd_);
  std::swap(output_, other.output_), std::swap(errors_, other.errors_);
}

Child::~Child() {
  if (pid_ > 0) {
    kill(-pid_, SIGKILL);
    kill(pid_, SIGKILL);
    wait();
  }
  for (const int descriptor : {pidfd_, output_, errors_})
    if (descriptor >= 0) close(descriptor);
}

int Child::wait() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
  pid_ = -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string Child::output() const { return text_in(output_); }
std::string Child::errors() const { return text_in(errors_); }

}  // namespace cutaway::sweep
