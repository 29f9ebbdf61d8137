#pragma once

#include "compiler/translate/images.h"
#include "compiler/translate/memory.h"

namespace cutaway::compiler {

// Memory instructions other than OpLoad and OpStore, and instructions between invocations.
class Storage final : Part {
 public:
  Storage(Translation& t, Memory& memory, Images& images) : Part(t), memory_(memory), images_(images) {}

  // Translates an instruction, and defines its result if it has one. Returns false for other instructions.
  bool translate(const Word& word);

 private:
  uint8_t fence_of(uint32_t scope_id, uint32_t semantics_id);
  void barrier(Opcode op, uint8_t fence);
  void atomic(const Word& word);
  void acquire(const Word& word);
  void array_length(const Word& word);
  Lanes array_length(const Pointer& pointer, uint32_t offset, uint32_t stride);

  Memory& memory_;
  Images& images_;
};

}  // namespace cutaway::compiler
