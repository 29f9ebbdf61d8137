#pragma once

#include "compiler/translate/part.h"

namespace cutaway::compiler {

// A patch's memory: outputs of a tessellation control program, which its invocations share, and inputs of the
// evaluation program. isa::PatchLayout gives the place of each location.
class PatchMemory final : Part {
 public:
  explicit PatchMemory(Translation& t) : Part(t) {}

  // Assigns places to a control program's outputs; call before translation. UnsupportedShader: they exceed a
  // patch's memory.
  void lay_out();
  const isa::PatchLayout& layout() const { return interface.patch; }

  // True if a variable is in patch memory.
  bool holds(const Word& variable) const;
  // Makes a pointer to a variable point to its place.
  void place(Pointer& pointer);
  // Follows one index of an access chain; a literal if it is known.
  void step(Pointer& pointer, uint32_t index_id, std::optional<uint32_t> index);
  // Appends the byte offsets of a value's components, in order: from the start of the patch, or of the first
  // vertex.
  void components(const Pointer& pointer, std::vector<uint32_t>& bytes);

 private:
  bool is_of_patch(uint32_t variable, uint32_t type) const;
  std::optional<uint32_t> builtin_of(const Word& variable) const;
  void note_locations(uint32_t type, const Decorations& d, uint32_t location, uint32_t limit,
                      std::array<bool, 64>& used);
  void name_builtin(Pointer& pointer, uint32_t builtin, uint32_t type);
  void components(const Pointer& pointer, uint32_t type, uint32_t location, uint32_t component, bool packed,
                  std::vector<uint32_t>& bytes);
  uint32_t byte_of(const Pointer& pointer, uint32_t location, uint32_t component) const;
};

}  // namespace cutaway::compiler
