#pragma once

#include <map>
#include <vector>

#include "compiler/ir.h"

// From the Ir to instructions: operands that the machine can read, no phis, registers, encoding.
namespace cutaway::compiler {

// Where a result lane lives. Lanes of one instruction share a register.
struct Location {
  bool output = false;
  isa::Half half = isa::Half::kNone;
  uint32_t reg = kNone;
  uint8_t channel = 0;
  bool operator==(const Location&) const = default;
};

// Says of each value whether it is kept in a half of a register (Inst::half): floats of which 16 bits will
// do, if all who read them can read halves, and what only chooses between such. Phis are moves by now.
void settle_halves(Ir& ir);
// None is.
void drop_halves(Ir& ir);
// Whether a move of these components gives halves: some are, and the others are as they would be in one.
bool gives_halves(const Ir& ir, const Operand& operand);

// Splits instructions and inserts moves until every operand comes from one register or from values that
// allocation may place in one; settles modifiers.
void legalize(Ir& ir);

// Replaces phis by moves at the ends of their predecessors into the phi itself, and a move out of it.
void lower_phis(Ir& ir);

// Half-open spans of program positions, sorted. Instruction k of the program reads
// at 2k and writes at 2k + 1.
using Ranges = std::vector<std::pair<uint32_t, uint32_t>>;
bool overlap(const Ranges& a, const Ranges& b);  // fastest where a has more spans
void unite(Ranges& a, const Ranges& b);          // adds b's spans to a's

struct Liveness {
  std::vector<Ranges> ranges;  // by instruction × 4 + lane
};
Liveness liveness(const Ir& ir);

// Places every lane, inserting moves where operands cannot be brought together. Sets `temporaries`: more than
// arch::kTemporaries are not placed.
std::vector<Location> allocate(Ir& ir, uint32_t& temporaries);

// Moves values to scratch memory from scratch_bytes on until no more than `most` lanes live at once, or as
// few as can be.
void spill(Ir& ir, uint32_t most, uint32_t& scratch_bytes);

// allocate(), after spill() to `most` lanes; 0: after as much as it takes. What is spilled is whole words:
// then no value is kept in halves.
std::vector<Location> place_values(Ir& ir, uint32_t most, uint32_t& temporaries, uint32_t& scratch_bytes);

// Reads the uniforms that are too many for `budget` constant registers through raw buffers.
void demote_uniforms(Ir& ir, uint32_t budget, std::vector<isa::SlotBinding>& resources);

// Index of a lane in tables of lanes.
inline uint32_t lane_of(const Ref& ref) { return ref.index * 4 + ref.lane; }
inline bool plain(const Ref& ref) { return !ref.negate && !ref.absolute; }
// A move that only copies: its source and result may share a place.
inline bool is_copy(const Inst& inst) {
  return !inst.phi && !inst.dead && inst.op == Opcode::kMov && !inst.saturate;
}
// Whether a lane of a result is written.
inline bool written(const Inst& inst, uint32_t lane) {
  if (lane >= inst.width) return false;
  return inst.phi || shape(inst.op) != Shape::kFixed || (inst.live >> lane & 1);
}

struct Code {
  std::vector<isa::Instruction> code;
  std::vector<uint32_t> source_of;
  std::vector<std::array<uint32_t, 4>> literals;
  std::vector<isa::ConstantRange> constants;
};
Code emit(const Ir& ir, const std::vector<Location>& places, uint32_t constant_budget);

}  // namespace cutaway::compiler
