#include "launch/process.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "base/error.h"
#include "launch/program_watch.h"

namespace cutaway::launch {
namespace {

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

std::string ProgramEnd::text() const {
  if (signal) return fmt::format("was ended by signal {} ({})", signal, strsignal(signal));
  return fmt::format("ended with exit code {}", code);
}

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
  int failure[2], report[2], control[2];
  for (int* pipe : {failure, report, control})
    if (pipe2(pipe, O_CLOEXEC)) user_error("{}: cannot make a pipe: {}", path, std::strerror(errno));
  watcher_ = fork();
  if (watcher_ == 0) {
    close(control[1]);
    watch_program({.path = path.c_str(),
                   .arguments = argv.data(),
                   .environment = envp.data(),
                   .keep_open = start.keep_open,
                   .error_output = start.error_output,
                   .quiet = start.quiet,
                   .failure = failure[1],
                   .report = report[1],
                   .control = control[0]});
  }
  for (const int descriptor : {failure[1], report[1], control[0]}) close(descriptor);
  control_ = control[1], report_ = report[0];
  int error = watcher_ < 0 ? errno : 0;
  const bool failed = watcher_ < 0 || read(failure[0], &error, sizeof error) == sizeof error;
  close(failure[0]);
  if (failed) {
    end();
    user_error("{}: cannot be run: {}", path, std::strerror(error));
  }
}

Process::~Process() { end(); }

void Process::read_end(bool block) {
  pollfd poller{report_, POLLIN, 0};
  while (!ended_ && (poll(&poller, 1, block ? -1 : 0) > 0 || block)) {
    int status = SIGKILL;  // if the watcher was killed, so is its program
    if (read(report_, &status, sizeof status) < 0) continue;
    ended_ = true;
    if (WIFSIGNALED(status)) end_.signal = WTERMSIG(status);
    else end_.code = WEXITSTATUS(status);
  }
}

bool Process::ended() {
  read_end(false);
  return ended_;
}

ProgramEnd Process::wait() {
  read_end(true);
  return end_;
}

void Process::end() {
  if (control_ < 0) return;
  close(std::exchange(control_, -1));
  if (watcher_ > 0)
    while (waitpid(watcher_, nullptr, 0) < 0 && errno == EINTR) {}
  read_end(false);
  ended_ = true;
  close(std::exchange(report_, -1));
}

}  // namespace cutaway::launch
