#pragma once

#include <cstdint>
#include <vector>

#include "arch/memory.h"

namespace cutaway::messages {

// Lines of memory requested from caches, each counted once: per piece of work and cache, per piece of work
// over all caches, and over all work. Caches may record a line repeatedly.
class TouchedLines {
 public:
  // A piece of work's lines in the caches of a kind.
  struct Footprint {
    uint64_t bytes = 0;                 // bytes of distinct lines
    uint64_t first_touches = 0;         // distinct lines of each cache, summed over the caches
    std::vector<uint64_t> cache_bytes;  // bytes of distinct lines, by cache
  };

  // Addresses of lines must be multiples of 64, and all caches have the same line size.
  void touch(uint32_t work, uint32_t cache, arch::Address line, uint32_t bytes);

  // Empty if the work touched no lines. Work counts from the first since clear().
  const Footprint& of(uint32_t work) const;
  uint64_t bytes() const { return bytes_; }  // bytes of distinct lines, over all work
  // Later lines are of another memory, whose addresses may be the same.
  void begin_space(uint32_t space) { space_ = space; }
  // Forgets everything; later work is at least `next`.
  void clear(uint32_t next);

 private:
  static constexpr uint32_t kAll = ~0u;  // all caches; all work
  struct Key {
    uint64_t line = 0;  // 0: the entry is free; otherwise address / 64 + 1
    uint32_t work = 0, cache = 0;
    bool operator==(const Key&) const = default;
  };

  bool insert(const Key& key);  // false: it was present
  Key& place_of(const Key& key);
  void grow();

  uint32_t first_ = 0, space_ = 0;
  std::vector<Footprint> footprints_;  // by work, from first_
  uint64_t bytes_ = 0;
  std::vector<Key> keys_ = std::vector<Key>(1024);  // a hash table; its size is a power of 2
  size_t used_ = 0;
};

}  // namespace cutaway::messages
