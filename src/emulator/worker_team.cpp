#include "emulator/worker_team.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <sched.h>
#include <system_error>
#include <utility>

#include "base/program_time.h"
#include "func/float_mode.h"

namespace cutaway::emulator {
namespace {

constexpr uint32_t kPlace = 1 << 16;  // in the door's count

// Sleeps until the value changes. Threads do not spin here: that costs more CPU time than it saves.
uint32_t wait_for_change(const std::atomic<uint32_t>& value, uint32_t old) {
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

}  // namespace

uint32_t available_cpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return std::max(1u, std::thread::hardware_concurrency());
  return static_cast<uint32_t>(std::max(1, CPU_COUNT(&set)));
}

uint64_t WorkerTeam::steady_nanoseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::nanoseconds(now).count());
}

WorkerTeam::~WorkerTeam() {
  if (threads_.empty()) return;
  stop_ = true;
  wakes_.fetch_add(1, std::memory_order_release);
  wakes_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

uint32_t WorkerTeam::run(const Job& job) {
  job.prepare(0);
  uint32_t helpers = 0;
  const uint32_t done = do_alone(job, helpers);
  if (!helpers) return 1;
  if (!started_) start();
  helpers = std::min(helpers, static_cast<uint32_t>(threads_.size()));
  for (uint32_t worker = 1; worker <= helpers; worker++) job.prepare(worker);
  job_ = &job;
  next_.store(done, std::memory_order_relaxed);
  open(helpers);
  while (help_ == Help::kAlways && door_.load(std::memory_order_acquire) >= kPlace) sched_yield();
  take_items(0);
  close();
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  return 1 + helpers;
}

// Returns the items that are done when the job ends, or when the rest is worth the help of `helpers`.
uint32_t WorkerTeam::do_alone(const Job& job, uint32_t& helpers) const {
  const bool alone = job.alone || workers_ == 1 || job.items <= 1;
  if (!alone && help_ == Help::kAlways) helpers = workers_ - 1;
  if (helpers) return 0;
  const uint64_t begin = alone ? 0 : clock_();
  for (uint32_t done = 0; done < job.items;) {
    if (!job.work(0, done++)) return job.items;
    const uint32_t left = job.items - done;
    if (alone || !left) continue;
    const uint64_t expected = (clock_() - begin) * left / done;
    if (expected < kWorthWaking) continue;
    helpers = static_cast<uint32_t>(std::min<uint64_t>({workers_ - 1, left, expected / kWorthWaking}));
    return done;
  }
  return job.items;
}

// Lets helpers take items. The first to come wakes the next.
void WorkerTeam::open(uint32_t helpers) {
  if (!helpers) return;
  helpers_ = helpers;
  door_.store(helpers * kPlace, std::memory_order_release);
  wakes_.fetch_add(1, std::memory_order_release);
  wakes_.notify_one();
}

// Lets no more helpers in, and waits for those inside.
void WorkerTeam::close() {
  uint32_t inside = door_.fetch_and(kPlace - 1, std::memory_order_acq_rel) & (kPlace - 1);
  while (inside) inside = wait_for_change(door_, inside);
}

// Worker threads block signals, which are for the program's own threads.
void WorkerTeam::start() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  started_ = true;
  threads_.reserve(workers_ - 1);
  try {
    for (uint32_t worker = 1; worker < workers_; worker++) threads_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {  // out of threads: the existing ones do all the work
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void WorkerTeam::serve() {
  const GpuThread thread;
  const func::FloatMode float_mode;
  for (uint32_t seen = 0;;) {
    seen = wait_for_change(wakes_, seen);
    if (stop_) return;
    if (const uint32_t worker = enter()) {
      take_items(worker);
      leave();
    }
  }
}

// Returns the number of the worker that the calling thread is in the job, or 0 if the door is closed.
uint32_t WorkerTeam::enter() {
  uint32_t door = door_.load(std::memory_order_acquire);
  do {
    if (door < kPlace) return 0;
  } while (!door_.compare_exchange_weak(door, door - kPlace + 1, std::memory_order_acq_rel,
                                        std::memory_order_acquire));
  const uint32_t places = door / kPlace;
  if (places > 1) wakes_.notify_one();
  return helpers_ - places + 1;
}

// The last to leave a closed job wakes its caller.
void WorkerTeam::leave() {
  if (door_.fetch_sub(1, std::memory_order_acq_rel) == 1) door_.notify_one();
}

void WorkerTeam::take_items(uint32_t worker) noexcept {
  const Job& job = *job_;
  try {
    for (;;) {
      const uint32_t item = next_.fetch_add(1, std::memory_order_relaxed);
      if (item >= job.items) return;
      if (!job.work(worker, item)) break;
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!thrown_) thrown_ = std::current_exception();
  }
  next_.store(job.items, std::memory_order_relaxed);
}

}  // namespace cutaway::emulator
