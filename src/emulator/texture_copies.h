#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "arch/memory.h"
#include "emulator/texel_storage.h"
#include "func/texture/texel_copy.h"

namespace cutaway::emulator {

// Decoded copies of textures whose pages stayed the same for some uses. A copy holds the pages, so that each
// change of the texture shows.
class TextureCopies {
 public:
  // Returns the copy of a texture as it is now, or null if it has none. It stays right until something writes
  // to the texture. Nothing else may use the memory meanwhile.
  std::shared_ptr<const func::TexelCopy> find(const arch::Memory& memory, const func::TextureView& view,
                                              const func::WideTexture& texture);

 private:
  static constexpr uint32_t kFirstWait = 4, kLongestWait = 4096;  // uses
  static constexpr uint64_t kMostBytes = 256 << 20;               // of all copies together
  static constexpr size_t kMostEntries = 1 << 14;

  // A copy depends on this, besides the bytes in memory.
  struct Key {
    const arch::Memory* memory;
    arch::Surface surface;
    uint32_t wrap_u;
    bool operator==(const Key& other) const;
  };
  struct Hash {
    size_t operator()(const Key& key) const;
  };
  struct Entry {
    std::shared_ptr<const func::TexelCopy> copy;
    arch::Memory::Hold hold;     // with a copy: its pages
    uint64_t bytes = 0;          // of the copy
    uint64_t pages = 0;          // without: a hash of which pages were there last
    uint32_t unchanged = 0;      // uses in which they were the same
    uint32_t wait = kFirstWait;  // as many are needed for a copy
  };

  void forget();
  static bool may_copy(const arch::Memory& memory, const func::WideTexture& texture, Entry& entry);

  std::unordered_map<Key, Entry, Hash> entries_;
  TexelStorage storage_;
  uint64_t bytes_ = 0;
};

}  // namespace cutaway::emulator
