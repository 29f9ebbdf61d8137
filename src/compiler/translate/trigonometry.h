#pragma once

#include <initializer_list>

#include "compiler/translate/part.h"

namespace cutaway::compiler {

// Trigonometric and hyperbolic functions of GLSL.std.450, of 32-bit floats.
class Trigonometry final : Part {
 public:
  explicit Trigonometry(Translation& t) : Part(t) {}

  // Returns the result of instruction `op` of the set. second: the second operand of Atan2.
  Lanes translate(const Word& word, uint32_t op, const Lanes& x, const Lanes& second);

 private:
  Lanes atan(const Lanes& t);
  Lanes exp2(const Lanes& a) { return b.scalar(Opcode::kEx2, a); }
  Lanes log2(const Lanes& a) { return b.scalar(Opcode::kLg2, a); }
  Lanes polynomial(const Lanes& x, std::initializer_list<float> coefficients);  // highest power first
};

}  // namespace cutaway::compiler
