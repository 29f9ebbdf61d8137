#pragma once

#include <map>
#include <set>
#include <vector>

#include "compiler/ir.h"

// Lowers the Ir to instructions: operands that the machine can read, no phis, registers, encoding.
namespace cutaway::compiler {

// Place of a result lane. Lanes of one instruction share a register.
struct Location {
  bool output = false;
  isa::Half half = isa::Half::kNone;
  uint32_t reg = kNone;
  uint8_t channel = 0;
  bool operator==(const Location&) const = default;
};

// Decides for each value whether it is kept in a half of a register (Inst::half): floats for which 16 bits
// suffice, if all readers can read halves, and selections among such values. Phis must have been lowered to
// moves.
void settle_halves(Ir& ir);
// Keeps whole all floats from which coordinates of textures or the depth are computed. Before lower_phis().
void keep_coordinates_whole(Ir& ir);
// Lets the instruction that computes a value write it to halves at once, in place of a rounding behind it.
// After settle_halves().
void fuse_half_rounding(Ir& ir);
// Normalises vectors of three to halves with NRM where the program divides them by their length: MUL by RSQ
// of DP3. After fuse_half_rounding().
void fuse_normalizing(Ir& ir);
// Blends colors with fog by FOG where the program subtracts the fog's color, a constant, multiplies by the
// visible share and adds the fog's color, and puts the result out.
void fuse_fog(Ir& ir);
// Clears Inst::half of every value.
void drop_halves(Ir& ir);
// True if a move of these components produces halves: some components are halves, and the others have the
// same value in a half.
bool gives_halves(const Ir& ir, const Operand& operand);

// Splits instructions and inserts moves until every operand comes from one register or from values that
// allocation can place in one; resolves modifiers.
void legalize(Ir& ir);

// Replaces phis by moves at the ends of their predecessors into the phi itself, and a move out of it.
void lower_phis(Ir& ir);

// Half-open intervals of program positions, sorted. Instruction k of the program reads at 2k and writes at 2k
// + 1.
using Ranges = std::vector<std::pair<uint32_t, uint32_t>>;
bool overlap(const Ranges& a, const Ranges& b);  // fastest if a has more intervals
void unite(Ranges& a, const Ranges& b);          // adds b's spans to a's

struct Liveness {
  std::vector<Ranges> ranges;  // by instruction × 4 + lane
};
Liveness liveness(const Ir& ir);

// Assigns a place to every lane, inserting moves if operands cannot be brought together. Sets `temporaries`;
// registers from arch::kTemporaries on are not assigned.
std::vector<Location> allocate(Ir& ir, uint32_t& temporaries);

// Spills values to scratch memory from scratch_bytes on until at most `most` lanes are live at once, or as
// few as possible.
void spill(Ir& ir, uint32_t most, uint32_t& scratch_bytes);

// Runs spill() to `most` lanes (0: as much as needed), then allocate(). Spilling handles whole words only:
// then no value is kept in halves.
std::vector<Location> place_values(Ir& ir, uint32_t most, uint32_t& temporaries, uint32_t& scratch_bytes);

// Constants that a program reads.
struct ConstantReads {
  std::map<uint32_t, uint32_t> uniforms;  // how often; more in loops
  std::set<uint32_t> literals;
};
ConstantReads constant_reads(const Ir& ir);

// Reads uniforms beyond `budget` constant registers through raw buffers.
void demote_uniforms(Ir& ir, uint32_t budget, std::vector<isa::SlotBinding>& resources);

// Index of a lane in tables of lanes.
inline uint32_t lane_of(const Ref& ref) { return ref.index * 4 + ref.lane; }
// A move that only copies: its source and result may share a register.
inline bool is_copy(const Inst& inst) {
  return !inst.phi && !inst.dead && inst.op == Opcode::kMov && !inst.saturate;
}
// True if the lane of a result is written.
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
