#pragma once

#include <cstddef>
#include <cstdint>

#include "arch/registers.h"

// Fetches vertex attributes from memory: plan, fetch the bytes, finish.
namespace cutaway::func {

using Assembly = decltype(arch::Registers::assembly);

struct VertexFetch {
  arch::Address address = 0;
  uint32_t bytes = 0;      // 0: nothing to read, the attribute is a constant
  bool in_bounds = false;  // false with bytes != 0: reads as zero bytes (DX-3)

  bool reads_memory() const { return bytes != 0 && in_bounds; }
};

// vertex: the index after vertex_offset or first_vertex was added, modulo 2^32. instance counts from 0 in its
// draw. Bindings step as Vulkan "Vertex Input Divisor" says. Addresses may have any alignment.
VertexFetch plan_vertex_fetch(const Assembly& assembly, uint32_t attribute, uint32_t vertex,
                              uint32_t instance, uint32_t first_instance);

// bytes: plan.bytes bytes; ignored unless plan.reads_memory().
void finish_vertex_fetch(const Assembly& assembly, uint32_t attribute, const VertexFetch& plan,
                         const std::byte* bytes, uint32_t out[4]);

}  // namespace cutaway::func
