#pragma once

#include <random>
#include <vector>

#include "arch/registers.h"
#include "func/shader/thread_group.h"

namespace cutaway::func {

// A group with storage for all its registers, for tests and benchmarks.
struct ShaderGroup {
  explicit ShaderGroup(uint32_t width)
      : input(arch::kShaderInputs * 4 * width),
        temporary(arch::kTemporaries * 4 * width),
        output(arch::kShaderOutputs * 4 * width),
        constant(arch::kConstants * 4) {}

  Registers registers() { return {input.data(), temporary.data(), output.data(), constant.data()}; }

  std::vector<uint32_t> input, temporary, output, constant;
  ThreadGroup group;
};

// Corner-case bits for arithmetic: special values, small integers, floats near 1, and random bits.
inline uint32_t interesting_bits(std::mt19937& random) {
  constexpr uint32_t kSpecial[] = {
      0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x3f800000,
      0xbf800000, 0x3f000000, 0xbf000000, 0x40000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
      0x7fc00000, 0xffc00001, 0x7f800001, 0x4f000000, 0xcf000000, 0x4f800000, 0x4effffff, 0x4b000000,
      0x4affffff, 0x4b7fffff, 0x3effffff, 0x3fc00000, 0x40200000, 0xffffffff, 0x7fffffff, 31,
      32,         33,         0x38800000, 0x477ff000, 0x477fefff, 0x33000000, 0x33000001};
  const auto bits = static_cast<uint32_t>(random());
  switch (random() % 6) {
    case 0:
      return kSpecial[bits % std::size(kSpecial)];
    case 1:
      return bits % 64;
    case 2:
      return 0 - bits % 64;
    case 3:
      return 0x3e000000 + (bits & 0x81ffffff);
    case 4:
      return (bits & 0x80ffffff) + 0x3f000000;
    default:
      return bits;
  }
}

}  // namespace cutaway::func
