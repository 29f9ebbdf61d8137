#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "func/texture/texture_view.h"
#include "func/texture/wide_sample.h"

namespace cutaway::func {

// True for textures that sample_copy() can sample from a copy: plain ones of 8-bit codes without comparison,
// whose columns end at an edge, in the border's color or where they began.
bool can_copy(const WideTexture& texture);

// Reads bytes of memory.
using TexelReader = std::function<void(arch::Address address, uint32_t bytes, std::byte* to)>;

// A copy and its storage.
class TexelCopy {
 public:
  // Storage that it needs.
  static size_t words(const TextureView& view);
  // Copies and decodes all levels of a texture that can_copy().
  TexelCopy(const TextureView& view, const WideTexture& texture, const TexelReader& read,
            std::shared_ptr<uint32_t> storage);
  TexelCopy(const TexelCopy&) = delete;
  TexelCopy& operator=(const TexelCopy&) = delete;

  const TexelRows& rows() const { return rows_; }

 private:
  void copy_level(const TextureView& view, const WideTexture& texture, const TexelReader& read,
                  uint32_t level, std::vector<std::byte>& bytes);

  std::shared_ptr<uint32_t> storage_;
  TexelRows rows_;
};

}  // namespace cutaway::func
