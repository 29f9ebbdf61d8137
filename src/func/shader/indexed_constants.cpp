#include "func/shader/indexed_constants.h"

#include "func/shader/micro_program.h"

namespace cutaway::func {

void load_constant(const MicroOp& op, const Registers& registers, uint32_t width, const uint32_t* mask) {
  uint32_t index[4 * kMaxWidth], value[4 * kMaxWidth];
  read_source(op, 1, registers, width, index);
  const MicroSource& from = op.src[0];
  const uint32_t base = from.component[0] / 4;
  uint64_t lanes = 0;
  for (uint32_t lane = 0; lane < width; ++lane) {
    if (mask && !mask[lane]) continue;
    lanes |= uint64_t{1} << lane;
    const uint32_t at = base + index[lane];
    for (uint32_t c = 0; c < 4; ++c) {
      uint32_t word = op.window.contains(at) ? registers.constant[at * 4 + from.component[c] % 4] : 0;
      value[c * width + lane] = ((word & ~from.clear) ^ from.flip) + from.add;
    }
  }
  write_result(op, registers, width, lanes, value);
}

}  // namespace cutaway::func
