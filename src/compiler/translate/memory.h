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
    bool cached = false;  // what others store meanwhile need not be seen
  };
  Words words_of(const Pointer& pointer);
  // The word that a pointer to a scalar names.
  Ref address_of(const Pointer& pointer, const Words& memory);

 private:
  void variable(const Word& word, uint32_t storage);
  void access_chain(const Word& word);
  Pointer pointer_to_load(const Word& word) const;
  bool is_array_of_blocks(uint32_t type) const;
  bool is_variable_pointer(uint32_t storage) const;
  uint32_t unit_of(uint32_t storage) const;
  Lanes place_of(const Pointer& pointer);
  void element_of(Pointer& pointer, const Word& word);
  void check_target(const Word& word, uint32_t type) const;
  bool compare(const Word& word);
  Lanes difference(const Word& word, const Lanes& bytes);
  uint32_t stride_of(uint32_t pointer_type) const;
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
  void buffer_components(uint32_t type, uint32_t offset, uint32_t component_stride, uint32_t matrix_stride,
                         bool row_major, std::vector<uint32_t>& bytes);
  void component_types(uint32_t type, std::vector<const Type*>& types);
  Ref dynamic_offset(const Pointer& pointer);
  bool is_uniform(const Pointer& pointer) const;
  // A component of a value in memory.
  struct Place {
    uint32_t byte = 0;  // from the dynamic part of the address on
    const Type* type = nullptr;
  };
  std::vector<Place> places_of(const Pointer& pointer, uint32_t offset);
  struct Run {
    uint32_t byte = 0, words = 0;
    size_t first = 0, count = 0;  // components
    bool alone = false;           // one that may lie anywhere in its word
  };
  static std::vector<Run> runs_of(const std::vector<Place>& places, bool whole);
  bool whole_words(const Pointer& pointer) const;
  Ref part_of_word(const Type& scalar, const Ref& word, const Ref& address);
  size_t fills_word(const std::vector<Place>& places, size_t first, size_t end) const;
  void store_part(const Words& memory, const Type& scalar, const Ref& address, const Ref& kept);
  bool holds_coherent(uint32_t type) const;
  Lanes load_words(const Pointer& pointer);
  void store_words(const Pointer& pointer, const Lanes& value);

  Inputs& inputs_;
  PatchMemory& patch_;
  std::unordered_set<uint32_t> in_scratch_;
  std::optional<PointerFlow> pointers_;  // where there are variable pointers
};

}  // namespace cutaway::compiler
