#include "emulator/region_stage.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "draw/fragment_input.h"
#include "func/raster/coverage.h"
#include "func/raster/pulled_interpolant.h"
#include "func/raster/quad_weights.h"
#include "func/rop/exported_fragment.h"
#include "func/rop/wide_depth.h"

namespace cutaway::emulator {
namespace {

// Of the pixels of a quad.
void put_positions(int32_t x, int32_t y, int32_t* to_x, int32_t* to_y) {
  const auto at = func::quad_positions(x, y);
  std::memcpy(to_x, at.x, sizeof at.x);
  std::memcpy(to_y, at.y, sizeof at.y);
}

}  // namespace

RegionStage::RegionStage(arch::Memory& memory)
    : memory_(memory), wide_(func::wide_interpolation()), core_(memory, meter_, statistics_) {
  core_.interpolants = this;
}

void RegionStage::begin(const FragmentDraw& draw, const PrimitiveBatch& batch, uint64_t steps_left) {
  draw_ = &draw, batch_ = &batch;
  steps_left_ = steps_left, steps_ = 0;
  statistics_ = {}, counters_ = {};
  stopped_ = false;
  core_.note_reads = static_cast<bool>(on_pixel);
  select_fast_paths();
}

// What the draw's state lets the tiles leave out or do together.
void RegionStage::select_fast_paths() {
  const FragmentDraw& draw = *draw_;
  tests_tiles_ = draw.samples == 1 && !on_pixel &&
                 (!draw.tests_early() || (draw.depth_view.tiled && func::can_test_wide(draw.depth)));
  const bool tests_late = draw.depth.active() && draw.mode != arch::DepthMode::kEarly;
  reads_z_ = tests_late;
  special_ = uniform_ = fills_tiles_ = has_run_ = false;
  if (!draw.shades) return;
  const Program& program = *draw.state->fragment().program;
  core_.begin(draw.state->fragment());
  const auto& inputs = program.inputs;
  special_ = !draw.zeros.empty() || inputs[arch::kInputFragCoord] || inputs[arch::kInputFragment] ||
             inputs[arch::kInputPointCoord];
  reads_z_ |= inputs[arch::kInputFragCoord] != 0;
  uniform_ = program.uniform && draw.samples == 1 && !on_pixel;
  fills_tiles_ = uniform_ && !tests_late && !(draw.flags & arch::kShaderWritesSampleMask) &&
                 !draw.state->registers.raster.alpha_to_coverage && !draw.targets.empty();
  for (const FragmentDraw::Target& target : draw.targets)
    fills_tiles_ &= target.wide && target.view.bytes == 4 && !func::needs_destination(target.state);
}

bool RegionStage::draw(uint32_t place) {
  const uint32_t region = batch_->touched[place];
  const auto x = static_cast<int32_t>(region % kRegionsAcross) * kRegion;
  const auto y = static_cast<int32_t>(region / kRegionsAcross) * kRegion;
  meter_ = Meter(steps_left_);
  quads_ = interpolated_ = 0;
  try {
    stop_if_interrupted();
    for (const uint32_t number : batch_->region[region]) rasterize(number, x, y);
    flush();
  } catch (const Stop& stop) {
    stopped_ = true, stopped_at_ = place;
    stop_text_ = stop.text;
  }
  steps_ += meter_.steps();
  return !stopped_;
}

void RegionStage::rasterize(uint32_t number, int32_t x, int32_t y) {
  interpolate_waiting();
  number_ = number;
  primitive_ = &batch_->primitives[number];
  const func::Primitive& p = *primitive_;
  const int32_t right = std::min(x + kRegion, p.x1), low = std::min(y + kRegion, p.y1);
  const int32_t left = std::max(x, p.x0 & -func::kTilePixels);
  edges_hold_ = p.line.factor == 0 && func::edges_hold(p, x, y, kRegion);
  for (int32_t ty = std::max(y, p.y0 & -func::kTilePixels); ty < low; ty += func::kTilePixels)
    for (int32_t tx = left; tx < right; tx += func::kTilePixels)
      if (edges_hold_ || func::tile_overlaps(p, tx, ty, func::kTilePixels)) tile(tx, ty);
}

// z: depth at the pixel's centre in each lane; nullptr with several samples.
void RegionStage::quad(int32_t x, int32_t y, func::QuadSamples covered, const float* z) {
  const uint32_t mask = func::any_sample(covered);
  statistics_.quads++;
  statistics_.fragments += lanes_in(mask);
  Quad& quad = waiting_[quads_];
  quad.x = x, quad.y = y;
  quad.covered = quad.alive = covered;
  quad.sample = 0;
  quad.number = number_;
  if (z) std::memcpy(quad.z[0], z, sizeof quad.z[0]);
  else set_depth(quad);
  quad.smooth = primitive_->line.smooth;
  if (quad.smooth) func::smooth_coverage(*primitive_, func::quad_positions(x, y), quad.coverage);

  if (draw_->mode == arch::DepthMode::kEarly)
    quad.alive = depth_test(quad, covered, func::DepthPhase::kTestAndWrite, nullptr);
  else if (draw_->early_reject) quad.alive = depth_test(quad, covered, func::DepthPhase::kTest, nullptr);
  statistics_.fragments_killed_early += lanes_in(mask & ~func::any_sample(quad.alive));
  if (draw_->counting && draw_->count_early) counters_.samples_passed += count(quad.alive);
  if (!quad.alive) return;
  if (!draw_->shades) {
    after_shading(quad, 0, quad.alive);
    return;
  }
  if (!draw_->sample_shading) return shade(quad);
  const Quad whole = quad;
  for (uint32_t s = 0; s < draw_->samples; s++) {
    if (!func::sample_lanes(whole.alive, s)) continue;
    Quad& one = waiting_[quads_];
    one = whole;
    one.sample = static_cast<uint8_t>(s);
    one.covered &= 15u << 4 * s;
    one.alive &= 15u << 4 * s;
    shade(one);
  }
}

void RegionStage::set_depth(Quad& quad) {
  if (!draw_->depth.active()) return;
  const auto at = func::quad_positions(quad.x, quad.y);
  for (uint32_t s = 0; s < draw_->samples; s++)
    if (func::sample_lanes(quad.covered, s))
      func::depth<4>(*primitive_, at, func::sample_offset(draw_->samples, s), quad.z[s]);
}

// The quad becomes the next one that waits.
void RegionStage::shade(Quad& quad) {
  quad.mask = static_cast<uint8_t>(func::any_sample(quad.alive));
  if (++quads_ == kGroupQuads) flush();
}

// Fills the input registers that the program reads for the quads of the primitive under way.
void RegionStage::interpolate_waiting() {
  if (interpolated_ == quads_) return;
  if (draw_->components.empty() && !special_) {
    interpolated_ = quads_;
    return;
  }
  if (draw_->samples == 1) interpolate_at_centers(interpolated_, quads_ - interpolated_);
  else
    for (uint32_t i = interpolated_; i < quads_; i++) interpolate(waiting_[i], 4 * i);
  interpolated_ = quads_;
}

// One sample per pixel: everything is evaluated at its centre.
void RegionStage::interpolate_at_centers(uint32_t first, uint32_t quads) {
  int32_t x[kLanes], y[kLanes];
  for (uint32_t i = 0; i < quads; i++)
    put_positions(waiting_[first + i].x, waiting_[first + i].y, x + 4 * i, y + 4 * i);
  func::Barycentrics<kLanes> weights;
  wide_.barycentrics(*primitive_, x, y, 4 * quads, {.linear = draw_->linear, .inv_w = special_}, weights);
  const uint32_t lane = 4 * first;
  const uint32_t* value = batch_->values_of(number_, *draw_);
  for (const FragmentDraw::Component& c : draw_->components) {
    wide_.interpolate(c.mode, primitive_->vertices, weights, 4 * quads, value,
                      core_.input(c.input, c.component) + lane);
    value += 3;
  }
  for (uint32_t i = 0; special_ && i < quads; i++)
    special_inputs(waiting_[first + i], lane + 4 * i, weights.inv_w + 4 * i, {});
}

// Several samples: interpolants are evaluated where they ask for.
void RegionStage::interpolate(const Quad& quad, uint32_t lane) {
  const auto at = func::quad_positions(quad.x, quad.y);
  const func::QuadPlaces places = {draw_->samples, draw_->sample_shading, quad.sample, quad.covered};
  const func::QuadWeights weights(*primitive_, at, places, draw_->locations);
  const uint32_t* value = batch_->values_of(number_, *draw_);
  for (const FragmentDraw::Component& c : draw_->components) {
    func::interpolate<4>(c.mode, primitive_->vertices, weights.at(c.location), value[0], value[1], value[2],
                         core_.input(c.input, c.component) + lane);
    value += 3;
  }
  special_inputs(quad, lane, weights.here().inv_w, places.here());
}

// For the program, while it runs.
void RegionStage::pull(uint32_t quad, uint32_t interpolant, uint8_t mask, const uint32_t (&offset)[2][4],
                       uint32_t (&out)[4][4]) {
  const Quad& of = waiting_[quad];
  const func::Primitive& primitive = primitive_of(of);
  // Components that no interpolant gives are zeros.
  func::PulledInterpolant wanted{.vertices = primitive.vertices, .mask = 0};
  const uint32_t* values[4] = {};
  const uint32_t* value = batch_->values_of(of.number, *draw_) + 3 * draw_->components.size();
  for (const FragmentDraw::Component& c : draw_->pulled) {
    if (c.input == interpolant && (mask >> c.component & 1)) {
      wanted.mode = c.mode;
      wanted.mask |= static_cast<uint8_t>(1u << c.component);
      values[c.component] = value;
    }
    value += 3;
  }
  func::pull_interpolant(
      primitive, of.x, of.y, wanted, offset,
      [&](uint32_t vertex, uint32_t component) { return values[component][vertex]; }, out);
}

// Inputs that are no interpolants. place: where in its pixel the fragment is shaded.
void RegionStage::special_inputs(const Quad& quad, uint32_t lane, const float* inv_w,
                                 func::SampleOffset place) {
  for (const FragmentDraw::Component& c : draw_->zeros)
    std::fill_n(core_.input(c.input, c.component) + lane, 4, 0u);
  const auto& inputs = draw_->state->fragment().program->inputs;
  const draw::ShadedPlace at{*primitive_, quad.x, quad.y, place, draw_->samples};
  draw::QuadInput value;
  const auto put = [&](uint32_t reg) {
    for (uint32_t c = 0; c < 4; c++) std::memcpy(core_.input(reg, c) + lane, value[c], sizeof value[c]);
  };
  if (inputs[arch::kInputFragCoord]) {
    draw::frag_coord_input(at, quad.z[0], inv_w, value);
    put(arch::kInputFragCoord);
  }
  if (inputs[arch::kInputFragment]) {
    draw::fragment_input(*primitive_, quad.sample, quad.covered, value);
    put(arch::kInputFragment);
  }
  if (inputs[arch::kInputPointCoord]) {
    draw::point_coord_input(at, value);
    put(arch::kInputPointCoord);
  }
}

// Returns the lanes that were not discarded. A uniform program's outputs are those of the group before.
uint64_t RegionStage::run_program(uint64_t lanes, uint64_t helpers) {
  if (!has_run_) {
    const uint64_t survivors = core_.run(draw_->state->fragment(), lanes, helpers);
    has_run_ = uniform_;
    if (fills_tiles_) find_elements();
    return survivors;
  }
  meter_.step(core_.executed() * kLanes);
  return lanes;
}

void RegionStage::flush() {
  if (!quads_) return;
  interpolate_waiting();
  uint64_t lanes = 0;
  for (uint32_t i = 0; i < quads_; i++) lanes |= uint64_t{waiting_[i].mask} << (4 * i);
  const uint64_t helpers = ~lanes & ((1ull << (4 * quads_)) - 1);
  const uint64_t survivors = run_program(lanes, helpers);
  const auto shaded = static_cast<uint32_t>(std::popcount(lanes));
  statistics_.fragments_shaded += shaded;
  statistics_.helpers_shaded += 4 * quads_ - shaded;
  statistics_.fragment_instructions += core_.executed() * quads_ * 4;
  if (draw_->state->registers.query.statistics) counters_[Statistic::kFragmentInvocations] += shaded;
  const bool masks = draw_->flags & arch::kShaderWritesSampleMask;
  const bool alpha = draw_->state->registers.raster.alpha_to_coverage;
  for (uint32_t i = 0; i < quads_; i++) {
    Quad& quad = waiting_[i];
    const auto kept = static_cast<uint32_t>(survivors >> (4 * i) & 15);
    func::QuadSamples alive = quad.alive & func::at_all_samples(kept, draw_->samples);
    if (masks || alpha)
      alive = func::exported_samples(draw_->samples, alive,
                                     masks ? core_.output(arch::kOutputDepth, 1) + 4 * i : nullptr,
                                     alpha ? core_.output(0, 3) + 4 * i : nullptr);
    statistics_.fragments_killed_by_shader += lanes_in(quad.mask & ~func::any_sample(alive));
    quad.alive = alive ? after_shading(quad, 4 * i, alive) : 0;
  }
  write_colors();
  quads_ = interpolated_ = 0;
}

}  // namespace cutaway::emulator
