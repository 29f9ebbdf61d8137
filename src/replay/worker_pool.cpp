#include "replay/worker_pool.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "base/error.h"

namespace cutaway::replay {
namespace {

constexpr int kNoMemory = 12;  // exit status after running out of memory: nothing is sent
constexpr char kProgress = 'p', kResult = 'r', kUserError = 'u', kInternalError = 'i', kText = 't';

struct Header {
  uint64_t kind = 0, bytes = 0;
};
struct ProgressMessage {
  uint64_t value = 0;
  double share = 0;
};

void send(int descriptor, char kind, const std::string& bytes) {
  const Header header{static_cast<uint64_t>(kind), bytes.size()};
  std::string whole(reinterpret_cast<const char*>(&header), sizeof header);
  whole += bytes;
  for (size_t done = 0; done < whole.size();) {
    const ssize_t count = write(descriptor, whole.data() + done, whole.size() - done);
    if (count < 0 && errno != EINTR) _exit(1);  // the parent is gone
    if (count > 0) done += static_cast<size_t>(count);
  }
}

[[noreturn]] void work_in_child(const WorkerPool::Work& work, int descriptor, pid_t parent) {
  leave_interrupts_to_parent();  // the parent may notice them later than this process
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  const WorkerChannel channel(descriptor);
  try {
    send(descriptor, kResult, work(channel));
  } catch (const UserError& error) {
    send(descriptor, kUserError, error.what());
  } catch (const std::bad_alloc&) { _exit(kNoMemory); } catch (const std::exception& error) {
    send(descriptor, kInternalError, error.what());
  }
  _exit(0);  // skips cleanup of the parent's objects
}

}  // namespace

void WorkerChannel::progress(uint64_t value, double share) const {
  const ProgressMessage message{value, share};
  send(descriptor_, kProgress, std::string(reinterpret_cast<const char*>(&message), sizeof message));
}

void WorkerChannel::tell(char kind, const std::string& text) const { send(descriptor_, kText, kind + text); }

WorkerPool::WorkerPool(unsigned jobs, Events events) : jobs_(jobs), events_(std::move(events)) {
  CUTAWAY_CHECK(jobs_ > 0);
}

WorkerPool::~WorkerPool() {
  for (const auto& [descriptor, worker] : workers_) {
    kill(worker.pid, SIGKILL);
    waitpid(worker.pid, nullptr, 0);
    close(descriptor);
  }
}

void WorkerPool::start(uint64_t item, const Work& work) {
  while (workers_.size() >= jobs_) receive(200);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) user_error("cannot make a pipe: {}", std::strerror(errno));
  std::fflush(nullptr);
  const pid_t self = getpid(), pid = fork();
  if (pid == 0) {
    close(ends[0]);
    work_in_child(work, ends[1], self);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    user_error("cannot start a process: {}; use fewer --jobs", std::strerror(errno));
  }
  workers_[ends[0]] = {item, pid, {}};
}

void WorkerPool::wait() {
  while (!workers_.empty()) receive(200);
}

void WorkerPool::wait_until(const std::function<bool()>& enough) {
  while (!enough() && !workers_.empty()) receive(200);
}

void WorkerPool::receive(int milliseconds) {
  end_if_interrupted();
  if (events_.on_tick) events_.on_tick();
  std::vector<pollfd> pollers;
  for (const auto& [descriptor, worker] : workers_) pollers.push_back({descriptor, POLLIN, 0});
  if (::poll(pollers.data(), pollers.size(), milliseconds) <= 0) return;
  for (const pollfd& poller : pollers) {
    if (!poller.revents || take(poller.fd)) continue;
    const Worker worker = std::move(workers_[poller.fd]);
    workers_.erase(poller.fd);
    close(poller.fd);
    finish(worker);
  }
}

bool WorkerPool::take(int descriptor) {
  char buffer[65536];
  const ssize_t count = read(descriptor, buffer, sizeof buffer);
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  if (count == 0) return false;
  Worker& worker = workers_[descriptor];
  worker.received.append(buffer, static_cast<size_t>(count));
  handle(worker);
  return true;
}

void WorkerPool::handle(Worker& worker) {
  Header header;
  while (worker.received.size() >= sizeof header) {
    std::memcpy(&header, worker.received.data(), sizeof header);
    if (worker.received.size() - sizeof header < header.bytes) return;
    std::string bytes = worker.received.substr(sizeof header, header.bytes);
    worker.received.erase(0, sizeof header + header.bytes);
    switch (static_cast<char>(header.kind)) {
      case kProgress: {
        ProgressMessage message;
        std::memcpy(&message, bytes.data(), sizeof message);
        if (events_.on_progress) events_.on_progress(worker.item, message.value, message.share);
        break;
      }
      case kText:
        if (events_.on_text) events_.on_text(worker.item, bytes.at(0), bytes.substr(1));
        break;
      case kResult:
        ended_[worker.item] = true;
        events_.on_result(worker.item, std::move(bytes));
        break;
      case kUserError:
        throw UserError(bytes);
      default:
        throw InternalError(fmt::format("frame {}: {}", worker.item, bytes));
    }
  }
}

void WorkerPool::finish(const Worker& worker) {
  int status = 0;
  while (waitpid(worker.pid, &status, 0) < 0 && errno == EINTR) {}
  if (WIFSIGNALED(status))
    throw InternalError(fmt::format("frame {}: the simulating process ended by signal {} ({})", worker.item,
                                    WTERMSIG(status), strsignal(WTERMSIG(status))));
  if (WEXITSTATUS(status) == kNoMemory)
    user_error("frame {}: not enough memory: close other programs, or use fewer --jobs", worker.item);
  if (WEXITSTATUS(status) || !ended_[worker.item])
    throw InternalError(fmt::format("frame {}: the simulating process ended without a result", worker.item));
}

}  // namespace cutaway::replay
