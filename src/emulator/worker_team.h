#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cutaway::emulator {

// The CPUs that this process may run on.
uint32_t available_cpus();

// Threads that share the items of jobs. The calling thread begins each job by itself. It asks others for help
// when the time of the items that are done says that the rest is worth a wake-up, and it waits for nobody who
// has not come by the end. Threads sleep between jobs, so that help costs little CPU time.
class WorkerTeam {
 public:
  using Clock = uint64_t (*)();  // nanoseconds
  static uint64_t steady_nanoseconds();

  // Time of a helper's work, in nanoseconds, below which nobody is woken.
  static constexpr uint64_t kWorthWaking = 50'000;

  enum class Help {
    kWhenWorth,
    kAlways,  // all places of each job that is not alone are taken, however small it is: for tests
  };

  explicit WorkerTeam(uint32_t workers, Help help = Help::kWhenWorth, Clock clock = steady_nanoseconds)
      : workers_(workers), help_(help), clock_(clock) {}
  ~WorkerTeam();
  WorkerTeam(const WorkerTeam&) = delete;

  uint32_t workers() const { return workers_; }

  struct Job {
    uint32_t items = 0;
    bool alone = false;  // the calling thread does it by itself
    // Called on the calling thread for each worker that may take items, before it takes the first. Worker 0
    // is the calling thread.
    std::function<void(uint32_t worker)> prepare;
    // Does an item. Items are handed out in order, each to one worker. After a result of false no more are.
    std::function<bool(uint32_t worker, uint32_t item)> work;
  };

  // Returns the number of workers that were prepared, when the items that were handed out are done. Rethrows
  // an exception of any of them.
  uint32_t run(const Job& job);

 private:
  uint32_t do_alone(const Job& job, uint32_t& helpers) const;
  void open(uint32_t helpers);
  void close();
  void start();
  void serve();
  uint32_t enter();
  void leave();
  void take_items(uint32_t worker) noexcept;

  const uint32_t workers_;
  const Help help_;
  const Clock clock_;
  std::vector<std::thread> threads_;
  bool started_ = false;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::exception_ptr thrown_;  // the first exception

  // The job that helpers may enter, and how many of them.
  const Job* job_ = nullptr;
  uint32_t helpers_ = 0;

  // Each has a cache line of its own, because several threads change them.
  alignas(64) std::atomic<uint32_t> next_ = 0;   // item
  alignas(64) std::atomic<uint32_t> wakes_ = 0;  // a change wakes threads
  alignas(64) std::atomic<uint32_t> door_ =
      0;  // kPlace for each helper that may still enter, 1 for each inside
};

}  // namespace cutaway::emulator
