#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "replay/clocked_frame.h"
#include "replay/seeker.h"

namespace cutaway::replay {

// The start of a frame that a machine runs. The emulator adds what the frame draws and what its queries write
// once it has run it.
struct FrameStart {
  arch::Memory memory;
  std::optional<arch::Surface> displayed;  // presented last before it
  std::optional<arch::Picture> picture;    // its picture
  std::vector<messages::QueryValue> query_values;
  ClockOptions::Amount amount;
};
// The starts of the frames that warm a machine up, then that of the frame itself.
using FrameStarts = std::deque<FrameStart>;

ClockOptions::Amount amount_of(const EmulatedFrame& frame);

// Walks a capture on the emulator from one simulated frame to the next, and keeps what machines start from.
class StartWalker {
 public:
  // Stands at the start of `first`. on_seek: called when the emulator comes to a frame; may be empty.
  // UserErrors: the seeker's; the capture does not hold `first`, or fewer than `warmup` frames before it.
  StartWalker(const capture::Reader& reader, uint64_t first, uint64_t warmup,
              const std::function<void(uint64_t frame)>& on_seek);

  uint64_t frame() const { return frame_; }
  const FrameStarts& starts() const { return starts_; }  // of frame()
  uint64_t first_clocked() const { return frame() + 1 - starts_.size(); }
  // Runs the frame on this emulator, unless it has run. memory() is then that at its end. Errors are those of
  // Seeker::step().
  void emulate();
  const EmulatedFrame& emulated() const { return emulated_.value(); }  // after emulate()
  const arch::Memory& memory() const { return seeker_.memory(); }
  arch::ContextId context() const { return seeker_.context(); }
  void next();  // goes to the start of the next frame

 private:
  void step();
  void display(EmulatedFrame& frame);

  Seeker seeker_;
  uint64_t frame_;
  std::optional<EmulatedFrame> emulated_;  // of frame_, once it has run
  std::optional<arch::Surface> displayed_;
  std::optional<arch::Picture> picture_;  // of displayed_
  FrameStarts starts_;
};

}  // namespace cutaway::replay
