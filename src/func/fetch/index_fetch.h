#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "func/fetch/vertex_fetch.h"

// Fetches indices from memory: plan, fetch the bytes, finish.
namespace cutaway::func {

constexpr uint32_t index_bytes(uint32_t type) {  // arch::IndexType; 1, 2 or 4
  return type == static_cast<uint32_t>(arch::IndexType::kUint32)  ? 4
         : type == static_cast<uint32_t>(arch::IndexType::kUint8) ? 1
                                                                  : 2;
}

constexpr uint32_t restart_index(uint32_t type) {  // all ones
  return index_bytes(type) == 4 ? 0xffffffff : (1u << (8 * index_bytes(type))) - 1;
}

struct IndexFetch {
  arch::Address address = 0;
  uint32_t bytes = 0;
  bool in_bounds = false;  // false: the index is 0 (DX-3)
};

// i: the position in the index buffer, first_index included; 64 bits, as the sum may exceed 32.
inline IndexFetch plan_index_fetch(const Assembly& assembly, uint64_t i) {
  IndexFetch plan;
  plan.bytes = index_bytes(assembly.index_type);
  plan.in_bounds = i < assembly.index_bytes / plan.bytes;
  if (plan.in_bounds) plan.address = assembly.index_address + i * plan.bytes;
  return plan;
}

struct Index {
  uint32_t value = 0;  // as stored: vertex_offset is not added
  bool restart = false;
};

inline Index finish_index_fetch(const Assembly& assembly, const IndexFetch& plan, const std::byte* bytes) {
  Index index;
  if (plan.in_bounds) std::memcpy(&index.value, bytes, plan.bytes);
  index.restart =
      assembly.primitive_restart && plan.in_bounds && index.value == restart_index(assembly.index_type);
  return index;
}

}  // namespace cutaway::func
