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

  // True if the program can run so: its fragments may be shaded in any order, and it reads neither depths nor
  // places in points, nor pulls interpolants.
  static bool can_shade(const FragmentDraw& draw);
  // For primitives of one batch. Only if can_shade().
  void begin(const FragmentDraw& draw, const PrimitiveBatch& batch);

  // Shades a primitive's pixels from (x, y) on; returns those that were not discarded.
  uint32_t shade(const func::Primitive& primitive, uint32_t number, int32_t x, int32_t y);
  const ShaderCore& core() const { return core_; }  // with the outputs of the last shade()

 private:
  void fill_inputs(const func::Primitive& primitive, uint32_t number, int32_t x, int32_t y);
  void fill_place(int32_t x, int32_t y, const float* inv_w);
  void fill_fragment(const func::Primitive& primitive);

  ShaderCore core_;
  CenterInputs inputs_;
  const FragmentDraw* draw_ = nullptr;
};

}  // namespace cutaway::emulator
