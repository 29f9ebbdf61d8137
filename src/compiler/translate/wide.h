#pragma once

#include "compiler/builder.h"

namespace cutaway::compiler {

// Integers of 64 bits. An element is two consecutive words, the low word first. Operands have equally many
// elements.
class Wide {
 public:
  using Lanes = Builder::Lanes;
  explicit Wide(Builder& builder) : b(builder) {}

  static Lanes low(const Lanes& x) { return words(x, 0); }
  static Lanes high(const Lanes& x) { return words(x, 1); }
  static Lanes join(const Lanes& low, const Lanes& high);
  Lanes zero_extended(const Lanes& words) { return join(words, zeros(words.size())); }
  Lanes sign_extended(const Lanes& words) { return join(words, shifted(Opcode::kAsr, words, 31)); }

  Lanes add(const Lanes& x, const Lanes& y);
  Lanes sub(const Lanes& x, const Lanes& y);
  Lanes negate(const Lanes& x) { return sub(zeros(x.size()), x); }
  Lanes mul(const Lanes& x, const Lanes& y);
  Lanes mul_high(const Lanes& x, const Lanes& y);  // high half of the unsigned product
  // Shift amounts are one word each, of which six bits count.
  Lanes shift_left(const Lanes& x, const Lanes& by);
  Lanes shift_right(const Lanes& x, const Lanes& by, bool is_signed);
  // Booleans, one per element.
  Lanes equal(const Lanes& x, const Lanes& y);
  Lanes less(const Lanes& x, const Lanes& y, bool is_signed);
  Lanes is_negative(const Lanes& x);
  Lanes select(const Lanes& condition, const Lanes& yes, const Lanes& no);
  Lanes absolute(const Lanes& x) { return select(is_negative(x), negate(x), x); }
  // Division by zero gives all ones; the remainder is the dividend.
  struct Division {
    Lanes quotient, rest;
  };
  Division divide(const Lanes& x, const Lanes& y);         // unsigned
  Division divide_signed(const Lanes& x, const Lanes& y);  // toward zero
  Lanes to_float(const Lanes& x, bool is_signed);          // rounded to nearest even
  Lanes of_float(const Lanes& x, bool is_signed);          // toward zero

 private:
  static Lanes words(const Lanes& x, size_t which);
  static Lanes zeros(size_t count) { return Lanes(count, literal(0)); }
  Lanes shifted(Opcode op, const Lanes& x, uint32_t by) {
    return b.op2(op, x, Builder::splat(literal(by), x.size()));
  }
  Lanes any(const Lanes& words);
  Division divide_in_loop(const Lanes& x, const Lanes& y);

  Builder& b;
};

}  // namespace cutaway::compiler
