#pragma once

#include <memory>

#include "func/jit/assembler.h"
#include "func/shader/micro_op.h"

namespace cutaway::func::jit {

// Predicates of VCMPPS.
enum class Compare : uint8_t {
  kEqual = 0,
  kLess = 1,
  kUnordered = 3,
  kUnequal = 4,
  kGreaterEqual = 13,
  kGreater = 14
};
enum class CompareIntegers : uint8_t {
  kEqual,
  kUnequal,
  kLess,
  kGreaterEqual,
  kBelow,
  kAboveEqual
};  // below: unsigned
// Modes of VROUNDPS.
enum class Rounding : uint8_t { kToNearest = 0, kDown = 1, kUp = 2, kToZero = 3 };

// Emits what the vector instruction sets do in different ways; other instructions have the same names in
// both. A comparison sets the condition, which lasts until the next one.
class Vectors {
 public:
  virtual ~Vectors() = default;

  virtual uint32_t lanes() const = 0;
  virtual int registers() const = 0;  // that at() offers
  virtual Vector at(int n) const = 0;

  // Takes the next lanes of kLanesArgument as those that execute.
  virtual void next_lanes() = 0;
  // Changes `old` in the lanes that execute.
  virtual void merge(Vector old, Vector value) = 0;
  // Gives NaNs the canonical payload. Keeps the condition.
  virtual void canonicalize(Vector value) = 0;

  virtual void compare(Vector a, const Xbyak::Operand& b, Compare predicate) = 0;
  virtual void compare_integers(Vector a, Vector b, CompareIntegers predicate) = 0;
  virtual void compare_with_zero(Vector a) = 0;  // the condition is that no bit is set

  virtual void select(Vector r, const Xbyak::Operand& yes, Vector no) = 0;  // r may be `no`
  virtual void truth(Vector r) = 0;                                         // all ones, or zeros

  virtual void round(Vector r, Vector a, Rounding mode) = 0;
  virtual void unsigned_to_float(Vector r, Vector a) = 0;
  virtual void float_to_unsigned(Vector r, Vector a) = 0;

 protected:
  explicit Vectors(Assembler& out) : out_(out) {}
  Assembler& out_;
};

// kAvx2 or kAvx512.
std::unique_ptr<Vectors> make_vectors(Assembler& out, AluPath path);

}  // namespace cutaway::func::jit
