#pragma once

#include <cstdint>

// Between the command processor and stream-out: the counters of what transform feedback has captured, while
// no draw is under way.
namespace cutaway::parts {

// How far a buffer is filled is asked for, or set; or nothing is filled from now on. Each but the last is
// answered.
struct FeedbackOrder {
  enum class Kind : uint8_t { kAsk, kSet, kEmptyAll } kind = Kind::kAsk;
  uint32_t buffer = 0;
  uint32_t filled = 0;  // kSet: bytes
};
struct FeedbackFilled {
  uint32_t bytes = 0;
};

}  // namespace cutaway::parts
