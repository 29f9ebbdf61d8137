#pragma once

#include "compiler/translate/inputs.h"
#include "compiler/translate/patch.h"
#include "compiler/translate/pointer_scan.h"
#include "compiler/translate/pointer_store.h"

namespace cutaway::compiler {

// Limit for arrays in registers with a dynamic index: each element costs a select.
constexpr uint32_t kMaxDynamicElements = 256;
constexpr uint32_t kMaxChoices = 64;  // most descriptors that a dynamic index may choose from

// Variables and pointers to them: in registers (memory.cpp), or in the words of buffers, scratch memory and
// workgroup memory (memory_words.cpp).
class Memory final : Part, public PointerStore {
 public:
  Memory(Translation& t, Inputs& inputs, PatchMemory& patch) : Part(t), inputs_(inputs), patch_(patch) {}

  // Places all variables of the module. Those in `in_scratch` go to scratch memory.
  void variables(std::unordered_set<uint32_t> in_scratch);
  // Translates an instruction on pointers, and defines its result if it has one. Returns false for other
  // instructions, and for pointers to an image or a sampler.
  bool translate(const Word& word);
  // Loads through a pointer to an input as if the input had these components.
  Lanes load_from(const Lanes& input, const Pointer& pointer) {
    return load_registers(pointer, 0, pointer.offset, &input);
  }
  void store(const Pointer& pointer, const Lanes& value) override;
  Pointer pointer_of(const Word& word, size_t operand) const override;

  // A memory of words: its instructions and the base of its addresses.
  struct Words {
    Opcode load, store, atomic;
    uint8_t resource = 0;
    uint32_t base = 0;
    bool ordered = true;  // something may write the loaded words
    bool cached = false;  // concurrent stores of others need not be seen
  };
  Words words_of(const Pointer& pointer);
  // Address of the word that a pointer to a scalar names.
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
  PointerLayout layout_of(const Word& word, uint32_t id, uint32_t type) const;
  bool compare(const Word& word);
  uint32_t bytes_of(uint32_t type) const;
  uint32_t element_bytes(const Word& word) const;
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
  uint32_t block_of(const Pointer& pointer) const;
  bool is_uniform(const Pointer& pointer) const;
  uint64_t extent_of(uint32_t type, uint32_t matrix_stride, bool row_major) const;
  uint16_t block_slots(const Pointer& pointer) const;
  // A component of a value in memory.
  struct Place {
    uint32_t byte = 0;  // from the dynamic part of the address
    const Type* type = nullptr;
  };
  std::vector<Place> places_of(const Pointer& pointer, uint32_t offset);
  struct Run {
    uint32_t byte = 0, words = 0;
    size_t first = 0, count = 0;  // components
    bool alone = false;           // a single component anywhere in its word
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
  std::optional<PointerFlow> pointers_;  // set in modules whose pointers may be values
};

}  // namespace cutaway::compiler
