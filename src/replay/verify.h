#pragma once

#include <optional>
#include <string>

#include "arch/gpu.h"
#include "capture/reader.h"
#include "replay/clocked_frame.h"

namespace cutaway::replay {

// A frame that emulator and machine have each run, from the same memory.
struct FramePair {
  const capture::Reader& reader;
  uint64_t frame = 0;
  arch::ContextId context = 0;
  const arch::Memory& start;
  const arch::Memory& emulated;
  const arch::Memory& clocked;
  const std::optional<arch::Picture>& emulated_picture;  // of rows that the machine took from each picture
  const std::optional<arch::Picture>& clocked_picture;
  const machine::Config& config;
  const ClockOptions& clock;
};

struct FrameDifference {
  // The extent of the difference and the first wrong address of the first wrong draw, with surface, pixel and
  // unit; empty: none.
  std::string text;
  // Every wrong byte was first wrong after a draw or dispatch whose result depends on the order of its
  // threads, or one after it; or submissions of two queues run side by side that no semaphore orders, and in
  // order memory is equal: the difference proves nothing.
  bool hangs_on_order = false;
};

// Compares the hashes of all GPU memory and the displayed pictures. To find a difference, both GPUs run the
// frame again, the emulator packet by packet, the machine with its writes watched.
FrameDifference compare_frame(const FramePair& pair);

}  // namespace cutaway::replay
