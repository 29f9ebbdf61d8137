#pragma once

#include <array>
#include <bit>
#include <memory>

#include "arch/registers.h"
#include "icd/device/device.h"

namespace cutaway::icd {

// The programs of the driver's own draws, in a device's GPU memory.
//
// rectangle: a triangle strip of vertices 0 to 3 over all of normalised device space, from literals alone.
// clear(n): fragment outputs 0 to n - 1 are constants 0 to n - 1.
// fetch: output 0 is the texel of resource 0 at fragment × c0.xy + c0.zw (signed integers); c1 is zero.
// resolve(n): output 0 is the mean of samples 0 to n - 1 of the texel that fetch reads; c1 is (0, 1, 2, 3),
// c2 (0, 4, 5, 6), c3 (0, 7, 1.0 / n). n is 1, 2, 4 or 8.
// resolve_depth, resolve_stencil: write sample 0 of that texel as the fragment's depth or stencil reference;
// c1 is zero.
// sample: output 0 is resource 0 through sampler 0, with coordinates in texels, at fragment × c0.xy + c0.zw;
// c1 is zero. sample_slice: the same for a 3D texture; c1.y is the third coordinate. sample_depth,
// sample_stencil: write the texel as the fragment's depth or stencil reference.
class InternalPrograms {
 public:
  explicit InternalPrograms(Device& device);

  const arch::ShaderRegisters& rectangle() const { return rectangle_; }
  const arch::ShaderRegisters& clear(uint32_t targets) const { return clear_[targets - 1]; }
  const arch::ShaderRegisters& fetch() const { return fetch_; }
  const arch::ShaderRegisters& resolve(uint32_t samples) const {
    return resolve_[std::bit_width(samples) - 1];
  }
  const arch::ShaderRegisters& resolve_depth() const { return resolve_depth_; }
  const arch::ShaderRegisters& resolve_stencil() const { return resolve_stencil_; }
  const arch::ShaderRegisters& sample() const { return sample_; }
  const arch::ShaderRegisters& sample_slice() const { return sample_slice_; }
  const arch::ShaderRegisters& sample_depth() const { return sample_depth_; }
  const arch::ShaderRegisters& sample_stencil() const { return sample_stencil_; }

  // Address of the values of constants 0 to kRectangleConstants - 1 for rectangle.
  static constexpr uint32_t kRectangleConstants = 1;
  arch::Address rectangle_constants() const { return memory_->address(); }

 private:
  arch::ShaderRegisters add(const char* text, uint32_t temporaries, uint32_t flags, uint32_t outputs);

  Device& device_;
  std::unique_ptr<host::Allocation> memory_;
  uint64_t used_ = 0;
  arch::ShaderRegisters rectangle_{}, fetch_{}, sample_{}, sample_slice_{}, sample_depth_{},
      sample_stencil_{}, resolve_depth_{}, resolve_stencil_{};
  std::array<arch::ShaderRegisters, 4> resolve_{};
  std::array<arch::ShaderRegisters, arch::kColorTargets> clear_{};
};

}  // namespace cutaway::icd
