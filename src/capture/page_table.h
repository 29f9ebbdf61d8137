#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>

namespace cutaway::capture {

// Numbers pages by content, from 0: equal bytes get the same number. Contents are compared by a hash of 128
// bits (XXH3), which does not protect against crafted collisions; someone who records their own program has
// no reason to craft any.
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
