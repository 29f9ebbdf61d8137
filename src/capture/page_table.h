#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>

namespace cutaway::capture {

// Numbers pages by their bytes: the same bytes get the same number, the next one counts from 0. Bytes are
// told apart by a hash of 128 bits (XXH3), which is no guard against bytes made to collide: who records a
// program of his own has no reason to.
class PageTable {
 public:
  struct Found {
    uint64_t number = 0;
    bool fresh = false;  // seen for the first time
  };
  Found find(std::span<const std::byte> page);

 private:
  struct Hash {
    uint64_t low = 0, high = 0;
    bool operator==(const Hash&) const = default;
  };
  struct Low {
    size_t operator()(const Hash& hash) const { return hash.low; }
  };
  std::unordered_map<Hash, uint64_t, Low> numbers_;
};

}  // namespace cutaway::capture
