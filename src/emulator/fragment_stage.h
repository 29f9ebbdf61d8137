#pragma once

#include "emulator/emulator.h"
#include "emulator/shader_core.h"
#include "emulator/vertex_stage.h"
#include "func/draw/target_view.h"
#include "func/raster/interpolate.h"
#include "func/raster/line.h"
#include "func/raster/samples.h"
#include "func/raster/setup.h"
#include "func/rop/blend.h"
#include "func/rop/depth_stencil.h"

namespace cutaway::emulator {

// Clipping, setup, coverage, interpolation, fragment program, tests and color targets: from primitives to
// memory, in their order.
class FragmentStage {
 public:
  FragmentStage(arch::Memory& memory, Meter& meter, Statistics& statistics);

  void begin(const State& state, QueryCounters& counters);
  void draw(const func::AssembledPrimitive& assembled, const ShadedVertex* const vertex[3]);
  void end();  // shades what is still waiting

  // Called with what each written pixel is: x, y, address, bytes, primitive and depth are filled in.
  std::function<void(PixelWrite)> on_pixel;

 private:
  // A quad on its way through the shader. With sample shading one of a quad's samples.
  struct Quad {
    int32_t x, y;
    func::QuadSamples covered;      // by the primitive, of the samples that the quad is shaded for
    func::QuadSamples alive;        // those that have passed the tests so far
    float z[func::kMaxSamples][4];  // at each sample, for the depth test
    float depth_min, depth_max;     // that exported depth is clamped to
    uint8_t mask;                   // lanes to shade
    uint8_t sample;                 // with sample shading the one that is shaded
    bool front_facing;
    bool smooth;        // a smooth line's
    float coverage[4];  // of a smooth line
    uint32_t primitive;
  };

  func::SetupResult set_up(const func::AssembledPrimitive& assembled, const ShadedVertex* const vertex[3],
                           uint32_t part);
  void rasterize();
  void block(int32_t x, int32_t y, int32_t size);
  void tile(int32_t x, int32_t y);
  void quad(int32_t x, int32_t y, func::QuadSamples covered);
  void shade(Quad& quad);
  void set_depth(Quad& quad);
  void interpolate(const Quad& quad, uint32_t lane);
  void flush();
  void finish_quad(Quad& quad, uint32_t lane, func::QuadSamples alive);
  func::QuadSamples depth_test(const Quad& quad, func::QuadSamples samples, func::DepthPhase phase,
                               const uint32_t* reference);
  void report(const Quad& quad, uint32_t lane, arch::Address address, uint32_t bytes, bool depth,
              bool texel_tie = false) const;
  void write_color(const Quad& quad, uint32_t lane, func::QuadSamples samples);

  arch::Memory& memory_;
  Meter& meter_;
  Statistics& statistics_;
  ShaderCore core_;

  // Of the draw under way.
  const State* state_ = nullptr;
  QueryCounters* counters_ = nullptr;
  bool shades_ = false, discards_all_ = false;
  arch::DepthMode mode_ = arch::DepthMode::kEarly;
  bool early_reject_ = false, count_early_ = false, counting_ = false;
  uint32_t samples_ = 1;
  bool sample_shading_ = false;
  bool locations_[3] = {};  // arch::SampleLocation: an interpolant is evaluated there
  func::DepthState depth_;
  func::TargetView depth_view_;
  struct Target {
    uint32_t output = 0;  // fragment output
    func::TargetState state;
    func::TargetView view;
  };
  std::vector<Target> targets_;
  uint32_t flags_ = 0;  // of the fragment program

  func::StippleCounter stipple_;

  // Of the primitive under way.
  func::Primitive primitive_;
  const ShadedVertex* const* vertex_ = nullptr;

  Quad waiting_[kGroupQuads];
  uint32_t quads_ = 0;
};

}  // namespace cutaway::emulator
