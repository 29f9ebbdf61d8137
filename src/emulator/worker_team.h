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

// Threads that work on one job together. They start with the first job.
class WorkerTeam {
 public:
  explicit WorkerTeam(uint32_t workers) : workers_(workers) {}
  ~WorkerTeam();
  WorkerTeam(const WorkerTeam&) = delete;

  uint32_t workers() const { return workers_; }

  // Calls work(worker) with worker 0, the calling thread, and with every other number below workers() for
  // which the system provided a thread; returns when all calls have returned. Rethrows an exception of any of
  // them.
  void run(const std::function<void(uint32_t worker)>& work);

 private:
  void start();
  void serve(uint32_t worker);
  void call(uint32_t worker) noexcept;

  const uint32_t workers_;
  std::vector<std::thread> threads_;
  const std::function<void(uint32_t)>* work_ = nullptr;
  std::atomic<uint32_t> jobs_ = 0;  // jobs started so far; a change wakes the threads
  std::atomic<uint32_t> busy_ = 0;  // threads still working on the last job
  bool started_ = false, stop_ = false;
  std::mutex mutex_;
  std::exception_ptr thrown_;  // the first exception
};

}  // namespace cutaway::emulator
