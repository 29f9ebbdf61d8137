#pragma once

#include "compiler/translate/floats.h"
#include "compiler/translate/part.h"
#include "compiler/translate/pointer_store.h"
#include "compiler/translate/trigonometry.h"

namespace cutaway::compiler {

// Instructions of GLSL.std.450, except interpolation.
class Glsl final : Part {
 public:
  Glsl(Translation& t, PointerStore& stores) : Part(t), stores_(stores), trigonometry_(t) {}

  // Returns the result of an OpExtInst of that set.
  Lanes translate(const Word& word);
  // The same for SPV_AMD_shader_trinary_minmax (glsl_trinary.cpp).
  Lanes trinary(const Word& word);

 private:
  static bool reads_signed(uint32_t op);
  Lanes operand_of(uint32_t id, uint32_t op);
  Lanes computed(const Word& word, uint32_t op, const std::vector<Lanes>& a);
  Lanes of_words(const Word& word, uint32_t op, const std::vector<Lanes>& a);
  Lanes wide(const Word& word, uint32_t op, const std::vector<Lanes>& a);
  Lanes pack(const Word& word, uint32_t op, const Lanes& a);
  Lanes of_doubles(const Word& word, uint32_t op, const std::vector<Lanes>& a);  // glsl_double.cpp
  Lanes normalize(const Lanes& x);
  Lanes geometry(const Word& word, uint32_t op, const std::vector<Lanes>& a, Floats& f);
  Lanes modf(const Word& word, uint32_t op, const Lanes& x, Floats& f);
  Lanes two_results(const Word& word, bool to_pointer, Lanes first, const Lanes& second);
  Lanes fraction(const Word& word, uint32_t op, const std::vector<Lanes>& a);
  Lanes exp2(const Lanes& a) { return b.scalar(Opcode::kEx2, a); }
  Lanes log2(const Lanes& a) { return b.scalar(Opcode::kLg2, a); }

  PointerStore& stores_;
  Trigonometry trigonometry_;
};

}  // namespace cutaway::compiler
