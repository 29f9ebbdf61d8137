#include "emulator/fragment_stage.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "func/draw/fragment.h"
#include "func/draw/legal.h"
#include "func/raster/clip.h"
#include "func/raster/coverage.h"

namespace cutaway::emulator {
namespace {

constexpr int32_t kBlock = 64;  // pixels a side: skipped as a whole where a primitive does not reach

uint32_t count(uint32_t mask) { return static_cast<uint32_t>(std::popcount(mask)); }

}  // namespace

FragmentStage::FragmentStage(arch::Memory& memory, Meter& meter, Statistics& statistics)
    : memory_(memory), meter_(meter), statistics_(statistics), core_(memory, meter, statistics) {
  targets_.reserve(arch::kColorTargets);
}

void FragmentStage::begin(const State& state, QueryCounters& counters) {
  core_.note_ties = static_cast<bool>(on_pixel);
  state_ = &state, counters_ = &counters, quads_ = 0;
  stipple_.begin_draw();
  const arch::Registers& registers = state.registers;
  shades_ = state.fragment().program != nullptr;
  flags_ = shades_ ? registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags : 0;
  samples_ = func::sample_count(registers);
  sample_shading_ = registers.raster.sample_shading && samples_ > 1;
  std::fill(std::begin(locations_), std::end(locations_), false);
  for (uint32_t i = 0; i < registers.vertex_out.interpolants; i++)
    locations_[registers.vertex_out.interpolant[i].location] = true;
  discards_all_ =
      registers.raster.rasterizer_discard || !(registers.raster.sample_mask & ((1u << samples_) - 1));
  counting_ = registers.query.samples_passed;
  count_early_ = func::counts_early(registers);
  mode_ = static_cast<arch::DepthMode>(registers.depth.mode);
  early_reject_ = mode_ == arch::DepthMode::kEarlyTestLateWrite && func::early_reject_is_safe(registers);
  depth_ = func::make_depth_state(registers.depth);
  if (depth_.active()) depth_view_ = func::make_target_view(registers.depth.surface);
  targets_.clear();
  for (uint32_t i = 0; i < arch::kColorTargets; i++) {
    const func::TargetState target =
        func::make_target_state(registers.color, i, registers.raster.alpha_to_one);
    if (target.enabled && shades_)
      targets_.push_back({i, target, func::make_target_view(registers.color.target[i].surface)});
  }
}

void FragmentStage::draw(const func::AssembledPrimitive& assembled, const ShadedVertex* const vertex[3]) {
  statistics_.primitives_in++;
  const bool statistics = state_->registers.query.statistics;
  if (statistics) counters_->statistics[1]++;
  if (state_->registers.raster.rasterizer_discard) return;
  if (statistics) counters_->statistics[5]++;
  vertex_ = vertex;
  bool rasterized = false;
  const uint32_t parts = func::setup_parts(state_->registers, assembled.vertices);
  for (uint32_t part = 0; part < parts; part++) {
    meter_.step(1);
    const func::SetupResult result = set_up(assembled, vertex, part);
    if (func::rejects_all_parts(result)) break;
    if (result != func::SetupResult::kAccepted) continue;
    rasterized = true;
    if (!discards_all_) rasterize();
  }
  if (statistics) counters_->statistics[6] += rasterized;
  statistics_.primitives_rasterized += rasterized;
  statistics_.primitives_culled += !rasterized;
}

func::SetupResult FragmentStage::set_up(const func::AssembledPrimitive& assembled,
                                        const ShadedVertex* const vertex[3], uint32_t part) {
  const arch::Registers& registers = state_->registers;
  const auto& out = registers.vertex_out;
  float position[3][4];
  func::ClipDistances distances[3];
  const uint32_t distance_count = out.clip_distances + out.cull_distances;
  for (uint32_t i = 0; i < assembled.vertices; i++) {
    std::memcpy(position[i], vertex[i]->output[0], sizeof position[i]);
    if (distance_count) std::memcpy(distances[i], vertex[i]->output[out.clip_distance], distance_count * 4);
  }
  func::SetupInput input;
  input.position = position;
  input.vertices = assembled.vertices;
  input.first = assembled.first;
  input.part = part;
  input.stipple_phase = stipple_.phase(assembled.vertices, part, assembled.strip);
  input.primitive_id = assembled.id;
  if (out.viewport_index != arch::kNoOutput) input.viewport = vertex[0]->output[out.viewport_index][0];
  if (out.point_size != arch::kNoOutput)
    input.point_size = func::bits_float(vertex[func::point_vertex(input)]->output[out.point_size][0]);
  if (distance_count) input.distances = distances;
  const func::SetupResult result = func::setup(registers, input, primitive_);
  stipple_.advance(primitive_);
  statistics_.primitives_clipped +=
      result == func::SetupResult::kAccepted && part == 0 && func::needs_clipping(registers, input);
  return result;
}

void FragmentStage::rasterize() {
  for (int32_t y = primitive_.y0 & -kBlock; y < primitive_.y1; y += kBlock)
    for (int32_t x = primitive_.x0 & -kBlock; x < primitive_.x1; x += kBlock) {
      meter_.step(1);
      if (func::tile_overlaps(primitive_, x, y, kBlock)) block(x, y, kBlock);
    }
}

void FragmentStage::block(int32_t x, int32_t y, int32_t size) {
  const int32_t right = std::min(x + size, primitive_.x1), low = std::min(y + size, primitive_.y1);
  const int32_t left = std::max(x, primitive_.x0 & -func::kTilePixels);
  for (int32_t ty = std::max(y, primitive_.y0 & -func::kTilePixels); ty < low; ty += func::kTilePixels)
    for (int32_t tx = left; tx < right; tx += func::kTilePixels)
      if (func::tile_overlaps(primitive_, tx, ty, func::kTilePixels)) tile(tx, ty);
}

void FragmentStage::tile(int32_t x, int32_t y) {
  meter_.step(1);
  if (samples_ > 1) {
    const func::TileSamples tile = func::tile_samples(primitive_, x, y, state_->registers.raster.sample_mask);
    statistics_.tiles += tile.any != 0;
    for (uint32_t i = 0; tile.any && i < func::kTileQuads; i++)
      if (const func::QuadSamples covered = tile.quad(i))
        quad(x + func::quad_x(i), y + func::quad_y(i), covered);
    return;
  }
  const uint64_t coverage = func::tile_coverage(primitive_, x, y);
  if (!coverage) return;
  statistics_.tiles++;
  for (uint32_t i = 0; i < func::kTileQuads; i++)
    if (const uint32_t mask = func::quad_mask(coverage, i))
      quad(x + func::quad_x(i), y + func::quad_y(i), mask);
}

void FragmentStage::quad(int32_t x, int32_t y, func::QuadSamples covered) {
  const uint32_t mask = func::any_sample(covered);
  statistics_.quads++;
  statistics_.fragments += count(mask);
  Quad& quad = waiting_[quads_];
  quad.x = x, quad.y = y;
  quad.covered = quad.alive = covered;
  quad.sample = 0;
  quad.front_facing = primitive_.front_facing;
  quad.primitive = primitive_.id;
  quad.depth_min = primitive_.depth_min, quad.depth_max = primitive_.depth_max;
  set_depth(quad);
  quad.smooth = primitive_.line.smooth;
  if (quad.smooth) func::smooth_coverage(primitive_, func::quad_positions(x, y), quad.coverage);

  if (mode_ == arch::DepthMode::kEarly)
    quad.alive = depth_test(quad, covered, func::DepthPhase::kTestAndWrite, nullptr);
  else if (early_reject_) quad.alive = depth_test(quad, covered, func::DepthPhase::kTest, nullptr);
  statistics_.fragments_killed_early += count(mask & ~func::any_sample(quad.alive));
  if (counting_ && count_early_) counters_->samples_passed += count(quad.alive);
  if (!quad.alive) return;
  if (!shades_) return finish_quad(quad, 0, quad.alive);
  if (!sample_shading_) return shade(quad);
  const Quad whole = quad;
  for (uint32_t s = 0; s < samples_; s++) {
    if (!func::sample_lanes(whole.alive, s)) continue;
    Quad& one = waiting_[quads_];
    one = whole;
    one.sample = static_cast<uint8_t>(s);
    one.covered &= 15u << 4 * s;
    one.alive &= 15u << 4 * s;
    shade(one);
  }
}

void FragmentStage::set_depth(Quad& quad) {
  const auto at = func::quad_positions(quad.x, quad.y);
  if (samples_ == 1) return func::depth<4>(primitive_, at, {}, quad.z[0]);
  if (!depth_.active()) return;
  for (uint32_t s = 0; s < samples_; s++)
    if (func::sample_lanes(quad.covered, s))
      func::depth<4>(primitive_, at, func::sample_offset(samples_, s), quad.z[s]);
}

// The quad becomes the next one that waits.
void FragmentStage::shade(Quad& quad) {
  quad.mask = static_cast<uint8_t>(func::any_sample(quad.alive));
  interpolate(quad, 4 * quads_);
  if (++quads_ == kGroupQuads) flush();
}

// Fills the input registers that the program reads, in four lanes.
void FragmentStage::interpolate(const Quad& quad, uint32_t lane) {
  const auto& inputs = state_->fragment().program->inputs;
  const auto& out = state_->registers.vertex_out;
  const auto at = func::quad_positions(quad.x, quad.y);
  // Weights where the fragment is shaded, and elsewhere in its pixel if interpolants ask for that.
  const auto place = sample_shading_ ? func::sample_offset(samples_, quad.sample) : func::SampleOffset{};
  func::Barycentrics<4> here, center, centroid;
  func::barycentrics<4>(primitive_, at, place, here);
  const func::Barycentrics<4>* weights[3] = {&here, &here, &here};  // by arch::SampleLocation
  if (sample_shading_ && locations_[static_cast<uint32_t>(arch::SampleLocation::kCenter)]) {
    func::barycentrics<4>(primitive_, at, {}, center);
    weights[static_cast<uint32_t>(arch::SampleLocation::kCenter)] = &center;
  }
  if (samples_ > 1 && !sample_shading_ &&
      locations_[static_cast<uint32_t>(arch::SampleLocation::kCentroid)]) {
    func::SampleOffset offset[4];
    func::centroids(samples_, quad.covered, offset);
    func::barycentrics(primitive_, at, offset, centroid);
    weights[static_cast<uint32_t>(arch::SampleLocation::kCentroid)] = &centroid;
  }
  for (uint32_t i = 0; i < arch::kInterpolants; i++) {
    if (!inputs[i]) continue;
    for (uint32_t c = 0; c < 4; c++) {
      if (!(inputs[i] >> c & 1)) continue;
      uint32_t* to = core_.input(i, c) + lane;
      if (i >= out.interpolants) {
        std::fill_n(to, 4, 0u);
        continue;
      }
      const arch::Interpolant& interpolant = out.interpolant[i];
      uint32_t value[3] = {};
      for (uint32_t v = 0; v < primitive_.vertices; v++) value[v] = vertex_[v]->output[interpolant.source][c];
      func::interpolate<4>(static_cast<arch::Interpolation>(interpolant.mode), primitive_.vertices,
                           *weights[interpolant.location], value[0], value[1], value[2], to);
    }
  }
  if (inputs[arch::kInputFragCoord]) {
    float coord[4][4], z[4];
    if (samples_ > 1) func::depth<4>(primitive_, at, place, z);
    func::frag_coord<4>(at, place, samples_ > 1 ? z : quad.z[0], here.inv_w, coord);
    for (uint32_t c = 0; c < 4; c++) std::memcpy(core_.input(arch::kInputFragCoord, c) + lane, coord[c], 16);
  }
  if (inputs[arch::kInputFragment]) {
    const uint32_t value[4] = {quad.front_facing ? ~0u : 0u, quad.sample, 0, primitive_.id};
    for (uint32_t c = 0; c < 4; c++) std::fill_n(core_.input(arch::kInputFragment, c) + lane, 4, value[c]);
    for (uint32_t l = 0; l < 4; l++)
      core_.input(arch::kInputFragment, 2)[lane + l] = func::lane_samples(quad.covered, l);
  }
  if (inputs[arch::kInputPointCoord]) {
    float s[4], t[4];
    func::point_coord<4>(primitive_, at, place, s, t);
    std::memcpy(core_.input(arch::kInputPointCoord, 0) + lane, s, 16);
    std::memcpy(core_.input(arch::kInputPointCoord, 1) + lane, t, 16);
    for (uint32_t c = 2; c < 4; c++) std::fill_n(core_.input(arch::kInputPointCoord, c) + lane, 4, 0u);
  }
}

void FragmentStage::end() { flush(); }

void FragmentStage::flush() {
  if (!quads_) return;
  uint64_t lanes = 0;
  for (uint32_t i = 0; i < quads_; i++) lanes |= uint64_t{waiting_[i].mask} << (4 * i);
  const uint64_t helpers = ~lanes & ((1ull << (4 * quads_)) - 1);
  const uint64_t survivors = core_.run(state_->fragment(), lanes, helpers);
  const auto shaded = static_cast<uint32_t>(std::popcount(lanes));
  statistics_.fragments_shaded += shaded;
  statistics_.helpers_shaded += 4 * quads_ - shaded;
  statistics_.fragment_instructions += core_.executed() * quads_ * 4;
  if (state_->registers.query.statistics) counters_->statistics[7] += shaded;
  const bool masks = flags_ & arch::kShaderWritesSampleMask;
  const bool alpha = state_->registers.raster.alpha_to_coverage;
  for (uint32_t i = 0; i < quads_; i++) {
    Quad& quad = waiting_[i];
    const auto kept = static_cast<uint32_t>(survivors >> (4 * i) & 15);
    func::QuadSamples alive = quad.alive & func::at_all_samples(kept, samples_);
    if (masks || alpha)
      alive = func::exported_samples(samples_, alive,
                                     masks ? core_.output(arch::kOutputDepth, 1) + 4 * i : nullptr,
                                     alpha ? core_.output(0, 3) + 4 * i : nullptr);
    statistics_.fragments_killed_by_shader += count(quad.mask & ~func::any_sample(alive));
    if (alive) finish_quad(quad, 4 * i, alive);
  }
  quads_ = 0;
}

// Late tests and color targets. `lane`: the quad's first one in the group.
void FragmentStage::finish_quad(Quad& quad, uint32_t lane, func::QuadSamples alive) {
  if (mode_ != arch::DepthMode::kEarly) {
    if (flags_ & arch::kShaderWritesDepth)
      for (uint32_t l = 0; l < 4; l++) {
        const float z = func::exported_depth(quad.depth_min, quad.depth_max,
                                             core_.output(arch::kOutputDepth, 0)[lane + l]);
        for (uint32_t s = 0; s < samples_; s++) quad.z[s][l] = z;
      }
    const uint32_t* reference =
        flags_ & arch::kShaderWritesStencil ? core_.output(arch::kOutputDepth, 2) + lane : nullptr;
    const func::QuadSamples passed = depth_test(quad, alive, func::DepthPhase::kTestAndWrite, reference);
    statistics_.fragments_killed_late += count(func::any_sample(alive) & ~func::any_sample(passed));
    alive = passed;
  }
  if (!alive) return;
  if (counting_ && !count_early_) counters_->samples_passed += count(alive);
  write_color(quad, lane, alive);
}

func::QuadSamples FragmentStage::depth_test(const Quad& quad, func::QuadSamples samples,
                                            func::DepthPhase phase, const uint32_t* reference) {
  if (!depth_.active()) return samples;
  func::QuadSamples passed = 0;
  for (uint32_t s = 0; s < samples_; s++) {
    const uint32_t mask = func::sample_lanes(samples, s);
    if (!mask) continue;
    arch::Address address[4];
    uint64_t stored[4] = {};
    for (uint32_t l = 0; l < 4; l++) {
      if (!(mask >> l & 1)) continue;
      address[l] = depth_view_.address(static_cast<uint32_t>(quad.x) + (l & 1),
                                       static_cast<uint32_t>(quad.y) + (l >> 1), s);
      memory_.read(address[l], &stored[l], depth_.element_bytes);
    }
    const func::DepthResult result =
        func::depth_stencil(depth_, quad.front_facing, mask, quad.z[s], stored, phase, reference);
    for (uint32_t l = 0; l < 4; l++)
      if (result.write >> l & 1) {
        memory_.write(address[l], &result.element[l], depth_.element_bytes);
        if (on_pixel) report(quad, l, address[l], depth_.element_bytes, true);
      }
    passed |= result.pass << 4 * s;
  }
  return passed;
}

void FragmentStage::report(const Quad& quad, uint32_t lane, arch::Address address, uint32_t bytes, bool depth,
                           bool texel_tie) const {
  on_pixel({.primitive = quad.primitive,
            .x = static_cast<uint32_t>(quad.x) + (lane & 1),
            .y = static_cast<uint32_t>(quad.y) + (lane >> 1),
            .address = address,
            .bytes = bytes,
            .depth = depth,
            .texel_tie = texel_tie});
}

void FragmentStage::write_color(const Quad& quad, uint32_t lane, func::QuadSamples samples) {
  const uint32_t mask = func::any_sample(samples);
  if (!targets_.empty()) statistics_.fragments_written += count(mask);
  for (const Target& target : targets_) {
    for (uint32_t l = 0; l < 4; l++) {
      if (!(mask >> l & 1)) continue;
      uint32_t source[4], source1[4];
      for (uint32_t c = 0; c < 4; c++) source[c] = core_.output(target.output, c)[lane + l];
      for (uint32_t c = 0; c < 4; c++) source1[c] = core_.output(1, c)[lane + l];
      if (quad.smooth) source[3] = func::smooth_alpha(target.state, source[3], quad.coverage[l]);
      for (uint32_t s = 0; s < samples_; s++) {
        if (!(samples >> (4 * s + l) & 1)) continue;
        const arch::Address address = target.view.address(static_cast<uint32_t>(quad.x) + (l & 1),
                                                          static_cast<uint32_t>(quad.y) + (l >> 1), s);
        std::byte element[func::kMaxTexelBytes];
        if (func::needs_destination(target.state)) memory_.read(address, element, target.state.bytes);
        func::write_pixel(target.state, source, source1, element);
        memory_.write(address, element, target.state.bytes);
        if (on_pixel)
          report(quad, l, address, target.state.bytes, false, core_.texel_ties() >> (lane + l) & 1);
      }
    }
  }
}

}  // namespace cutaway::emulator
