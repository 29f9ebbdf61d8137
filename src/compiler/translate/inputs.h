#pragma once

#include <unordered_set>

#include "compiler/translate/part.h"

namespace cutaway::compiler {

// Number of locations that a type occupies (Vulkan "Location Assignment").
uint32_t locations(const Module& module, uint32_t type);

// Variables of storage class Input: attributes, varyings and built-ins.
class Inputs final : Part {
 public:
  explicit Inputs(Translation& t) : Part(t) {}

  // Assigns registers to a variable (OpVariable).
  void declare(const Word& word);
  // True if a variable has an element per vertex of the primitive. Such variables are not in registers, but
  // read from the vertices (LDV).
  bool is_arrayed(uint32_t variable) const { return arrayed_.contains(variable); }
  // The components of a declared variable; of one vertex if it has an element per vertex. Registers of
  // vertices are numbered by location.
  const Lanes& lanes(uint32_t variable) const;
  // Interpolation of a varying's input register.
  const isa::Varying& varying(uint32_t reg) const;

  // Subgroups. In fragment and compute programs a subgroup is a quad.
  static constexpr uint32_t kSubgroupSize = 4, kSubgroupMask = 15;
  bool has_quads() const {
    return request_.stage == arch::Stage::kFragment || request_.stage == arch::Stage::kCompute;
  }
  Ref subgroup_lane();  // number of the invocation in its subgroup

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
