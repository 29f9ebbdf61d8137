#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "arch/format_list.h"

namespace cutaway::arch {

// Every texel, vertex and index format of the contract; BC blocks are 4x4 texels. docs/hardware.md says which
// of them each unit supports.
enum class Format : uint32_t {
  UNDEFINED = 0,
#define X(name, value) name = value,
  CUTAWAY_FORMATS(X)
#undef X
};

constexpr uint32_t kFormats = 149;  // numbered from 0 (UNDEFINED)

enum class NumericKind : uint8_t {
  kNone,
  kUnorm,
  kSnorm,
  kUscaled,
  kSscaled,
  kUint,
  kSint,
  kUfloat,
  kSfloat,
  kSrgb
};

// Memory layout of one element of a format. An element is a texel, or a 4x4 block of a BC format. Bit 0 is
// the lowest bit of the first byte.
struct FormatInfo {
  struct Channel {
    uint8_t offset = 0;  // bits
    uint8_t bits = 0;    // 0: absent
  };
  std::string_view name;
  uint8_t bytes = 0;  // per element; 0: not a format
  uint8_t block_width = 1, block_height = 1;
  NumericKind kind = NumericKind::kNone;
  std::array<Channel, 4> channel;  // R, G, B, A; empty for depth, stencil and BC formats
  Channel depth, stencil;
  uint8_t shared_exponent_bits = 0;  // E5B9G9R9
  bool depth_float = false;
  bool compressed = false;

  constexpr bool has_depth() const { return depth.bits != 0; }
  constexpr bool has_stencil() const { return stencil.bits != 0; }
  constexpr bool is_color() const { return channel[0].bits != 0 || channel[3].bits != 0 || compressed; }
  constexpr bool is_integer() const { return kind == NumericKind::kUint || kind == NumericKind::kSint; }
};

// Never fails: an unknown number gives the info of UNDEFINED (bytes == 0).
const FormatInfo& format_info(Format format);
inline const FormatInfo& format_info(uint32_t number) { return format_info(static_cast<Format>(number)); }

}  // namespace cutaway::arch
