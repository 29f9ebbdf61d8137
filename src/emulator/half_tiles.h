#pragma once

#include "emulator/center_inputs.h"
#include "emulator/primitive_batch.h"
#include "emulator/shader_core.h"

namespace cutaway::emulator {

// Halves of tiles: the upper or the lower 32 pixels of an 8x8 tile, which are the lanes of a group in quad
// order (func/raster/coverage.h). Where all of them are alive they are shaded without a list of quads.
constexpr uint32_t kHalfRows = 4;

// Runs fragment programs for them, apart from the groups that quads join.
class HalfTiles {
 public:
  HalfTiles(arch::Memory& memory, Meter& meter, Statistics& statistics)
      : core_(memory, meter, statistics), inputs_(core_) {}

  // True if the program can run so: its fragments may be shaded in any order, and it reads no inputs but
  // interpolants at the centres of pixels.
  static bool can_shade(const FragmentDraw& draw);
  // For primitives of one batch. Only if can_shade().
  void begin(const FragmentDraw& draw, const PrimitiveBatch& batch);

  // Shades a primitive's pixels from (x, y) on; returns those that were not discarded.
  uint32_t shade(const func::Primitive& primitive, uint32_t number, int32_t x, int32_t y);
  const ShaderCore& core() const { return core_; }  // with the outputs of the last shade()

 private:
  ShaderCore core_;
  CenterInputs inputs_;
  const FragmentDraw* draw_ = nullptr;
};

}  // namespace cutaway::emulator
