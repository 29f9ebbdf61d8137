#pragma once

#include <cstdint>
#include <ctime>

namespace cutaway {

// CPU time that the program in this process has spent, in nanoseconds: that of all threads but GpuThreads.
// Threads that run side by side add up, as if they shared one core. Time in which a thread waits does not
// count.
uint64_t program_nanoseconds();

// While one lives, the calling thread plays the GPU, and its time is not the program's. Destroy it on the
// same thread.
class GpuThread {
 public:
  GpuThread();
  ~GpuThread();
  GpuThread(const GpuThread&) = delete;

 private:
  clockid_t clock_{};
};

}  // namespace cutaway
