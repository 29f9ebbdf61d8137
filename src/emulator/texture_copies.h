#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "arch/memory.h"
#include "emulator/texel_storage.h"
#include "func/texture/texel_copy.h"

namespace cutaway::emulator {

// Decoded copies of textures. A texture gets one when as many samples as pay for it were taken without. A
// copy holds the texture's pages, so that each change shows. Where it paid before the change, the next use
// makes another; otherwise twice as many samples must precede that.
class TextureCopies {
 public:
  struct Found {
    std::shared_ptr<const func::TexelCopy> copy;  // may be null
    std::shared_ptr<uint64_t> samples;            // the user adds those that it took
  };
  // Returns the copy of a texture as it is now, if it has one. It stays right until something writes to the
  // texture. Nothing else may use the memory meanwhile.
  Found find(const arch::Memory& memory, const func::TextureView& view, const func::WideTexture& texture);

 private:
  // A sample from a copy saves the time in which about one texel is copied, and so many if texels of the
  // texture must be converted one by one.
  static constexpr uint64_t kWorthOfConversion = 8;
  static constexpr uint64_t kMostPatience = 4096;
  static constexpr uint64_t kMostBytes = 256 << 20;  // of the storage of all copies
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
    arch::Memory::Hold hold;                                            // with a copy: its pages
    std::shared_ptr<uint32_t> storage;                                  // of the last copy
    std::shared_ptr<uint64_t> samples = std::make_shared<uint64_t>(0);  // since the last change
    uint64_t patience = 1;                                              // 0: a copy pays at once
  };

  void forget();
  // True if the samples since the last change pay for copying `texels` that often.
  static bool pays(const Entry& entry, const func::WideTexture& texture, uint64_t texels, uint64_t times);

  std::unordered_map<Key, Entry, Hash> entries_;
  TexelStorage storage_;
  uint64_t bytes_ = 0;
};

}  // namespace cutaway::emulator
