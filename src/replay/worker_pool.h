#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <sys/types.h>

#include "base/interrupt.h"

namespace cutaway::replay {

// A worker's channel for progress and results.
class WorkerChannel {
 public:
  explicit WorkerChannel(int descriptor) : descriptor_(descriptor) {}
  void progress(uint64_t value, double share = 0) const;  // share: of the item, 0 to 1
  // Sends a message other than progress. kind: a letter agreed by both sides.
  void tell(char kind, const std::string& text) const;

 private:
  int descriptor_;
};

// Runs items in parallel, each in its own process: a copy of this process at start(). The caller must have no
// other threads.
class WorkerPool {
 public:
  struct Events {
    std::function<void(uint64_t item, uint64_t value, double share)> on_progress;
    std::function<void(uint64_t item, std::string result)> on_result;  // in the order in which they end
    // WorkerChannel::tell(): kind, text.
    std::function<void(uint64_t item, char kind, const std::string& text)> on_text = {};
    std::function<void()> on_tick = {};  // called several times a second while start() and wait() wait
  };
  using Work = std::function<std::string(const WorkerChannel&)>;

  WorkerPool(unsigned jobs, Events events);
  ~WorkerPool();  // ends running workers
  WorkerPool(const WorkerPool&) = delete;

  // Waits until fewer than `jobs` run. Both functions rethrow errors of workers: UserError and InternalError
  // as thrown in the worker, InternalError for one that crashed. UserError: interrupted, or not enough
  // memory.
  void start(uint64_t item, const Work& work);
  void wait();  // for all workers
  // Waits until `enough` is true, or no worker runs.
  void wait_until(const std::function<bool()>& enough);

 private:
  struct Worker {
    uint64_t item = 0;
    pid_t pid = -1;
    std::string received;
  };
  void receive(int milliseconds);
  bool take(int descriptor);  // false: the worker has ended
  void handle(Worker& worker);
  void finish(const Worker& worker);

  InterruptGuard guard_;
  unsigned jobs_;
  Events events_;
  std::map<int, Worker> workers_;  // by descriptor
  std::map<uint64_t, bool> ended_;
};

}  // namespace cutaway::replay
