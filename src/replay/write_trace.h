#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "replay/frame_steps.h"

namespace cutaway::replay {

constexpr uint64_t kSectorBytes = 64;  // transfer size of the memory controller

// 64 bytes in which two memories differ.
struct SectorDifference {
  arch::Address address = 0;
  uint64_t mask = 0;  // one bit per differing byte
  std::array<std::byte, kSectorBytes> expected{}, found{};

  // Set by trace_writes(), as indices of the frame's steps.
  static constexpr int kNone = -1;
  int first_wrong = kNone;  // the emulator's first write after which the machine's value was never right
  int last_write = kNone;   // the emulator's last write
  int wrong_step() const { return first_wrong != kNone ? first_wrong : last_write; }
};

// In rising order of addresses.
std::vector<SectorDifference> differing_sectors(const arch::Memory& expected, const arch::Memory& found);

// Runs the frame again on an emulator and notes the steps that wrote the sectors. If the machine's value was
// right after an earlier step, the step after it was lost.
void trace_writes(const capture::Reader& reader, uint64_t frame, arch::ContextId context,
                  const arch::Memory& start, std::vector<SectorDifference>& sectors);

}  // namespace cutaway::replay
