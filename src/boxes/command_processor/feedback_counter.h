#pragma once

#include <cstdint>

namespace cutaway::boxes {

// The counters of transform feedback, which stream-out keeps: the packet in progress that loads or stores
// one.
class FeedbackCounter {
 public:
  // How far LOAD_FEEDBACK or STORE_FEEDBACK has come. Stream-out answers both.
  enum class Step : uint8_t { kRead, kOrder, kAnswer, kEnd };

  void begin_submission() { *this = {}; }
  // Buffers are as full as the last submission left them until stream-out is told, before the first capture
  // or counter.
  bool must_empty() const { return !emptied_; }
  void emptied() { emptied_ = true; }

  Step step() const { return step_; }
  bool asks_unit() const { return step_ == Step::kAnswer || step_ == Step::kEnd; }
  // kRead: LOAD_FEEDBACK reads the bytes to set from memory.
  void read(uint32_t bytes) {
    bytes_ = bytes;
    step_ = Step::kOrder;
  }
  void ordered() { step_ = Step::kAnswer; }
  void answered(uint32_t bytes) {
    bytes_ = bytes;
    step_ = Step::kEnd;
  }
  void ended() {
    bytes_ = 0;
    step_ = Step::kRead;
  }
  uint32_t bytes() const { return bytes_; }

 private:
  bool emptied_ = false;
  Step step_ = Step::kRead;
  uint32_t bytes_ = 0;
};

}  // namespace cutaway::boxes
