#pragma once

#include <functional>
#include <string>

#include "emulator/color_writes.h"
#include "emulator/depth_tests.h"
#include "emulator/emulator.h"
#include "emulator/half_tiles.h"
#include "emulator/primitive_batch.h"
#include "emulator/quad_inputs.h"
#include "emulator/region_quad.h"
#include "emulator/shader_core.h"
#include "emulator/tile_depths.h"

namespace cutaway::emulator {

// One worker's part of the fragment stage: draws regions of the screen, one after the other, each from
// coverage to memory:
//
//   TileDepths    depths of a primitive in a tile
//   DepthTests    tests tiles and quads against depth and stencil
//   QuadInputs    fills the inputs of the fragment program
//   ShaderCore    runs it for a group of quads
//   HalfTiles     does both for halves of tiles that are alive as a whole
//   ColorWrites   writes its outputs
class alignas(64) RegionStage {
 public:
  explicit RegionStage(arch::Memory& memory);

  // For the regions of one batch, each of which may take `steps_left` steps. Counters start at zero.
  void begin(const FragmentDraw& draw, const PrimitiveBatch& batch, uint64_t steps_left);
  // Draws batch.touched[place]. Returns false if that has stopped the GPU.
  bool draw(uint32_t place);

  const Statistics& statistics() const { return statistics_; }
  const QueryCounters& counters() const { return counters_; }
  uint64_t steps() const { return steps_; }
  bool stopped() const { return stopped_; }
  uint32_t stopped_at() const { return stopped_at_; }
  const std::string& stop_text() const { return stop_text_; }

  std::function<void(PixelWrite)> on_pixel;

 private:
  // Masks of tiles have a pixel's bit in quad order (func/raster/coverage.h).
  void rasterize(uint32_t number, int32_t x, int32_t y);
  void tile(int32_t x, int32_t y, uint64_t rows);
  void tile_of_samples(int32_t x, int32_t y);
  bool test_tile(int32_t x, int32_t y, uint64_t covered);
  void add_quads(int32_t x, int32_t y, uint64_t covered, uint64_t alive);
  void count_filled_tile();
  uint64_t shade_halves(int32_t x, int32_t y, uint64_t alive);
  bool shade_half(int32_t x, int32_t y, uint32_t half);
  RegionQuad& next_quad(int32_t x, int32_t y, func::QuadSamples covered);
  void quad(int32_t x, int32_t y, func::QuadSamples covered, const float* z);
  void set_depth(RegionQuad& quad) const;
  func::QuadSamples test_early(const RegionQuad& quad);
  void shade_samples(const RegionQuad& quad);
  void shade(RegionQuad& quad);
  void join(RegionQuad& quad, uint32_t lanes);
  uint64_t run_program(uint64_t lanes, uint64_t helpers);
  void flush();
  void count_shaded(uint32_t lanes, uint32_t quads, uint64_t executed);
  void count_ended(uint32_t shaded, uint32_t kept, uint32_t alive);
  void finish_quads(uint64_t survivors);
  void finish_quads_late(uint64_t survivors);
  void test_quads_late(uint64_t survivors);
  func::QuadSamples exported_samples(func::QuadSamples alive, uint32_t lane) const;
  func::QuadSamples after_shading(RegionQuad& quad, uint32_t lane, func::QuadSamples alive);

  Meter meter_{0};
  Statistics statistics_;
  QueryCounters counters_;
  ShaderCore core_;
  QuadGroup group_;
  TileDepths depths_;
  DepthTests tests_;
  QuadInputs inputs_;
  HalfTiles halves_;
  ColorWrites colors_;
  uint64_t steps_left_ = 0, steps_ = 0;
  bool stopped_ = false;
  uint32_t stopped_at_ = 0;
  std::string stop_text_;

  const FragmentDraw* draw_ = nullptr;
  const PrimitiveBatch* batch_ = nullptr;
  const func::Primitive* primitive_ = nullptr;  // under way
  uint32_t number_ = 0;                         // in the batch
  uint64_t tile_ = 0;                           // the tile's bit in QuadGroup::tiles
  bool exports_samples_ = false;                // the program or its alpha masks samples
  bool ends_with_shading_ = false;              // nothing but the program can end fragments after it
  bool tests_together_ = false;                 // depth tests of whole groups may end fragments after it
  bool reads_z_ = false;                        // something after the early tests reads a fragment's depth
  bool uniform_ = false;                        // the program is, and runs once
  bool has_run_ = false;                        // it has
  bool shades_halves_ = false;                  // of tiles
};

}  // namespace cutaway::emulator
