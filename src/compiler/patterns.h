#pragma once

#include "compiler/ir.h"

// What the passes that replace several instructions by one ask of operands.
namespace cutaway::compiler {

// The one instruction that all of an operand's lanes come from, or null.
Inst* source_of(Ir& ir, const Operand& operand);
// Whether lanes are read as they are: without the modifiers of floats; without any.
bool unmodified(const Operand& operand);
inline bool plain(const Operand& operand) { return unmodified(operand) && !operand.invert; }
// Whether all lanes are that literal.
bool all(const Operand& operand, uint32_t bits);
// Lanes of `of` as another operand of its instruction's picks them.
Operand pick(const Operand& of, const Operand& by);
// By instruction: those that read it, each once.
std::vector<std::vector<uint32_t>> uses_of(const Ir& ir);

// A part of fuse(), in pass_saturate.cpp: a saturating move becomes one per source register, so that each can
// move into its producer.
void split_saturations(Ir& ir);
// Another: a saturating move goes into the instruction whose result nobody else reads.
void fuse_saturations(Ir& ir);

}  // namespace cutaway::compiler
