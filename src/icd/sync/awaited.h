#pragma once

#include <algorithm>
#include <cstdint>

namespace cutaway::icd {

// Finds the submission that ends a wait for several things: that of the last of them, or if one is enough, of
// the first.
class Awaited {
 public:
  Awaited(bool all, uint32_t count) : all_(all), needed_(all ? count : 1) {}

  // One of them is there.
  void add(uint64_t submission) {
    submission_ = met_++ == 0 ? submission
                  : all_      ? std::max(submission_, submission)
                              : std::min(submission_, submission);
  }
  bool enough() const { return met_ >= needed_; }
  uint64_t submission() const { return submission_; }

 private:
  bool all_;
  uint32_t needed_, met_ = 0;
  uint64_t submission_ = 0;
};

}  // namespace cutaway::icd
