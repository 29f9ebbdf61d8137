#pragma once

#include <cstdint>

// Messages between the command processor and stream-out: the fill levels of transform feedback, while no draw
// is in flight.
namespace cutaway::messages {

// Reads or sets a buffer's fill level, or ends transform feedback. All but the last are answered.
struct FeedbackOrder {
  enum class Kind : uint8_t { kAsk, kSet, kEmptyAll } kind = Kind::kAsk;
  uint32_t buffer = 0;
  uint32_t filled = 0;  // kSet: bytes
};
struct FeedbackFilled {
  uint32_t bytes = 0;
};

}  // namespace cutaway::messages
