#include "boxes/shader_unit/on_chip_memory.h"

#include <algorithm>
#include <array>

namespace cutaway::boxes {

using engine::Cycle;

namespace {

// The words that lanes access together, by number in the memory.
struct AccessedWords {
  std::array<uint32_t, messages::kMaxGroupLanes * 4> word;
  uint32_t count = 0;
  void add(uint64_t number) { word[count++] = static_cast<uint32_t>(number); }
};

// The words of the bank that has most of them.
uint32_t busiest_bank(AccessedWords& words, uint32_t banks, bool atomics) {
  std::array<uint8_t, 64> of_bank{};
  uint32_t most = 0;
  const auto begin = words.word.begin(), end = begin + words.count;
  std::sort(begin, end);
  const auto last = atomics ? end : std::unique(begin, end);
  for (auto word = begin; word != last; ++word) most = std::max<uint32_t>(most, ++of_bank[*word % banks]);
  return most;
}

}  // namespace

Cycle bank_cycles(const Group& group, uint32_t banks) {
  const isa::Instruction& instruction = group.next_instruction();
  const bool atomics = isa::is_atomic(instruction.op);
  const uint32_t mask = atomics ? 1 : instruction.dst.mask & 15u;
  uint32_t address[size_t{4} * messages::kMaxGroupLanes];
  func::read_source(group.next_op(), 0, group.view, group.width, address);
  Cycle cycles = 0;
  for (uint32_t first = 0; first < group.width; first += banks) {
    AccessedWords words;
    for (uint32_t lane = first; lane < std::min(group.width, first + banks); lane++) {
      if (!(group.threads.active() >> lane & 1)) continue;
      for (uint32_t c = 0; c < 4; c++)
        if (mask >> c & 1) words.add(address[lane] / 4 + c);
    }
    if (words.count) cycles += busiest_bank(words, banks, atomics);
  }
  return cycles;
}

}  // namespace cutaway::boxes
