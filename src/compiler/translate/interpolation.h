#pragma once

#include "compiler/translate/memory.h"

namespace cutaway::compiler {

// Fragment inputs that the program evaluates elsewhere in the pixel (GLSL.std.450 InterpolateAt*).
class Interpolation final : Part {
 public:
  Interpolation(Translation& t, Inputs& inputs, Memory& memory) : Part(t), inputs_(inputs), memory_(memory) {}

  // True if an instruction of GLSL.std.450 is one of these.
  static bool is_one(uint32_t instruction);
  // Returns the result of one.
  Lanes translate(const Word& word);

 private:
  Lanes sample_place(const Lanes& index);
  Lanes pull(const Word& word, uint32_t op, const Pointer& pointer);
  Lanes place_of(const Word& word, uint32_t op);
  void move_inputs(const Word& word, uint32_t op, std::span<Ref> inputs);

  Inputs& inputs_;
  Memory& memory_;
};

}  // namespace cutaway::compiler
