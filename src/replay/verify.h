#pragma once

#include <optional>
#include <string>

#include "arch/gpu.h"
#include "capture/reader.h"
#include "replay/clocked_frame.h"

namespace cutaway::replay {

// A frame that emulator and machine have each run by themselves, from the same memory.
struct FramePair {
  const capture::Reader& reader;
  uint64_t frame = 0;
  arch::ContextId context = 0;
  const arch::Memory& start;
  const arch::Memory& emulated;
  const arch::Memory& clocked;
  const std::optional<arch::Picture>& emulated_picture;
  const std::optional<arch::Picture>& clocked_picture;
  const machine::Config& config;
  const ClockOptions& clock;
};

// Compares the hashes of all GPU memory, and the pictures shown. Empty: equal. Else lines that tell how much
// differs, and of what the first wrong draw wrote the first address, its surface, pixel, and the unit: both
// GPUs run the frame again for that, the emulator packet by packet, the machine with its writes watched.
std::string compare_frame(const FramePair& pair);

}  // namespace cutaway::replay
