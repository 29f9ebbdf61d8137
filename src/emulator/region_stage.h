#pragma once

#include <bit>
#include <string>

#include "emulator/emulator.h"
#include "emulator/primitive_batch.h"
#include "emulator/shader_core.h"
#include "func/raster/line.h"
#include "func/raster/samples.h"
#include "func/raster/wide_interpolate.h"

namespace cutaway::emulator {

inline uint32_t count(uint32_t mask) { return static_cast<uint32_t>(std::popcount(mask)); }
constexpr uint32_t lanes_in(uint32_t quad_mask) { return 0x4332322132212110ull >> (4 * quad_mask) & 15; }

// One worker's part of the fragment stage: draws regions of the screen, one after the other, each from
// coverage to memory.
class RegionStage final : Interpolants {
 public:
  explicit RegionStage(arch::Memory& memory);

  // For the regions of one batch, each of which may take `steps_left` steps. Counters start at zero.
  void begin(const FragmentDraw& draw, const PrimitiveBatch& batch, uint64_t steps_left);
  // Draws batch.touched[place]. False: it has stopped the GPU.
  bool draw(uint32_t place);

  const Statistics& statistics() const { return statistics_; }
  const QueryCounters& counters() const { return counters_; }
  uint64_t steps() const { return steps_; }
  bool stopped() const { return stopped_; }
  uint32_t stopped_at() const { return stopped_at_; }
  const std::string& stop_text() const { return stop_text_; }

  std::function<void(PixelWrite)> on_pixel;

 private:
  // A quad on its way through the shader. With sample shading one of a quad's samples.
  struct Quad {
    int32_t x, y;
    func::QuadSamples covered;      // by the primitive, of the samples that the quad is shaded for
    func::QuadSamples alive;        // those that have passed the tests so far
    float z[func::kMaxSamples][4];  // at each sample, for the depth test
    uint8_t mask;                   // lanes to shade
    uint8_t sample;                 // with sample shading the one that is shaded
    bool smooth;                    // a smooth line's
    float coverage[4];              // of a smooth line
    uint32_t number;                // of the primitive in its batch
  };

  const func::Primitive& primitive_of(const Quad& quad) const { return batch_->primitives[quad.number]; }
  void select_fast_paths();
  void rasterize(uint32_t number, int32_t x, int32_t y);
  // region_tile.cpp: masks of tiles have a pixel's bit in quad order (func/raster/coverage.h)
  void tile(int32_t x, int32_t y);
  void find_depth(int32_t x, int32_t y, uint64_t covered);
  const float* depth_of(uint32_t quad, uint32_t place, float z[4]) const;
  bool test_tile(int32_t x, int32_t y, uint64_t covered);
  uint64_t test_whole_tile(arch::Address address, const std::byte* tile, uint64_t covered);
  uint64_t test_quads(arch::Address address, const std::byte* tile, uint64_t covered);
  void add_quads(int32_t x, int32_t y, uint64_t covered, uint64_t alive);
  bool fill_tile(int32_t x, int32_t y);
  void find_elements();
  void quad(int32_t x, int32_t y, func::QuadSamples covered, const float* z);
  void shade(Quad& quad);
  void set_depth(Quad& quad);
  void interpolate_waiting();
  void interpolate_at_centers(uint32_t first, uint32_t quads);
  void interpolate(const Quad& quad, uint32_t lane);
  void pull(uint32_t quad, uint32_t interpolant, uint8_t mask, const uint32_t (&offset)[2][4],
            uint32_t (&out)[4][4]) override;
  void special_inputs(const Quad& quad, uint32_t lane, const float* inv_w, func::SampleOffset place);
  uint64_t run_program(uint64_t lanes, uint64_t helpers);
  void flush();
  func::QuadSamples after_shading(Quad& quad, uint32_t lane, func::QuadSamples alive);
  func::QuadSamples depth_test(const Quad& quad, func::QuadSamples samples, func::DepthPhase phase,
                               const uint32_t* reference);
  std::byte* depth_place(arch::Address address);
  uint32_t depth_test_sector(const Quad& quad, uint32_t mask, func::DepthPhase phase,
                             const uint32_t* reference, std::byte* at);
  void report(const Quad& quad, uint32_t lane, PixelWrite write) const;
  void write_color(const FragmentDraw::Target& target, const Quad& quad, uint32_t lane);
  void write_colors();
  bool quads_are_alike() const;
  bool write_wide(const FragmentDraw::Target& target);
  template <uint32_t bytes>
  bool write_elements(const FragmentDraw::Target& target);

  arch::Memory& memory_;
  const func::WideInterpolation& wide_;
  Meter meter_{0};
  Statistics statistics_;
  QueryCounters counters_;
  ShaderCore core_;
  uint64_t steps_left_ = 0, steps_ = 0;
  bool stopped_ = false;
  uint32_t stopped_at_ = 0;
  std::string stop_text_;

  const FragmentDraw* draw_ = nullptr;
  const PrimitiveBatch* batch_ = nullptr;
  const func::Primitive* primitive_ = nullptr;  // under way
  uint32_t number_ = 0;                         // in the batch
  bool edges_hold_ = false;                     // its edges do all of the region

  bool tests_tiles_ = false;  // early tests are those of whole tiles, or none
  bool special_ = false;      // the program reads inputs that are no interpolants
  bool reads_z_ = false;      // something after the early tests reads a fragment's depth
  bool uniform_ = false;      // the program is, and runs once
  bool has_run_ = false;      // it has
  bool fills_tiles_ = false;  // all elements that are written are element_[target]
  uint32_t element_[arch::kColorTargets];

  Quad waiting_[kGroupQuads];
  uint32_t quads_ = 0, interpolated_ = 0;  // waiting ones; the first of them have their inputs
  // Depths of the tile under way: of its covered quads one after the other, or of all in sector order.
  alignas(64) float tile_z_[64];
  bool whole_tile_z_ = false;
};

}  // namespace cutaway::emulator
