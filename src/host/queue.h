#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "host/address_space.h"
#include "host/sync.h"

namespace cutaway::host {

// Packets in GPU memory.
struct CommandRange {
  arch::Address address = 0;
  uint32_t words = 0;
  // What must hold before they run, or nothing. Asked inside SyncDomain's functions when all that comes
  // before has ended and is published; whoever makes it true does so in SyncDomain::change.
  std::function<bool()> ready = {};
  // Called on the queue's thread when all submissions before its own have ended and this one has not begun:
  // it may write the packets. Or nothing.
  std::function<void()> prepare = {};
  // Ids for MARKER packets: what it is to begin with, and the last one in it. 0: none.
  uint32_t first_marker = 0, last_marker = 0;
};

struct SemaphorePoint {
  std::shared_ptr<SemaphoreState> semaphore;
  uint64_t value = 1;  // binary: 1
};

// One batch: when all waits are met its commands run, then everything is signaled. They are one submission,
// or several where a range waits for the host.
struct Work {
  std::vector<SemaphorePoint> waits;
  std::vector<CommandRange> commands;  // none: no submission
  bool presents = false;               // the last range holds a PRESENT packet
  std::vector<SemaphorePoint> signals;
  std::shared_ptr<FenceState> fence;
  std::function<void(const arch::Memory&)> ended;  // on the queue's thread, before the signals
};

// The one in-order queue of a GPU, with a thread of its own. Owns the GPU; sinks behind it (a capture) get
// the same stream. Safe from any thread.
class Queue {
 public:
  // on_loss: called once, on the queue's thread, with a line that says why the GPU is lost;
  // nobody else knows by then.
  explicit Queue(std::unique_ptr<arch::Gpu> gpu, std::function<void(const std::string& why)> on_loss);
  ~Queue();  // work that has been pushed still runs, unless the GPU is lost
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  AddressSpace& memory() { return memory_; }
  SyncDomain& sync() { return sync_; }

  void push(Work work);
  void wait_idle();
  bool wait_idle(const Deadline& deadline);     // false: still at work then
  bool lost() const;                            // a fault stopped the GPU
  bool lost_unlocked() const { return lost_; }  // inside SyncDomain's functions

 private:
  void run();
  void execute(Work& work);
  void run_commands(const Work& work);
  void submit(std::span<const CommandRange> commands, bool presents);
  void fail(const std::string& why);
  uint32_t write_ring(std::span<const CommandRange> commands, bool presents);

  std::unique_ptr<arch::Gpu> gpu_;
  const std::function<void(const std::string&)> on_loss_;
  SyncDomain sync_;
  AddressSpace memory_{0};
  std::unique_ptr<Allocation> ring_;  // what the GPU is told to run: calls of the commands
  uint64_t submissions_ = 0;
  // Guarded by sync_.
  std::deque<Work> work_;
  bool busy_ = false, stop_ = false, lost_ = false;
  std::thread thread_;  // last: starts when all else is there
};

}  // namespace cutaway::host
