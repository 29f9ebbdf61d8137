#include "emulator/worker_team.h"

#include <algorithm>
#include <csignal>
#include <emmintrin.h>
#include <sched.h>
#include <system_error>
#include <utility>

#include "base/program_time.h"
#include "func/float_mode.h"

namespace cutaway::emulator {
namespace {

// Waits until the value changes. Jobs follow each other within microseconds, so it spins for a while before
// it sleeps.
uint32_t wait_for_change(const std::atomic<uint32_t>& value, uint32_t old) {
  constexpr int kLooks = 2000;
  for (int i = 0; i < kLooks; i++) {
    const uint32_t now = value.load(std::memory_order_acquire);
    if (now != old) return now;
    _mm_pause();
  }
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

}  // namespace

uint32_t available_cpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return std::max(1u, std::thread::hardware_concurrency());
  return static_cast<uint32_t>(std::max(1, CPU_COUNT(&set)));
}

WorkerTeam::~WorkerTeam() {
  if (threads_.empty()) return;
  stop_ = true;
  jobs_.fetch_add(1, std::memory_order_release);
  jobs_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

// Worker threads block signals, which are for the program's own threads.
void WorkerTeam::start() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  started_ = true;
  threads_.reserve(workers_ - 1);
  try {
    for (uint32_t worker = 1; worker < workers_; worker++)
      threads_.emplace_back([this, worker] { serve(worker); });
  } catch (const std::system_error&) {  // out of threads: the existing ones do all the work
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void WorkerTeam::serve(uint32_t worker) {
  const GpuThread thread;
  const func::FloatMode float_mode;
  for (uint32_t seen = 0;;) {
    seen = wait_for_change(jobs_, seen);
    if (stop_) return;
    call(worker);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
}

void WorkerTeam::call(uint32_t worker) noexcept {
  try {
    (*work_)(worker);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!thrown_) thrown_ = std::current_exception();
  }
}

void WorkerTeam::run(const std::function<void(uint32_t)>& work) {
  if (!started_ && workers_ > 1) start();
  work_ = &work;
  busy_.store(static_cast<uint32_t>(threads_.size()), std::memory_order_relaxed);
  jobs_.fetch_add(1, std::memory_order_release);
  jobs_.notify_all();
  call(0);
  for (uint32_t left = busy_.load(std::memory_order_acquire); left;) left = wait_for_change(busy_, left);
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

}  // namespace cutaway::emulator
