#include "func/shader/scratch.h"

#include "func/shader/micro_program.h"

namespace cutaway::func {
namespace {

bool on(const uint32_t* mask, uint32_t lane) { return !mask || mask[lane]; }

// Finds word c of a lane's access in the group's scratch memory; returns false beyond the end.
bool scratch_word(const Registers& registers, uint32_t width, uint32_t byte, uint32_t c, uint32_t lane,
                  size_t& word) {
  const uint64_t index = uint64_t{byte / 4} + c;
  word = index * width + lane;
  return index < registers.scratch_words;
}

}  // namespace

void load_scratch(const MicroOp& op, const Registers& registers, uint32_t width, const uint32_t* mask) {
  uint32_t address[4 * kMaxWidth], value[4 * kMaxWidth] = {};
  read_source(op, 0, registers, width, address);
  uint64_t lanes = 0;
  for (uint32_t lane = 0; lane < width; ++lane) {
    if (!on(mask, lane)) continue;
    lanes |= uint64_t{1} << lane;
    for (uint32_t c = 0; c < 4; ++c)
      if (size_t word; scratch_word(registers, width, address[lane], c, lane, word))
        value[c * width + lane] = registers.scratch[word];
  }
  write_result(op, registers, width, lanes, value);
}

void store_scratch(const MicroOp& op, const Registers& registers, uint32_t width, const uint32_t* mask) {
  uint32_t address[4 * kMaxWidth], value[4 * kMaxWidth];
  read_source(op, 0, registers, width, address);
  read_source(op, 1, registers, width, value);
  for (uint32_t c = 0; c < 4; ++c) {
    if (!(op.dst_mask >> c & 1)) continue;
    for (uint32_t lane = 0; lane < width; ++lane)
      if (size_t word; on(mask, lane) && scratch_word(registers, width, address[lane], c, lane, word))
        registers.scratch[word] = value[c * width + lane];
  }
}

}  // namespace cutaway::func
