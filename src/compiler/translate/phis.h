#pragma once

#include <unordered_map>
#include <unordered_set>

#include "compiler/translate/block_order.h"
#include "compiler/translate/part.h"

namespace cutaway::compiler {

constexpr uint32_t kReturn = ~0u;  // label for the end of a function

// Phis: each is a variable that the jumps to its block write.
class Phis final : Part {
 public:
  Phis(Translation& t, const BlockOrder& blocks) : Part(t), blocks_(blocks) {}

  // Values of phis in blocks that a jump passes, by their ids.
  using Passed = std::unordered_map<uint32_t, Lanes>;

  // True if a block begins with phis.
  bool any(uint32_t label) const;
  // Writes the values that a block's phis take on one of its edges. InvalidShader: one is of another type.
  void edge(uint32_t from, uint32_t to, const Passed& passed = {});
  // The values of the phis in the last block that a way passes, for lanes that come from block `from`.
  Passed passed_on(const BlockOrder::Way& way, uint32_t from);
  // Defines a block's phis from the values that its edges wrote.
  void define_all(const Label& block);

  using Slots = std::unordered_map<uint32_t, uint32_t>;  // OpPhi → first slot
  const Slots& slots() const { return slots_; }
  void restore(Slots slots) { slots_ = std::move(slots); }

 private:
  uint32_t incoming(const Word& phi, uint32_t from);

  const BlockOrder& blocks_;
  Slots slots_;
  // Phis with many parents: (phi, parent) → value.
  std::unordered_map<uint64_t, uint32_t> incoming_;
  std::unordered_set<uint32_t> indexed_;
};

}  // namespace cutaway::compiler
