#pragma once

#include <cstddef>

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
  struct Operands {
    Zmm a, b, c;
  };

  Zmm source(const MicroOp& op, uint32_t n, uint32_t component);
  Zmm modified(const MicroSource& source, Zmm value);
  Zmm result(const MicroOp& op, uint32_t component);
  Zmm for_all_components(const MicroOp& op);
  Zmm dot(const MicroOp& op, uint32_t terms);
  void normalize(const MicroOp& op, Zmm (&results)[4]);
  Zmm select(Zmm yes, Zmm no);  // by kCondition
  Zmm copy(Zmm value);
  Zmm saturated(Zmm value);

  // alu_instructions.cpp
  Zmm arithmetic(isa::Opcode op, const Operands& in);
  Zmm extreme(bool greater, Zmm a, Zmm b);
  void derivative(isa::Opcode op, Zmm r, Zmm a);
  void blend(isa::Opcode op, Zmm r, const Operands& in);
  void round(isa::Opcode op, Zmm r, Zmm a);
  void root(isa::Opcode op, Zmm r, Zmm a);
  Zmm bits(isa::Opcode op, const Operands& in);
  void sign(Zmm r, Zmm a);
  void compare(isa::Opcode op, const Operands& in);
  void shift(isa::Opcode op, Zmm r, const Operands& in);
  void convert(isa::Opcode op, Zmm r, Zmm a);
  void integer(isa::Opcode op, Zmm r, const Operands& in);

  Xbyak::Address broadcast(const uint32_t Pool::*member) const { return out_.ptr_b[address(member)]; }
  Xbyak::Address word(const uint32_t Pool::*member) const { return out_.ptr[address(member)]; }
  static Xbyak::RegExp address(const uint32_t Pool::*member) {
    const auto* first = reinterpret_cast<const std::byte*>(&kPool);
    return kPoolAddress + static_cast<size_t>(reinterpret_cast<const std::byte*>(&(kPool.*member)) - first);
  }

  Assembler& out_;
  RegisterCache& cache_;
};

}  // namespace cutaway::func::jit
