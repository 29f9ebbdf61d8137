#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "replay/frame_steps.h"

namespace cutaway::replay {

constexpr uint64_t kSectorBytes = 64;  // what the memory controller moves at a time

// 64 bytes in which two memories differ.
struct SectorDifference {
  arch::Address address = 0;
  uint64_t mask = 0;  // bit per byte: differs
  std::array<std::byte, kSectorBytes> expected{}, found{};

  // Filled in by trace_writes(), as positions among the steps of the frame.
  static constexpr int kNone = -1;
  int first_wrong = kNone;  // the emulator's first write after which the value found never was right again
  int last_write = kNone;   // its last write
  int wrong_step() const { return first_wrong != kNone ? first_wrong : last_write; }
};

// In rising order of addresses.
std::vector<SectorDifference> differing_sectors(const arch::Memory& expected, const arch::Memory& found);

// Runs the frame again on an emulator and notes which steps wrote the sectors. A value found that was right
// after an earlier step tells that the step after it got lost.
void trace_writes(const capture::Reader& reader, uint64_t frame, arch::ContextId context,
                  const arch::Memory& start, std::vector<SectorDifference>& sectors);

}  // namespace cutaway::replay
