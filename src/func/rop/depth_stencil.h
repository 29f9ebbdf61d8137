#pragma once

#include <array>
#include <cstdint>

#include "arch/registers.h"

// Performs depth bounds, stencil and depth tests of a quad (Vulkan "Fragment Operations"), in that order, and
// the update.
//
// Fixed-point depth is compared in the format's encoding: z is clamped to [0, 1] (NaN becomes 0), multiplied
// by 2^n - 1 and rounded to the nearest, ties to even. Float depth is compared and stored unchanged;
// comparisons with NaN are false, except not-equal. The depth bounds test takes the stored depth as a number.
namespace cutaway::func {

using DepthRegisters = decltype(arch::Registers::depth);

// The registers with derived values that the tests need, computed once per state.
struct DepthState {
  arch::Compare compare = arch::Compare::kAlways;  // kAlways if the test is off
  bool depth_write = false;                        // only if the depth test is on
  bool bounds_test = false, stencil_test = false;
  bool depth_float = false;
  uint8_t depth_bits = 0;      // 0: no depth
  uint8_t stencil_offset = 0;  // bits
  uint8_t element_bytes = 0;   // 1, 2, 4 or 8; 0: no attachment, everything passes
  uint64_t depth_mask = 0;     // bits of depth in an element
  double bounds_min = 0, bounds_max = 1;
  arch::StencilFace face[2]{};       // front, back
  bool stencil_writes[2]{};          // some operation of the face may change the stored value
  bool fails_with_side_effect[2]{};  // some operation of a failing fragment may change it
  // Every fragment of the face passes and gives these bytes of its element a value independent of the stored
  // one, which need not be known; no other bytes change. Zero: this does not hold.
  struct Overwrite {
    uint8_t first = 0, bytes = 0;
  };
  Overwrite overwrites[2]{};

  bool active() const { return element_bytes && (reads() || may_write()); }
  bool reads_depth() const { return compare != arch::Compare::kAlways || bounds_test; }
  bool reads() const { return reads_depth() || stencil_test; }
  bool may_write() const { return depth_write || (stencil_test && (stencil_writes[0] || stencil_writes[1])); }
};
DepthState make_depth_state(const DepthRegisters& registers);

// The stencil test of a face with the reference of the registers.
bool stencil_passes(const arch::StencilFace& face, uint32_t stored);

enum class DepthPhase : uint8_t {
  kTestAndWrite,
  kTest,  // of DepthMode::kEarlyTestLateWrite: writes nothing; see DepthResult::pass
};

struct DepthResult {
  uint32_t pass = 0;  // lanes that continue. In kTest this includes lanes whose failure changes stencil: the
                      // late test decides for them
  uint32_t stencil_failed = 0;  // lanes that failed the stencil test
  uint32_t write = 0;           // lanes whose element must be stored: depth is written or stencil has changed
  std::array<uint64_t, 4> element{};  // new elements; for other lanes the stored ones
};

// stored: the elements of the quad, little-endian, zero-extended; lanes outside the mask are ignored.
// stencil_reference: four values that a shader exported, or nullptr.
DepthResult depth_stencil(const DepthState& state, bool front_facing, uint32_t lane_mask, const float z[4],
                          const uint64_t stored[4], DepthPhase phase = DepthPhase::kTestAndWrite,
                          const uint32_t* stencil_reference = nullptr);

// Encodes a depth value in the low bits.
uint64_t quantise_depth(const DepthState& state, float z);
// The depth in an element of a format with depth, as a number; other fields are ignored.
double stored_depth(const arch::FormatInfo& format, uint64_t element);

}  // namespace cutaway::func
