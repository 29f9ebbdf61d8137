#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cutaway {

// XXH3, 64 bits. The same bytes and seed give the same hash on every machine.
uint64_t hash_bytes(const void* data, size_t size, uint64_t seed = 0);

inline uint64_t hash_bytes(std::span<const std::byte> bytes, uint64_t seed = 0) {
  return hash_bytes(bytes.data(), bytes.size(), seed);
}

}  // namespace cutaway
