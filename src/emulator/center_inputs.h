#pragma once

#include <cstdint>
#include <vector>

#include "emulator/primitive_batch.h"
#include "emulator/shader_core.h"
#include "func/raster/wide_interpolate.h"

namespace cutaway::emulator {

// Fills the inputs of a fragment program that come from interpolants, at the centres of pixels.
class CenterInputs {
 public:
  explicit CenterInputs(ShaderCore& core)  // which must outlive it
      : core_(core), wide_(func::wide_interpolation()) {}

  // For quads of one batch, which must outlive them. The draw has a fragment program.
  void begin(const FragmentDraw& draw, const PrimitiveBatch& batch);
  // Fills the inputs of up to kGroupQuads quads of a primitive, the upper left pixels of which are given, in
  // the lanes from `lane` on; and finds the weights that this takes, or that begin() saw the program read.
  void fill(const func::Primitive& primitive, uint32_t number, const int32_t* x, const int32_t* y,
            uint32_t quads, uint32_t lane, func::Barycentrics<kLanes>& weights);
  // The same for half a tile from (x, y) on (half_tiles.h), in all lanes.
  void fill_half(const func::Primitive& primitive, uint32_t number, int32_t x, int32_t y,
                 func::Barycentrics<kLanes>& weights);

 private:
  func::WantedWeights wanted() const { return {.linear = draw_->linear, .inv_w = reads_inv_w_}; }

  ShaderCore& core_;
  const func::WideInterpolation& wide_;
  const FragmentDraw* draw_ = nullptr;
  const PrimitiveBatch* batch_ = nullptr;
  std::vector<func::WideComponent> components_;  // of the draw
  static constexpr uint32_t kNone = ~0u;
  uint32_t prepared_ = kNone;               // the primitive of the last fill_half(), with its
  std::vector<func::WideVarying> varying_;  // components that vary, of which there are
  uint32_t varying_count_ = 0;
  bool reads_inv_w_ = false;
};

}  // namespace cutaway::emulator
