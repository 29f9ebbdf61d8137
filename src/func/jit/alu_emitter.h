#pragma once

#include "func/jit/register_cache.h"
#include "func/shader/micro_op.h"

namespace cutaway::func::jit {

// The compiler knows the instruction. The interpreter executes all others: transcendentals, divisions of
// integers, doubles, halves, bit fields, scratch memory and constants by index.
bool can_compile(const MicroOp& op);

// Emits instructions with the results of alu_kernels.h, bit for bit, for the lanes of a vector.
class AluEmitter {
 public:
  AluEmitter(Assembler& out, Vectors& vectors, RegisterCache& cache)
      : out_(out), vectors_(vectors), cache_(cache) {}

  // can_compile() must hold.
  void emit(const MicroOp& op);

 private:
  struct Operands {
    Vector a, b, c;
  };

  Vector source(const MicroOp& op, uint32_t n, uint32_t component);
  Vector modified(const MicroSource& source, Vector value);
  Vector result(const MicroOp& op, uint32_t component);
  Vector for_all_components(const MicroOp& op);
  Vector dot(const MicroOp& op, uint32_t terms);
  void normalize(const MicroOp& op, Vector (&results)[4]);
  Vector select(Vector yes, Vector no);  // by the condition
  Vector copy(Vector value);
  Vector saturated(Vector value);

  // alu_instructions.cpp
  Vector arithmetic(isa::Opcode op, const Operands& in);
  Vector extreme(bool greater, Vector a, Vector b);
  void derivative(isa::Opcode op, Vector r, Vector a);
  void blend(isa::Opcode op, Vector r, const Operands& in);
  void round(isa::Opcode op, Vector r, Vector a);
  void reciprocal(Vector r, Vector a);
  void negate(Vector r, Vector a);
  void root(isa::Opcode op, Vector r, Vector a);
  Vector bits(isa::Opcode op, const Operands& in);
  void sign(Vector r, Vector a);
  void compare(isa::Opcode op, const Operands& in);
  void shift(isa::Opcode op, Vector r, const Operands& in);
  void convert(isa::Opcode op, Vector r, Vector a);
  void integer(isa::Opcode op, Vector r, const Operands& in);

  template <class Constant>
  Xbyak::Address constant(const Constant Pool::*member) const {
    return in_pool(out_, member);
  }

  Assembler& out_;
  Vectors& vectors_;
  RegisterCache& cache_;
};

}  // namespace cutaway::func::jit
