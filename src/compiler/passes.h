#pragma once

#include "compiler/ir.h"

// What is done to the Ir between translation and register allocation.
namespace cutaway::compiler {

// Removes instructions and lanes whose results nobody needs.
void eliminate_dead(Ir& ir);

// Replaces an instruction by an earlier one that computes the same.
void eliminate_common(Ir& ir);

// Makes one instruction of several: MAD, _SAT, SLT and its like, CMP, modifiers.
void fuse(Ir& ir);

// Makes POW of LG2, MUL and EX2. Not among the passes that are free to run or not: x^0 of 0 changes.
void fuse_powers(Ir& ir);

// Merges instructions that do the same with other components of the same registers.
void vectorize(Ir& ir);

// Replaces a short IF without side effects by selects.
void convert_ifs(Ir& ir);

// Gathers the phis of one variable's components.
void bundle_phis(Ir& ir);

// All of them, in a good order.
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

// Modifiers `outer` on top of `inner`.
Ref compose(Ref inner, const Ref& outer);

}  // namespace cutaway::compiler
