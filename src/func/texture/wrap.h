#pragma once

#include <cstdint>

#include "arch/state.h"

namespace cutaway::func {

constexpr int64_t kBorderTexel = -1;

constexpr int64_t floor_modulo(int64_t value, int64_t size) {
  if ((size & (size - 1)) == 0) return value & (size - 1);  // a division takes much longer
  const int64_t rest = value % size;
  return rest < 0 ? rest + size : rest;
}

// Vulkan "Wrapping Operation": maps any integer coordinate to a texel of the level or kBorderTexel. Unknown
// modes act as clamp to edge.
constexpr int64_t wrap_texel(uint32_t mode, int64_t i, int64_t size) {
  const auto mirror = [](int64_t n) { return n >= 0 ? n : -(1 + n); };
  const auto clamp = [size](int64_t n) { return n < 0 ? 0 : n >= size ? size - 1 : n; };
  switch (static_cast<arch::Wrap>(mode)) {
    case arch::Wrap::kRepeat:
      return i >= 0 && i < size ? i : floor_modulo(i, size);
    case arch::Wrap::kMirroredRepeat:
      return size - 1 - mirror(floor_modulo(i, 2 * size) - size);
    case arch::Wrap::kClampToBorder:
      return i >= 0 && i < size ? i : kBorderTexel;
    case arch::Wrap::kMirrorClampToEdge:
      return clamp(mirror(i));
    default:
      return clamp(i);
  }
}

}  // namespace cutaway::func
