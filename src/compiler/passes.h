#pragma once

#include "compiler/ir.h"

// Passes over the Ir between translation and register allocation.
namespace cutaway::compiler {

// Removes instructions and lanes with unused results.
void eliminate_dead(Ir& ir);

// Forgets instructions that are in no block, and numbers the others anew in the same order: later steps have
// tables by instruction.
void compact(Ir& ir);

// Replaces an instruction by an earlier one that computes the same result.
void eliminate_common(Ir& ir);

// Fuses several instructions into one: MAD, _SAT, SLT and similar, CMP, modifiers.
void fuse(Ir& ir);

// Fuses LG2, MUL and EX2 into POW. Not an optional pass, because it changes x^0 for x = 0.
void fuse_powers(Ir& ir);

// Keeps products of halves unrounded that are only added to, as in a MAD: SPIR-V permits contraction.
void contract_halves(Ir& ir);

// Merges instructions that perform the same operation on other components of the same registers.
void vectorize(Ir& ir);

// Replaces a short IF without side effects by selects.
void convert_ifs(Ir& ir);

// Moves loads up behind the load before them, with what computes their operands, so that at most `most` of a
// group are under way at once. Not across a KIL.
void gather_loads(Ir& ir, uint32_t most);

// Lets LDC read what a program loads by index from uniform blocks of at most `most` vec4, if these and all
// other constants fit into `budget` registers. `resources` are the program's buffers.
void index_constants(Ir& ir, const std::vector<isa::SlotBinding>& resources, uint32_t most, uint32_t budget);

// Gathers the phis of one variable's components.
void bundle_phis(Ir& ir);

// Runs all of them in a suitable order.
void optimize(Ir& ir);

// A substitution of result lanes, applied to all references at once.
class Remap {
 public:
  explicit Remap(const Ir& ir);
  void set(uint32_t inst, uint32_t lane, const Ref& to) { to_[inst][lane] = to; }
  Ref operator()(Ref ref) const;
  void apply(Ir& ir) const;

 private:
  std::vector<std::array<Ref, 4>> to_;
};

// Takes an instruction out of its block: what read it reads something else.
void remove_instruction(Ir& ir, uint32_t id);
// Does so with those of these instructions, one after the other, that nobody reads.
void remove_unread(Ir& ir, const std::vector<uint32_t>& ids);

// Applies the modifiers of `outer` after those of `inner`.
Ref compose(Ref inner, const Ref& outer);

}  // namespace cutaway::compiler
