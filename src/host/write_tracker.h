#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace cutaway::host {

// Tells which pages of host memory were written since it last looked. The kernel notes them: asynchronous
// write protection of userfaultfd(2), read by PAGEMAP_SCAN (Linux 6.7). Where that is not to be had, every
// page counts as written.
class WriteTracker {
 public:
  WriteTracker();
  ~WriteTracker();
  WriteTracker(const WriteTracker&) = delete;

  bool works() const { return faults_ >= 0 && pages_ >= 0; }

  // Whole pages of memory of this process's own. Tracking ends when they are unmapped.
  void watch(std::byte* start, uint64_t bytes);
  // Calls visit(begin, end), offsets from start, with runs of pages of a watched range that have been written
  // since the last take(), and perhaps some others, in rising order. What is written meanwhile comes now or
  // the next time.
  void take(std::byte* start, uint64_t bytes,
            const std::function<void(uint64_t begin, uint64_t end)>& visit) const;

 private:
  int faults_ = -1;  // userfaultfd
  int pages_ = -1;   // /proc/self/pagemap
};

}  // namespace cutaway::host
