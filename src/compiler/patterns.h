#pragma once

#include "compiler/ir.h"

// Queries on operands for the passes that fuse instructions.
namespace cutaway::compiler {

// The single instruction that produces all of an operand's lanes, or null.
Inst* source_of(Ir& ir, const Operand& operand);
// True if lanes are read without the modifiers of floats; plain: without any modifier.
bool unmodified(const Operand& operand);
inline bool plain(const Operand& operand) { return unmodified(operand) && !operand.invert; }
// True if all lanes are that literal.
bool all(const Operand& operand, uint32_t bits);
// Selects lanes of `of` as another operand of its instruction does.
Operand pick(const Operand& of, const Operand& by);
// By instruction: the instructions that read it, each once.
std::vector<std::vector<uint32_t>> uses_of(const Ir& ir);

// A part of fuse(), in pass_saturate.cpp: splits a saturating move into one per source register, so that each
// can be fused into its producer.
void split_saturations(Ir& ir);
// Another part: fuses a saturating move into an instruction whose result has no other reader.
void fuse_saturations(Ir& ir);

}  // namespace cutaway::compiler
