#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <sys/types.h>

#include "base/interrupt.h"

namespace cutaway::replay {

// What a worker tells while it works and when it is done.
class WorkerChannel {
 public:
  explicit WorkerChannel(int descriptor) : descriptor_(descriptor) {}
  void progress(uint64_t value, double share = 0) const;  // share: of the item, 0 to 1
  // Something else than how far it is. kind: chosen by the two, a letter.
  void tell(char kind, const std::string& text) const;

 private:
  int descriptor_;
};

// Runs items side by side, each in a process of its own: a copy of this one as it is at start(). The caller
// must have no other threads.
class WorkerPool {
 public:
  struct Events {
    std::function<void(uint64_t item, uint64_t value, double share)> on_progress;
    std::function<void(uint64_t item, std::string result)> on_result;  // in the order in which they end
    // WorkerChannel::tell(): kind, text.
    std::function<void(uint64_t item, char kind, const std::string& text)> on_text = {};
    std::function<void()> on_tick = {};  // while start() and wait() wait, some times a second
  };
  using Work = std::function<std::string(const WorkerChannel&)>;

  WorkerPool(unsigned jobs, Events events);
  ~WorkerPool();  // ends what still runs
  WorkerPool(const WorkerPool&) = delete;

  // Waits until fewer than `jobs` run. Errors of workers are thrown here and by wait(): UserError and
  // InternalError as the worker threw them, InternalError for one that crashed. UserError: interrupted,
  // not enough memory.
  void start(uint64_t item, const Work& work);
  void wait();  // for all

 private:
  struct Worker {
    uint64_t item = 0;
    pid_t pid = -1;
    std::string received;
  };
  void receive(int milliseconds);
  bool take(int descriptor);  // false: it has ended
  void handle(Worker& worker);
  void finish(const Worker& worker);

  InterruptGuard guard_;
  unsigned jobs_;
  Events events_;
  std::map<int, Worker> workers_;  // by descriptor
  std::map<uint64_t, bool> ended_;
};

}  // namespace cutaway::replay
