#pragma once

#include <unordered_set>

#include "compiler/translate/part.h"

namespace cutaway::compiler {

// How many locations a type takes (Vulkan "Location Assignment").
uint32_t locations(const Module& module, uint32_t type);

// Variables of storage class Input: attributes, varyings and built-ins.
class Inputs final : Part {
 public:
  explicit Inputs(Translation& t) : Part(t) {}

  // Finds the registers of a variable (OpVariable).
  void declare(const Word& word);
  // Whether a variable holds an element for each vertex of the primitive. Such are no registers, but read
  // from the vertices (LDV).
  bool is_arrayed(uint32_t variable) const { return arrayed_.contains(variable); }
  // The components of a declared variable; of one vertex, if it has an element for each. Registers of
  // vertices are numbered by location.
  const Lanes& lanes(uint32_t variable) const;
  // How the input register of a varying is interpolated.
  const isa::Varying& varying(uint32_t reg) const;

  // Subgroups. Fragment and compute programs run in quads, which are theirs.
  static constexpr uint32_t kSubgroupSize = 4, kSubgroupMask = 15;
  bool has_quads() const {
    return request_.stage == arch::Stage::kFragment || request_.stage == arch::Stage::kCompute;
  }
  Ref subgroup_lane();  // the number of the invocation in it

 private:
  Lanes subgroup_builtin(uint32_t builtin);
  Lanes builtin(uint32_t builtin, uint32_t type);
  Lanes vertex_builtin(uint32_t builtin);
  Lanes geometry_builtin(uint32_t builtin, uint32_t type);
  Lanes distances(uint32_t first, uint32_t type);
  Lanes special(uint32_t location, uint32_t components);
  Lanes compute_builtin(uint32_t builtin);
  Lanes fragment_builtin(uint32_t builtin, uint32_t type);
  void append(Lanes& lanes, uint32_t type, const Decorations& d, uint32_t location, uint32_t component);

  std::unordered_map<uint32_t, Lanes> lanes_;  // by variable
  std::unordered_set<uint32_t> arrayed_;       // variables
};

}  // namespace cutaway::compiler
