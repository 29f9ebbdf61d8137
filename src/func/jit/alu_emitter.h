#pragma once

#include "func/jit/register_cache.h"
#include "func/shader/micro_op.h"

namespace cutaway::func::jit {

// The compiler knows the instruction. The interpreter executes all others: transcendentals, divisions of
// integers, doubles, halves, bit fields, scratch memory and constants by index.
bool can_compile(const MicroOp& op);

// Emits instructions with the results of alu_kernels.h, bit for bit, for 16 lanes.
class AluEmitter {
 public:
  AluEmitter(Assembler& out, RegisterCache& cache) : out_(out), cache_(cache) {}

  // can_compile() must hold.
  void emit(const MicroOp& op);

 private:
  Zmm source(const MicroOp& op, uint32_t n, uint32_t component);
  Zmm modified(const MicroSource& source, Zmm value);
  Zmm result(const MicroOp& op, uint32_t component);
  Zmm for_all_components(const MicroOp& op);
  Zmm dot(const MicroOp& op, uint32_t terms);
  void normalize(const MicroOp& op, Zmm (&results)[4]);
  Zmm arithmetic(isa::Opcode op, const Zmm (&source)[3]);
  Zmm bits(isa::Opcode op, const Zmm (&source)[3]);
  Zmm extreme(bool greater, Zmm a, Zmm b);
  Zmm select(Zmm yes, Zmm no);
  Zmm copy(Zmm value);
  Zmm where(const Xbyak::Opmask& condition, Zmm value);
  Zmm saturated(Zmm value);
  Xbyak::Address pool(const uint32_t Pool::*word) const;

  Assembler& out_;
  RegisterCache& cache_;
};

}  // namespace cutaway::func::jit
