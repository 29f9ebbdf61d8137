#pragma once

#include <array>
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
  // Condition for running them, or nothing. Evaluated inside SyncDomain's functions once all earlier work of
  // its queue has ended and is published; whoever makes it true must do so in SyncDomain::change.
  std::function<bool()> ready = {};
  // Called on the thread of the queues after all earlier submissions have ended and before this one begins;
  // it may write the packets. Or nothing.
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

// One batch of a queue: once all waits are met, its commands run, then everything is signaled. The commands
// are one submission, or several if a range waits for the host.
struct Work {
  std::vector<SemaphorePoint> waits;
  std::vector<CommandRange> commands;  // empty: no submission
  bool presents = false;               // the last range contains a PRESENT packet
  std::vector<SemaphorePoint> signals;
  std::shared_ptr<FenceState> fence;
  std::function<void(const arch::Memory&)> ended;  // on the thread of the queues, before the signals
  arch::QueueKind queue = arch::QueueKind::kGraphics;
  uint64_t number = 0;  // counts the works of all queues; Queues::push fills it in
};

// The queues of a GPU. Each is in order; one thread, which owns the GPU, runs the works of all in the order
// in which they were pushed, but for those that wait: a queue that waits for a semaphore or for the host does
// not hold up the others. The order depends on the pushes and on when the program signals, not on the
// thread's speed. Sinks behind the GPU (a capture) receive the same stream. Callable from any thread.
class Queues {
 public:
  // on_loss: called once, on the thread, with a line that says why the GPU is lost, before anyone else can
  // observe the loss.
  // ring: the memory of their ring.
  explicit Queues(std::unique_ptr<arch::Gpu> gpu, std::function<void(const std::string& why)> on_loss,
                  arch::Placement ring = arch::Placement::kVideo);
  ~Queues();  // runs pushed work to its end, unless the GPU is lost
  Queues(const Queues&) = delete;
  Queues& operator=(const Queues&) = delete;

  AddressSpace& memory() { return memory_; }
  SyncDomain& sync() { return sync_; }
  HostTrace& trace() { return trace_; }

  void push(Work work);
  void wait_idle();
  bool wait_idle(const Deadline& deadline);  // false: still busy at the deadline
  void wait_idle(arch::QueueKind queue);     // one queue alone
  // Waits until all work has ended, or all that can go on has and ready() holds, which is evaluated inside
  // SyncDomain's functions.
  void wait_until(const std::function<bool()>& ready);
  // Waits until the works that have been pushed have ended or wait themselves, and calls read() with the
  // GPU's clock after the last submission that has ended. So the clock depends on the works and on no
  // thread's speed, unless other threads push meanwhile. The program learns of no end. 0: the GPU has no
  // clock.
  void read_clock(const std::function<void(uint64_t ticks)>& read);
  bool lost() const;                            // a fault stopped the GPU
  bool lost_unlocked() const { return lost_; }  // inside SyncDomain's functions

 private:
  struct Lane {
    std::deque<Work> work;   // the first may be under way; guarded by sync_
    bool under_way = false;  // the thread is at it
    bool begun = false;      // it has taken its waits' semaphores
    bool runs = false;       // its commands run
    size_t done = 0;         // its ranges that have been submitted
    Reach reach{};           // what ends before the next work: its own submissions, and what they followed
    uint64_t told = 0;       // the last `after` of its submissions
    bool can_go_on() const;
    bool at_rest(uint64_t last = UINT64_MAX) const {  // with its works up to this number
      return work.empty() || work.front().number > last || (!under_way && !can_go_on());
    }
  };
  struct Step {
    uint64_t work;  // its number
    arch::HostStep step;
  };

  void run();
  bool idle() const;  // inside SyncDomain's functions
  Lane* next();
  void go_on(Lane& lane);
  void begin(Lane& lane);
  void end(Lane& lane);
  void tell_steps(uint64_t work);
  bool run_commands(Lane& lane, const Work& work);
  void submit(Lane& lane, const Work& work, std::span<const CommandRange> commands, bool presents);
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
  std::array<Lane, arch::kQueues> lanes_;
  // Guarded by sync_.
  uint64_t works_ = 0;
  uint64_t ticks_ = 0;      // of the GPU's clock, after the last submission
  std::deque<Step> steps_;  // of the program before each work, until they are told
  bool stop_ = false, lost_ = false;
  std::thread thread_;  // last member: the thread starts when all others exist
};

}  // namespace cutaway::host
