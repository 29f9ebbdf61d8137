#pragma once

#include "compiler/translate/inputs.h"
#include "compiler/translate/patch.h"
#include "compiler/translate/pointer_scan.h"
#include "compiler/translate/pointer_store.h"

namespace cutaway::compiler {

// Elements that a dynamic index may choose from where each choice is a select: arrays in registers.
constexpr uint32_t kMaxDynamicElements = 256;
constexpr uint32_t kMaxChoices = 64;  // descriptors that a dynamic index may choose from

// Variables and pointers to them: in registers (memory.cpp), and in the words of buffers, of scratch memory
// and of the memory of a workgroup (memory_words.cpp).
class Memory final : Part, public PointerStore {
 public:
  Memory(Translation& t, Inputs& inputs, PatchMemory& patch) : Part(t), inputs_(inputs), patch_(patch) {}

  // All variables of the module. Those among `in_scratch` lie in scratch memory.
  void variables(std::unordered_set<uint32_t> in_scratch);
  // Translates an instruction on pointers, and defines its result if it has one. False: it is none of these,
  // or its pointer is to an image or a sampler.
  bool translate(const Word& word);
  // What a pointer to an input loads if the input had these components.
  Lanes load_from(const Lanes& input, const Pointer& pointer) {
    return load_registers(pointer, 0, pointer.offset, &input);
  }
  void store(const Pointer& pointer, const Lanes& value) override;
  // What an operand points to. InvalidShader: it is no pointer.
  Pointer pointer_of(const Word& word, size_t operand) const;

  // A memory of words: its instructions and what its addresses start at.
  struct Words {
    Opcode load, store, atomic;
    uint8_t resource = 0;
    uint32_t base = 0;
    bool ordered = true;  // something may write what is loaded
  };
  Words words_of(const Pointer& pointer);
  // Calls visit(address, first component, words) for every run of up to four words.
  template <class Visit>
  void runs(const Pointer& pointer, const Words& memory, Visit&& visit);

 private:
  void variable(const Word& word, uint32_t storage);
  void access_chain(const Word& word);
  void define_pointer(const Word& word, const Pointer& pointer);
  Lanes load(const Pointer& pointer);
  Lanes load_vertex(const Pointer& pointer);
  Lanes load_vertex(const Pointer& pointer, const Ref& vertex);
  void step(Pointer& pointer, uint32_t index_id);
  Lanes load_registers(const Pointer& pointer, size_t step, uint32_t offset, const Lanes* input = nullptr);
  void store_registers(const Pointer& pointer, size_t step, uint32_t offset, const Ref& condition,
                       const Lanes& value);

  void place(const Word& word, const Type& type);
  Lanes load_buffer(const Pointer& pointer, size_t step, uint32_t offset);
  void buffer_components(const Pointer& p, uint32_t type, uint32_t offset, uint32_t component_stride,
                         uint32_t matrix_stride, bool row_major, std::vector<uint32_t>& bytes);
  Ref dynamic_offset(const Pointer& pointer);
  bool is_uniform(const Pointer& pointer) const;
  std::vector<uint32_t> word_offsets(const Pointer& pointer, uint32_t offset);
  Lanes load_words(const Pointer& pointer);
  void store_words(const Pointer& pointer, const Lanes& value);

  Inputs& inputs_;
  PatchMemory& patch_;
  std::unordered_set<uint32_t> in_scratch_;
};

template <class Visit>
void Memory::runs(const Pointer& p, const Words& memory, Visit&& visit) {
  const std::vector<uint32_t> bytes = word_offsets(p, p.offset);
  const Ref base = dynamic_offset(p);
  for (size_t i = 0; i < bytes.size();) {
    size_t run = 1;
    while (run < 4 && i + run < bytes.size() && bytes[i + run] == bytes[i] + 4 * run) ++run;
    visit(b.op2(Opcode::kIadd, {base}, {literal(memory.base + bytes[i])})[0], i, run);
    i += run;
  }
}

}  // namespace cutaway::compiler
