#pragma once

#include <cstddef>
#include <cstdint>

#include "arch/registers.h"
#include "func/format/texel.h"

// Fetches vertex attributes from memory: plan, fetch the bytes, finish.
namespace cutaway::func {

using Assembly = decltype(arch::Registers::assembly);

struct VertexFetch {
  arch::Address address = 0;
  uint32_t bytes = 0;      // 0: nothing to read, the attribute is a constant
  bool in_bounds = false;  // false with bytes != 0: reads as zero bytes (DX-3)

  bool reads_memory() const { return bytes != 0 && in_bounds; }
};

// One attribute's fetches: computes once what is the same for all vertices of a draw.
class AttributeFetch {
 public:
  AttributeFetch() = default;  // of a constant
  AttributeFetch(const Assembly& assembly, uint32_t attribute);

  // The functions below.
  VertexFetch plan(uint32_t vertex, uint32_t instance, uint32_t first_instance) const {
    uint64_t element = vertex;
    if (by_instance_) element = uint64_t{first_instance} + (divisor_ ? instance / divisor_ : 0);
    VertexFetch plan{.bytes = bytes_};
    if (!fits_ || element > last_) return plan;
    plan.address = start_ + element * stride_;
    plan.in_bounds = true;
    return plan;
  }
  void finish(const VertexFetch& plan, const std::byte* bytes, uint32_t out[4]) const;

  // An element of 32-bit floats: their number. Each is a component as it lies; absent ones are 0, 0, 0, 1.
  // 0: elements must be converted.
  uint32_t float_words() const { return layout_ == TexelLayout::kFloat32 ? bytes_ / 4 : 0; }

 private:
  const arch::FormatInfo* format_ = &arch::format_info(arch::Format::UNDEFINED);
  TexelLayout layout_ = TexelLayout::kNone;
  uint32_t bytes_ = 0;  // of an element; 0: the attribute is a constant
  bool by_instance_ = false, fits_ = false;
  uint32_t divisor_ = 0;
  arch::Address start_ = 0;
  uint64_t stride_ = 0, last_ = ~uint64_t{0};  // elements up to the last are in bounds, if any fits
};

// vertex: the index after vertex_offset or first_vertex was added, modulo 2^32. instance counts from 0 in its
// draw. Bindings step as Vulkan "Vertex Input Divisor" says. Addresses may have any alignment.
VertexFetch plan_vertex_fetch(const Assembly& assembly, uint32_t attribute, uint32_t vertex,
                              uint32_t instance, uint32_t first_instance);

// bytes: plan.bytes bytes; ignored unless plan.reads_memory().
void finish_vertex_fetch(const Assembly& assembly, uint32_t attribute, const VertexFetch& plan,
                         const std::byte* bytes, uint32_t out[4]);

}  // namespace cutaway::func
