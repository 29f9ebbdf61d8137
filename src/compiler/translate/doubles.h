#pragma once

#include "compiler/translate/floats.h"

namespace cutaway::compiler {

// Floats of 64 bits. Each element is two consecutive words, the low word first. Operations without a machine
// instruction are composed from others.
class Doubles final : public Floats {
 public:
  explicit Doubles(Builder& builder) : b(builder) {}

  size_t words() const override { return 2; }
  Lanes add(const Lanes& x, const Lanes& y) override { return op(Opcode::kDadd, {x, y}); }
  Lanes mul(const Lanes& x, const Lanes& y) override { return op(Opcode::kDmul, {x, y}); }
  Lanes mad(const Lanes& x, const Lanes& y, const Lanes& z) override { return add(mul(x, y), z); }
  Lanes divide(const Lanes& x, const Lanes& y) override { return op(Opcode::kDdiv, {x, y}); }
  Lanes min(const Lanes& x, const Lanes& y) { return op(Opcode::kDmin, {x, y}); }
  Lanes max(const Lanes& x, const Lanes& y) override { return op(Opcode::kDmax, {x, y}); }
  Lanes floor(const Lanes& x) { return op(Opcode::kDflr, {x}); }
  Lanes trunc(const Lanes& x) override { return op(Opcode::kDtrunc, {x}); }
  Lanes sqrt(const Lanes& x) override { return op(Opcode::kDsqrt, {x}); }
  Lanes inverse_sqrt(const Lanes& x) override { return reciprocal(sqrt(x)); }
  Lanes reciprocal(const Lanes& x) override { return divide(constant(1, elements(x)), x); }
  Lanes sign(const Lanes& x) override;
  Lanes negate(const Lanes& x) override;
  Lanes absolute(const Lanes& x) override;
  Lanes dot(const Lanes& x, const Lanes& y) override;
  Lanes if_negative(const Lanes& x, const Lanes& yes, const Lanes& no) override {
    return select(op(Opcode::kDlt, {x, constant(0, elements(x))}), yes, no);
  }
  Lanes constant(double value, size_t elements) override;

  // Emits one instruction per element. Comparisons and conversions to words give one lane per element;
  // conversions from words take one.
  Lanes op(Opcode op, const std::vector<Lanes>& sources);
  Lanes select(const Lanes& condition, const Lanes& yes, const Lanes& no);  // one condition per element
  Lanes is_infinite(const Lanes& x);
  // Converts 64-bit integers, two words each: from integers rounded to nearest even, to integers toward zero.
  Lanes of_wide(const Lanes& x, bool is_signed);
  Lanes to_wide(const Lanes& x, bool is_signed);
  // Converts to floats with the same nearest half as x.
  Lanes to_float_of_half(const Lanes& x);
  struct Parts {
    Lanes significand, exponent;  // doubles, words
  };
  Parts frexp(const Lanes& x);
  Lanes ldexp(const Lanes& x, const Lanes& exponent);  // words

 private:
  Lanes words_of(Opcode op, const Lanes& bits, uint32_t literal_bits) {
    return b.op2(op, bits, Builder::splat(literal(literal_bits), bits.size()));
  }

  Builder& b;
};

}  // namespace cutaway::compiler
