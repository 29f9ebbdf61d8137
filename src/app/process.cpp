#include "app/process.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <signal.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "base/error.h"

namespace cutaway::app {
namespace {

int shell_status(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void become(const char* path, char* const* arguments, char* const* environment, bool quiet,
                         int failure) {
  setpgid(0, 0);
  if (quiet) {
    const int null = open("/dev/null", O_RDWR);
    dup2(null, 1);
    dup2(null, 2);
  }
  execve(path, arguments, environment);
  const int error = errno;
  [[maybe_unused]] const auto written = write(failure, &error, sizeof error);
  _exit(127);
}

std::vector<std::string> merged_environment(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry; entry++) {
    const std::string text = *entry;
    if (!changes.contains(text.substr(0, text.find('=')))) result.push_back(text);
  }
  for (const auto& [name, value] : changes)
    if (!value.empty()) result.push_back(name + "=" + value);
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& text : strings) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

std::string find_program(const std::string& name) {
  namespace fs = std::filesystem;
  const auto runnable = [](const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != name.npos) return runnable(name) ? name : "";
  const char* path = std::getenv("PATH");
  std::string rest = path ? path : "/usr/bin:/bin";
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    const fs::path candidate = fs::path(rest.substr(0, colon)) / name;
    if (runnable(candidate)) return candidate;
    rest = colon == rest.npos ? "" : rest.substr(colon + 1);
  }
  return "";
}

Process::Process(const Start& start) {
  CUTAWAY_CHECK(!start.command.empty());
  const std::string path = find_program(start.command[0]);
  if (path.empty()) user_error("{}: program not found; give its path or install it", start.command[0]);

  std::vector<std::string> arguments = start.command, environment = merged_environment(start.environment);
  const std::vector<char*> argv = pointers(arguments), envp = pointers(environment);
  int failure[2];
  if (pipe2(failure, O_CLOEXEC)) user_error("{}: cannot make a pipe: {}", path, std::strerror(errno));
  for (int descriptor : start.keep_open) fcntl(descriptor, F_SETFD, 0);
  pid_ = fork();
  if (pid_ == 0) become(path.c_str(), argv.data(), envp.data(), start.quiet, failure[1]);
  for (int descriptor : start.keep_open) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  close(failure[1]);
  if (pid_ < 0) {
    close(failure[0]);
    user_error("{}: cannot start a process: {}", path, std::strerror(errno));
  }
  int error = 0;
  const bool failed = read(failure[0], &error, sizeof error) == sizeof error;
  close(failure[0]);
  if (failed) {
    waitpid(pid_, nullptr, 0);
    ended_ = true;
    user_error("{}: cannot be run: {}", path, std::strerror(error));
  }
}

Process::~Process() { end(); }

bool Process::ended() {
  if (!ended_ && waitpid(pid_, &status_, WNOHANG) == pid_) ended_ = true;
  return ended_;
}

int Process::wait() {
  while (!ended_) {
    if (waitpid(pid_, &status_, 0) == pid_) ended_ = true;
    else if (errno != EINTR) break;
  }
  return shell_status(status_);
}

void Process::end() {
  if (pid_ < 0) return;
  if (!ended()) {
    kill(-pid_, SIGTERM);
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    while (!ended() && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(-pid_, SIGKILL);  // whatever of the group is left
  wait();
}

}  // namespace cutaway::app
