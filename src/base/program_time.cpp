#include "base/program_time.h"

#include <algorithm>
#include <mutex>
#include <pthread.h>
#include <vector>

namespace cutaway {
namespace {

struct GpuThreads {
  std::mutex mutex;
  std::vector<clockid_t> clocks;  // of threads that live
  uint64_t ended = 0;             // nanoseconds of those that have ended
};
GpuThreads& gpu_threads() {
  static GpuThreads& threads = *new GpuThreads;  // outlives every thread
  return threads;
}

uint64_t read(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace

uint64_t program_nanoseconds() {
  GpuThreads& threads = gpu_threads();
  const std::lock_guard lock(threads.mutex);
  const uint64_t process = read(CLOCK_PROCESS_CPUTIME_ID);
  uint64_t gpu = threads.ended;
  for (const clockid_t clock : threads.clocks) gpu += read(clock);
  return process - std::min(process, gpu);
}

GpuThread::GpuThread() {
  GpuThreads& threads = gpu_threads();
  const std::lock_guard lock(threads.mutex);
  pthread_getcpuclockid(pthread_self(), &clock_);
  threads.clocks.push_back(clock_);
}

GpuThread::~GpuThread() {
  GpuThreads& threads = gpu_threads();
  const std::lock_guard lock(threads.mutex);
  std::erase(threads.clocks, clock_);
  threads.ended += read(clock_);
}

}  // namespace cutaway
