#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "host/address_space.h"
#include "host/host_trace.h"
#include "host/sync.h"

namespace cutaway::host {

struct RegisterRun {
  uint32_t first = 0, count = 0;
};

// Packets in GPU memory.
struct CommandRange {
  arch::Address address = 0;
  uint32_t words = 0;
  // Condition for running them, or nothing. Evaluated inside SyncDomain's functions once all earlier work has
  // ended and is published; whoever makes it true must do so in SyncDomain::change.
  std::function<bool()> ready = {};
  // Called on the queue's thread after all earlier submissions have ended and before this one begins; it may
  // write the packets. Or nothing.
  std::function<void()> prepare = {};
  // Ids for MARKER packets: the one in effect at the start, and the last one inside. 0: none.
  uint32_t first_marker = 0, last_marker = 0;
  // Registers that they leave set. A range begins with all registers at zero.
  std::vector<RegisterRun> left_set = {};
};

struct SemaphorePoint {
  std::shared_ptr<SemaphoreState> semaphore;
  uint64_t value = 1;  // binary: 1
};

// One batch: once all waits are met, its commands run, then everything is signaled. The commands are one
// submission, or several if a range waits for the host.
struct Work {
  std::vector<SemaphorePoint> waits;
  std::vector<CommandRange> commands;  // empty: no submission
  bool presents = false;               // the last range contains a PRESENT packet
  std::vector<SemaphorePoint> signals;
  std::shared_ptr<FenceState> fence;
  std::function<void(const arch::Memory&)> ended;  // on the queue's thread, before the signals
  std::vector<arch::HostStep> steps = {};          // of the program before it; Queue::push fills them in
};

// The single in-order queue of a GPU, with its own thread. Owns the GPU; sinks behind it (a capture) receive
// the same stream. Callable from any thread.
class Queue {
 public:
  // on_loss: called once, on the queue's thread, with a line that says why the GPU is lost, before anyone
  // else can observe the loss.
  // ring: the memory of its ring.
  explicit Queue(std::unique_ptr<arch::Gpu> gpu, std::function<void(const std::string& why)> on_loss,
                 arch::Placement ring = arch::Placement::kVideo);
  ~Queue();  // runs pushed work to its end, unless the GPU is lost
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  AddressSpace& memory() { return memory_; }
  SyncDomain& sync() { return sync_; }
  HostTrace& trace() { return trace_; }

  void push(Work work);
  void wait_idle();
  bool wait_idle(const Deadline& deadline);     // false: still busy at the deadline
  bool lost() const;                            // a fault stopped the GPU
  bool lost_unlocked() const { return lost_; }  // inside SyncDomain's functions

 private:
  void run();
  void execute(Work& work);
  void tell_steps(const Work& work);
  void run_commands(const Work& work);
  void submit(std::span<const CommandRange> commands, bool presents);
  void fail(const std::string& why);
  bool write_ring(std::span<const CommandRange> commands, arch::Submission& submission);

  std::unique_ptr<arch::Gpu> gpu_;
  const std::function<void(const std::string&)> on_loss_;
  SyncDomain sync_;
  HostTrace trace_;
  AddressSpace memory_{0};
  const arch::Placement ring_placement_;
  std::unique_ptr<Allocation> ring_;  // packets that the GPU executes: calls of the commands
  uint64_t ring_end_ = 0;             // bytes, behind the last submission's
  uint64_t submissions_ = 0;
  // Guarded by sync_.
  std::deque<Work> work_;
  bool busy_ = false, stop_ = false, lost_ = false;
  std::thread thread_;  // last member: the thread starts when all others exist
};

}  // namespace cutaway::host
