#pragma once

#include "compiler/translate/part.h"

namespace cutaway::compiler {

// Textures, samplers, storage images and input attachments.
class Images final : Part {
 public:
  explicit Images(Translation& t) : Part(t) {}

  // Translates an instruction, and defines its result if it has one. Returns false for other instructions.
  bool translate(const Word& word);
  // An access to a storage image, without its resource slot.
  Inst image_access(const Word& word, Opcode op, const Handle& handle, const Lanes& coordinates);

 private:
  // Coordinates, levels, offsets and texels: an operand of any width as words, without modifiers.
  Lanes words(const Word& word, size_t operand) { return b.bits(as_words(arg(word, operand))); }
  Handle handle_of(const Pointer& pointer) const;
  Lanes access(const Handle& handle, Inst inst, bool sampled);
  void sample(const Word& word);
  Lanes sample_operands(const Word& word, size_t next, bool gather, Inst& inst);
  void fetch(const Word& word);
  void query(const Word& word);
  void write_image(const Word& word);
  void texture_result(const Word& word, const Handle& handle, Inst inst, bool sampled);
  void set_offset(const Word& word, const Lanes& offset, Inst& inst) const;
  void gather_each(const Word& word, const Handle& handle, Inst inst, const Lanes& offsets);
};

}  // namespace cutaway::compiler
