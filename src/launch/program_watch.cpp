#include "launch/program_watch.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <string>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace cutaway::launch {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(int failure) {
  const int error = errno;
  [[maybe_unused]] const auto written = write(failure, &error, sizeof error);
  _exit(127);
}

// Runs between fork and exec: only async-signal-safe calls.
[[noreturn]] void become(const ProgramWatch& watch, pid_t watcher, const sigset_t& signals) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != watcher) _exit(127);
  for (const int descriptor : watch.keep_open) fcntl(descriptor, F_SETFD, 0);
  if (watch.error_output >= 0) dup2(watch.error_output, STDERR_FILENO);
  if (watch.quiet) {
    const int null = open("/dev/null", O_RDWR);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
  }
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  execve(watch.path, watch.arguments, watch.environment);
  fail(watch.failure);
}

// Closes inherited files, which the watcher would otherwise keep in use.
void close_others(int first, int second) {
  const int null = open("/dev/null", O_RDWR);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(null, standard);
  const auto low = static_cast<unsigned>(std::min(first, second)),
             high = static_cast<unsigned>(std::max(first, second));
  if (low > 3) close_range(3, low - 1, 0);
  if (high > low + 1) close_range(low + 1, high - 1, 0);
  close_range(high + 1, ~0u, 0);
}

// A process's parent, from /proc/PID/stat: "PID (name) state parent ...".
pid_t parent_of(const std::filesystem::path& process) {
  std::ifstream file(process / "stat");
  std::string text;
  std::getline(file, text);
  const size_t name_end = text.rfind(')');
  if (name_end == text.npos || name_end + 4 >= text.size()) return -1;
  return static_cast<pid_t>(std::strtol(text.c_str() + name_end + 4, nullptr, 10));
}

// Orphaned descendants have become children of this process.
void signal_children(int signal) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const auto pid = static_cast<pid_t>(std::strtol(entry.path().filename().c_str(), nullptr, 10));
    if (pid > 0 && parent_of(entry.path()) == getpid()) kill(pid, signal);
  }
}

// Returns false if no child remains.
bool reap() {
  pid_t pid = 0;
  do pid = waitpid(-1, nullptr, WNOHANG);
  while (pid > 0);
  return pid == 0 || errno != ECHILD;
}

template <class Attempt>
bool reap_all(std::chrono::seconds patience, Attempt&& attempt) {
  for (const auto until = Clock::now() + patience; Clock::now() < until;) {
    attempt();
    if (!reap()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

void end_all(pid_t program) {
  constexpr std::chrono::seconds kPatience{2};
  kill(-program, SIGTERM);
  signal_children(SIGTERM);
  if (reap_all(kPatience, [] {})) return;
  reap_all(kPatience, [&] {
    kill(-program, SIGKILL);
    signal_children(SIGKILL);
  });
}

// Waits until `control` ends. The program stays a zombie, so that its process id is not reused.
void wait_for_end(pid_t program, const ProgramWatch& watch) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  const int signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  for (bool told = false;;) {
    siginfo_t info{};
    if (!told && waitid(P_PID, static_cast<id_t>(program), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == program) {
      const int status = info.si_code == CLD_EXITED ? W_EXITCODE(info.si_status, 0) : info.si_status;
      told = write(watch.report, &status, sizeof status) == sizeof status;
    }
    pollfd pollers[] = {{watch.control, POLLIN, 0}, {signals, POLLIN, 0}};
    poll(pollers, 2, -1);
    if (pollers[0].revents) return;
    signalfd_siginfo taken;
    while (read(signals, &taken, sizeof taken) > 0) {}
  }
}

}  // namespace

void watch_program(const ProgramWatch& watch) noexcept {
  setpgid(0, 0);  // out of reach of the terminal, and of signals to the command's group
  prctl(PR_SET_NAME, "program-watch");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  const pid_t self = getpid(), program = fork();
  if (program == 0) become(watch, self, before);
  if (program < 0) fail(watch.failure);
  setpgid(program, program);  // both processes call this; either may be first
  close_others(watch.control, watch.report);
  wait_for_end(program, watch);
  end_all(program);
  _exit(0);
}

}  // namespace cutaway::launch
