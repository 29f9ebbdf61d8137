#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace cutaway::host {

// Finds the pages of host memory written since the previous call. The kernel tracks them: asynchronous write
// protection of userfaultfd(2), read by PAGEMAP_SCAN (Linux 6.7). If that is unavailable, every page counts
// as written.
class WriteTracker {
 public:
  WriteTracker();
  ~WriteTracker();
  WriteTracker(const WriteTracker&) = delete;

  bool works() const { return faults_ >= 0 && pages_ >= 0; }

  // Starts tracking whole pages of this process's memory. Tracking ends when they are unmapped.
  void watch(std::byte* start, uint64_t bytes);
  // Calls visit(begin, end), offsets from start, in rising order, with runs of pages of a watched range that
  // have been written since the last take(), and perhaps some others. Concurrent writes are reported now or
  // by the next call.
  void take(std::byte* start, uint64_t bytes,
            const std::function<void(uint64_t begin, uint64_t end)>& visit) const;

 private:
  int faults_ = -1;  // userfaultfd
  int pages_ = -1;   // /proc/self/pagemap
};

}  // namespace cutaway::host
