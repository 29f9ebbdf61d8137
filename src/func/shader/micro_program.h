#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "func/shader/micro_op.h"
#include "isa/instruction.h"

namespace cutaway::func {

// A program predecoded for groups of one width. Instructions must come from isa::decode_program or
// isa::link_flow; constructs that do not nest are an internal error.
class MicroProgram {
 public:
  // With stops_at_barriers, need() returns kMemory for BAR; otherwise BAR is a step without effect.
  MicroProgram(std::span<const isa::Instruction> code, uint32_t width, AluPath path = AluPath::kBest,
               bool stops_at_barriers = false);

  uint32_t width() const { return width_; }
  uint32_t size() const { return static_cast<uint32_t>(ops_.size()); }
  const MicroOp& operator[](uint32_t pc) const { return ops_[pc]; }
  std::span<const isa::Instruction> instructions() const { return code_; }
  // The decoded instruction, for the fields that texture and memory units need (`access`).
  const isa::Instruction& instruction(uint32_t pc) const { return code_[pc]; }

 private:
  uint32_t width_;
  std::vector<isa::Instruction> code_;
  std::vector<MicroOp> ops_;
};

// Reads source n of an instruction, with swizzle and modifiers, into values[4][width], for every lane
// regardless of the mask: implicit levels of detail need neighbouring lanes.
void read_source(const MicroOp& op, uint32_t n, const Registers& registers, uint32_t width, uint32_t* values);

// Writes values[4][width] to the destination's components, saturated if the instruction says so, in the lanes
// of `lanes` (all ones: every lane): the last step of texture and memory instructions.
void write_result(const MicroOp& op, const Registers& registers, uint32_t width, uint64_t lanes,
                  const uint32_t* values);

// The same for the lanes of one quad: values[component][lane]; bit n of `lanes` is lane n of the quad.
void read_source_quad(const MicroOp& op, uint32_t n, const Registers& registers, uint32_t width,
                      uint32_t quad, uint32_t (&values)[4][4]);
void write_result_quad(const MicroOp& op, const Registers& registers, uint32_t width, uint32_t quad,
                       uint32_t lanes, const uint32_t (&values)[4][4]);

}  // namespace cutaway::func
