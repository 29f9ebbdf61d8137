#pragma once

#include <cstddef>

#include "icd/vulkan.h"

namespace cutaway::icd {

// Becomes any member of a structure.
struct AnyMember {
  template <class Member>
  operator Member() const;
};

// Members of a structure, those of arrays one by one.
template <class Struct, class... Members>
constexpr size_t member_count() {
  if constexpr (requires { Struct{Members{}..., AnyMember{}}; })
    return member_count<Struct, Members..., AnyMember>();
  else return sizeof...(Members);
}

// Sets a structure of a pNext chain to zeros, then to what body(structure) says; its head stays. Gives the
// number of members behind sType and pNext.
template <class Struct, class Body>
size_t fill(VkBaseOutStructure* target, Body&& body) {
  auto& s = *reinterpret_cast<Struct*>(target);
  VkBaseOutStructure* const next = target->pNext;
  const VkStructureType type = target->sType;
  s = {};
  body(s);
  target->sType = type;
  target->pNext = next;
  return member_count<Struct>() - 2;
}

}  // namespace cutaway::icd
