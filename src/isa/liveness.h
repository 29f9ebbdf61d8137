#pragma once

#include <bitset>
#include <span>
#include <vector>

#include "arch/registers.h"
#include "isa/instruction.h"

namespace cutaway::isa {

// The halves of a component that an operand uses: bit 0 the low one, bit 1 the high one.
constexpr uint32_t halves_of(Half half) { return half == Half::kNone ? 3 : half == Half::kLow ? 1 : 2; }

// Values that a program may still read at some point, of any of its lanes.
struct Live {
  // Halves of the components of temporaries: 8 x register + 2 x component, + 1 for the high half.
  std::bitset<size_t{8} * arch::kTemporaries> temporaries;
  // Components of outputs: 4 x register + component. The end of a program and EMIT read all outputs.
  std::bitset<size_t{4} * arch::kShaderOutputs> outputs;
  bool operator==(const Live&) const = default;

  bool has_word(uint32_t component) const {  // of temporaries: 4 x register + component
    return temporaries[size_t{2} * component] || temporaries[size_t{2} * component + 1];
  }
};

// Finds the values that are live before each instruction, and after the last one. Lanes that are off keep
// their registers, and an instruction may look at its neighbours' (derivatives, levels of detail): within an
// IF or LOOP, its operands are live throughout the program. In a program with calls everything is live.
// `code` must be linked (link_flow).
std::vector<Live> live_before(std::span<const Instruction> code);

}  // namespace cutaway::isa
