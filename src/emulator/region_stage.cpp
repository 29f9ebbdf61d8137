#include "emulator/region_stage.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/tile_masks.h"
#include "func/raster/coverage.h"
#include "func/raster/interpolate.h"
#include "func/raster/line.h"
#include "func/rop/exported_fragment.h"

namespace cutaway::emulator {

RegionStage::RegionStage(arch::Memory& memory)
    : core_(memory, meter_, statistics_),
      tests_(memory, on_pixel),
      inputs_(core_, group_),
      halves_(memory, meter_, statistics_),
      colors_(memory, on_pixel) {
  core_.interpolants = &inputs_;
}

void RegionStage::begin(const FragmentDraw& draw, const PrimitiveBatch& batch, uint64_t steps_left) {
  draw_ = &draw, batch_ = &batch;
  steps_left_ = steps_left, steps_ = 0;
  statistics_ = {}, counters_ = {};
  stopped_ = false;
  core_.note_reads = static_cast<bool>(on_pixel);
  tests_.begin(draw);
  reads_z_ = draw.depth.active() && draw.mode != arch::DepthMode::kEarly;
  exports_samples_ =
      (draw.flags & arch::kShaderWritesSampleMask) || draw.state->registers.raster.alpha_to_coverage;
  const bool counts_late = draw.counting && !draw.count_early;
  ends_with_shading_ =
      draw.samples == 1 && draw.mode == arch::DepthMode::kEarly && !exports_samples_ && !counts_late;
  tests_together_ = draw.samples == 1 && draw.depth.active() && draw.mode != arch::DepthMode::kEarly &&
                    !exports_samples_ &&
                    !(draw.flags & (arch::kShaderWritesDepth | arch::kShaderWritesStencil));
  uniform_ = has_run_ = false;
  if (draw.shades) {
    const Program& program = *draw.state->fragment().program;
    core_.begin(draw.state->fragment(), draw.copies);
    inputs_.begin(draw, batch);
    reads_z_ |= program.inputs[arch::kInputFragCoord] >> 2 & 1;
    uniform_ = program.uniform && draw.samples == 1 && !on_pixel;
  }
  colors_.begin(draw, uniform_);
  const bool ends_halves = ends_with_shading_ || (tests_together_ && tests_.tests_halves());
  shades_halves_ = HalfTiles::can_shade(draw) && ends_halves && !uniform_ && colors_.writes_halves();
  if (shades_halves_) halves_.begin(draw, batch);
}

bool RegionStage::draw(uint32_t place) {
  const uint32_t region = batch_->touched[place];
  const auto x = static_cast<int32_t>(region % kRegionsAcross) * kRegion;
  const auto y = static_cast<int32_t>(region / kRegionsAcross) * kRegion;
  meter_ = Meter(steps_left_);
  group_.clear();
  inputs_.restart();
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

// ---- Coverage ----

void RegionStage::rasterize(uint32_t number, int32_t x, int32_t y) {
  inputs_.fill();  // for the quads of the primitive before
  number_ = number;
  primitive_ = &batch_->primitives[number];
  const func::Primitive& p = *primitive_;
  const int32_t right = std::min(x + kRegion, p.x1), low = std::min(y + kRegion, p.y1);
  const int32_t left = std::max(x, p.x0 & -func::kTilePixels);
  const bool edges_hold = p.line.factor == 0 && func::edges_hold(p, x, y, kRegion);
  const func::TileEdges edges(p);
  for (int32_t ty = std::max(y, p.y0 & -func::kTilePixels); ty < low; ty += func::kTilePixels)
    for (int32_t tx = left; tx < right; tx += func::kTilePixels) {
      if (draw_->samples > 1) tile_of_samples(tx, ty);
      else if (const uint64_t rows = edges_hold ? func::tile_bounds(p, tx, ty) : edges.coverage(tx, ty))
        tile(tx, ty, rows);
    }
}

// rows: the covered pixels, as tile_coverage() gives them.
void RegionStage::tile(int32_t x, int32_t y, uint64_t rows) {
  meter_.step(1);
  tile_ = uint64_t{1} << (y % kRegion / func::kTilePixels * 8 + x % kRegion / func::kTilePixels);
  statistics_.tiles++;
  const uint64_t covered = func::quad_order(rows);
  if (tests_.tests_tiles() && !primitive_->line.smooth && test_tile(x, y, covered)) return;
  depths_.find(*primitive_, x, y, covered);
  each_quad(quads_with(covered), [&](uint32_t i, uint32_t place) {
    float z[4];
    quad(x + func::quad_x(i), y + func::quad_y(i), lanes_of(covered, i), depths_.of_quad(i, place, z));
  });
}

void RegionStage::tile_of_samples(int32_t x, int32_t y) {
  meter_.step(1);
  if (!func::tile_overlaps(*primitive_, x, y, func::kTilePixels)) return;
  const uint32_t sample_mask = draw_->state->registers.raster.sample_mask;
  const func::TileSamples tile = func::tile_samples(*primitive_, x, y, sample_mask);
  statistics_.tiles += tile.any != 0;
  for (uint32_t i = 0; tile.any && i < func::kTileQuads; i++)
    if (const func::QuadSamples covered = tile.quad(i))
      quad(x + func::quad_x(i), y + func::quad_y(i), covered, nullptr);
}

// Tests all quads of a tile together and shades those that are left. Fails, with nothing done, if no depth is
// mapped there: single quads count that.
bool RegionStage::test_tile(int32_t x, int32_t y, uint64_t covered) {
  uint64_t alive = covered;
  const bool tests = draw_->tests_early();
  if (tests || reads_z_) depths_.find(*primitive_, x, y, covered);
  if (tests) {
    const std::optional<uint64_t> passed = tests_.test_tile(depths_, primitive_->front_facing, x, y, covered);
    if (!passed) return false;
    alive = *passed;
  }
  statistics_.quads += number_of(quads_with(covered));
  statistics_.fragments += pixels_of(covered);
  statistics_.fragments_killed_early += pixels_of(covered & ~alive);
  if (draw_->counting && draw_->count_early) counters_.samples_passed += pixels_of(alive);
  if (alive == ~uint64_t{0} && colors_.one_color() && colors_.fill_tile(x, y)) {
    count_filled_tile();
    return true;
  }
  if (shades_halves_) alive = shade_halves(x, y, alive);
  add_quads(x, y, covered, alive);
  return true;
}

// Counts what the groups of a tile's quads would count.
void RegionStage::count_filled_tile() {
  constexpr uint32_t kGroups = func::kTileQuads / kGroupQuads;
  meter_.step(core_.executed() * kLanes * kGroups);
  statistics_.fragments_shaded += kTileElements;
  statistics_.fragments_written += kTileElements;
  statistics_.fragment_instructions += core_.executed() * kTileElements;
  if (draw_->state->registers.query.statistics) counters_[Statistic::kFragmentInvocations] += kTileElements;
  if (draw_->counting && !draw_->count_early) counters_.samples_passed += kTileElements;
}

// Shades the halves of a tile that are alive as a whole. Returns the pixels that are left.
uint64_t RegionStage::shade_halves(int32_t x, int32_t y, uint64_t alive) {
  static_assert(kLanes == kTileElements / 2);
  for (uint32_t half = 0; half < 2; half++) {
    const uint64_t pixels = uint64_t{~uint32_t{0}} << kLanes * half;
    const auto row = static_cast<int32_t>(kHalfRows * half);
    if ((alive & pixels) == pixels && shade_half(x, y + row, half)) alive &= ~pixels;
  }
  return alive;
}

bool RegionStage::shade_half(int32_t x, int32_t y, uint32_t half) {
  ColorWrites::HalfPlaces colors;
  if (!colors_.find_half(x, y, colors)) return false;
  std::byte* const depth = tests_together_ ? tests_.find_half(x, y) : nullptr;
  if (tests_together_ && !depth) return false;
  if (group_.tiles & tile_) flush();  // quads of primitives before
  const uint32_t kept = halves_.shade(*primitive_, number_, x, y);
  const uint32_t alive =
      tests_together_ ? tests_.test_half(depth, depths_.data() + kLanes * half, kept) : kept;
  count_shaded(~uint32_t{0}, kGroupQuads, halves_.core().executed());
  count_ended(~uint32_t{0}, kept, alive);
  colors_.write_half(colors, alive, halves_.core());
  return true;
}

// The quad, which has the next place of the group, joins it to be shaded in some lanes.
inline void RegionStage::join(RegionQuad& quad, uint32_t lanes) {
  quad.mask = static_cast<uint8_t>(lanes);
  group_.lanes |= lanes << 4 * group_.quads;
  group_.tiles |= tile_;
  group_.smooth |= quad.smooth;
  if (++group_.quads == kGroupQuads) flush();
}

void RegionStage::add_quads(int32_t x, int32_t y, uint64_t covered, uint64_t alive) {
  if (!alive) return;
  const uint64_t sectors = whole_sectors(alive);
  const auto add = [&](uint32_t i) -> RegionQuad& {
    const bool whole = (sectors >> 4 * i & 1) && group_.quads + kSectorQuads <= kGroupQuads;
    group_.sectors |= uint32_t{whole} << group_.quads;
    RegionQuad& quad = next_quad(x + func::quad_x(i), y + func::quad_y(i), lanes_of(covered, i));
    quad.alive = lanes_of(alive, i);
    quad.smooth = false;
    return quad;
  };
  if (draw_->shades && !reads_z_)
    return each_quad(quads_with(alive), [&](uint32_t i, uint32_t) { join(add(i), lanes_of(alive, i)); });
  each_quad(quads_with(covered), [&](uint32_t i, uint32_t place) {
    const uint32_t lanes = lanes_of(alive, i);
    if (!lanes) return;
    RegionQuad& quad = add(i);
    if (reads_z_) {
      float z[4];
      std::memcpy(quad.z[0], depths_.of_quad(i, place, z), sizeof quad.z[0]);
    }
    if (draw_->shades) join(quad, lanes);
    else after_shading(quad, 0, lanes);
  });
}

// ---- Quads ----

// A quad of the primitive under way in the next place of the group.
RegionQuad& RegionStage::next_quad(int32_t x, int32_t y, func::QuadSamples covered) {
  RegionQuad& quad = group_.quad[group_.quads];
  quad.primitive = primitive_;
  quad.number = number_;
  quad.x = x, quad.y = y;
  quad.covered = covered;
  quad.sample = 0;
  return quad;
}

// z: depth at the pixel's centre in each lane; null with several samples.
void RegionStage::quad(int32_t x, int32_t y, func::QuadSamples covered, const float* z) {
  const uint32_t mask = func::any_sample(covered);
  statistics_.quads++;
  statistics_.fragments += lanes_in(mask);
  RegionQuad& quad = next_quad(x, y, covered);
  if (z) std::memcpy(quad.z[0], z, sizeof quad.z[0]);
  else set_depth(quad);
  quad.smooth = primitive_->line.smooth;
  if (quad.smooth) func::smooth_coverage(*primitive_, func::quad_positions(x, y), quad.coverage);
  quad.alive = test_early(quad);
  statistics_.fragments_killed_early += lanes_in(mask & ~func::any_sample(quad.alive));
  if (draw_->counting && draw_->count_early) counters_.samples_passed += count(quad.alive);
  if (!quad.alive) return;
  if (!draw_->shades) after_shading(quad, 0, quad.alive);
  else if (draw_->sample_shading) shade_samples(quad);
  else shade(quad);
}

void RegionStage::set_depth(RegionQuad& quad) const {
  if (!draw_->depth.active()) return;
  const auto at = func::quad_positions(quad.x, quad.y);
  for (uint32_t s = 0; s < draw_->samples; s++)
    if (func::sample_lanes(quad.covered, s))
      func::depth<4>(*primitive_, at, func::sample_offset(draw_->samples, s), quad.z[s]);
}

func::QuadSamples RegionStage::test_early(const RegionQuad& quad) {
  if (draw_->mode == arch::DepthMode::kEarly)
    return tests_.test(quad, quad.covered, func::DepthPhase::kTestAndWrite, nullptr);
  if (draw_->early_reject) return tests_.test(quad, quad.covered, func::DepthPhase::kTest, nullptr);
  return quad.covered;
}

// Each live sample of the quad is shaded by itself.
void RegionStage::shade_samples(const RegionQuad& quad) {
  const RegionQuad whole = quad;
  for (uint32_t s = 0; s < draw_->samples; s++) {
    if (!func::sample_lanes(whole.alive, s)) continue;
    RegionQuad& one = group_.quad[group_.quads];
    one = whole;
    one.sample = static_cast<uint8_t>(s);
    one.covered &= 15u << 4 * s;
    one.alive &= 15u << 4 * s;
    shade(one);
  }
}

void RegionStage::shade(RegionQuad& quad) { join(quad, func::any_sample(quad.alive)); }

// ---- Groups ----

// Returns the lanes that were not discarded. A uniform program's outputs are those of the group before.
uint64_t RegionStage::run_program(uint64_t lanes, uint64_t helpers) {
  if (!has_run_) {
    const uint64_t survivors = core_.run(draw_->state->fragment(), lanes, helpers);
    has_run_ = uniform_;
    if (colors_.one_color()) colors_.find_elements(core_);
    return survivors;
  }
  meter_.step(core_.executed() * kLanes);
  return lanes;
}

void RegionStage::flush() {
  const uint32_t quads = group_.quads;
  if (!quads) return;
  inputs_.fill();
  const uint64_t lanes = group_.lanes;
  const uint64_t helpers = ~lanes & ((1ull << (4 * quads)) - 1);
  const uint64_t survivors = run_program(lanes, helpers);
  count_shaded(group_.lanes, quads, core_.executed());
  if (ends_with_shading_) finish_quads(survivors);
  else finish_quads_late(survivors);
  if (!draw_->targets.empty()) colors_.write(group_, core_);
  group_.clear();
  inputs_.restart();
}

// Counts a run of the program for some quads.
void RegionStage::count_shaded(uint32_t lanes, uint32_t quads, uint64_t executed) {
  const uint32_t shaded = pixels_of(lanes);
  statistics_.fragments_shaded += shaded;
  statistics_.helpers_shaded += 4 * quads - shaded;
  statistics_.fragment_instructions += executed * quads * 4;
  if (draw_->state->registers.query.statistics) counters_[Statistic::kFragmentInvocations] += shaded;
}

// Counts fragments that were shaded, that the program kept, and that are alive after late tests.
void RegionStage::count_ended(uint32_t shaded, uint32_t kept, uint32_t alive) {
  statistics_.fragments_killed_by_shader += pixels_of(shaded & ~kept);
  statistics_.fragments_killed_late += pixels_of(kept & ~alive);
  if (draw_->counting && !draw_->count_early) counters_.samples_passed += pixels_of(alive);
  if (!draw_->targets.empty()) statistics_.fragments_written += pixels_of(alive);
}

// Takes the discarded lanes from the quads of a group.
void RegionStage::finish_quads(uint64_t survivors) {
  const auto alive = static_cast<uint32_t>(group_.lanes & survivors);
  if (alive != group_.lanes)
    for (uint32_t i = 0; i < group_.quads; i++) group_.quad[i].alive = alive >> 4 * i & 15;
  count_ended(group_.lanes, alive, alive);
}

// The same, with what else can end samples after shading.
void RegionStage::finish_quads_late(uint64_t survivors) {
  if (tests_together_) return test_quads_late(survivors);
  const bool writes = !draw_->targets.empty();
  for (uint32_t i = 0; i < group_.quads; i++) {
    RegionQuad& quad = group_.quad[i];
    const auto kept = static_cast<uint32_t>(survivors >> (4 * i) & 15);
    func::QuadSamples alive = quad.alive & func::at_all_samples(kept, draw_->samples);
    if (exports_samples_) alive = exported_samples(alive, 4 * i);
    statistics_.fragments_killed_by_shader += lanes_in(quad.mask & ~func::any_sample(alive));
    quad.alive = alive ? after_shading(quad, 4 * i, alive) : 0;
    if (writes) statistics_.fragments_written += lanes_in(func::any_sample(quad.alive));
  }
}

// The same where only the depth test ends fragments after shading: of all quads together.
void RegionStage::test_quads_late(uint64_t survivors) {
  const auto kept = static_cast<uint32_t>(group_.lanes & survivors);
  const std::optional<uint32_t> passed = tests_.test_group(group_, kept);
  uint32_t alive = 0;
  for (uint32_t i = 0; i < group_.quads; i++) {
    RegionQuad& quad = group_.quad[i];
    const uint32_t lanes = lanes_of(kept, i);
    if (passed) quad.alive = lanes_of(*passed, i);
    else quad.alive = lanes ? tests_.test(quad, lanes, func::DepthPhase::kTestAndWrite, nullptr) : 0;
    alive |= quad.alive << 4 * i;
  }
  count_ended(group_.lanes, kept, alive);
}

// Samples that the program's sample mask and alpha to coverage leave alive. lane: the quad's first one in the
// group.
func::QuadSamples RegionStage::exported_samples(func::QuadSamples alive, uint32_t lane) const {
  const bool masks = draw_->flags & arch::kShaderWritesSampleMask;
  const bool alpha = draw_->state->registers.raster.alpha_to_coverage;
  return func::exported_samples(draw_->samples, alive,
                                masks ? core_.output(arch::kOutputDepth, 1) + lane : nullptr,
                                alpha ? core_.output(0, 3) + lane : nullptr);
}

// Makes late tests; returns the samples that reach the color targets.
func::QuadSamples RegionStage::after_shading(RegionQuad& quad, uint32_t lane, func::QuadSamples alive) {
  if (draw_->mode != arch::DepthMode::kEarly) {
    if (draw_->flags & arch::kShaderWritesDepth) {
      const func::Primitive& p = *quad.primitive;
      const arch::DepthPromise promise = arch::depth_promise(draw_->state->registers);
      for (uint32_t l = 0; l < 4; l++) {
        const uint32_t exported = core_.output(arch::kOutputDepth, 0)[lane + l];
        const float z = func::promised_depth(promise, quad.z[0][l],
                                             func::exported_depth(p.depth_min, p.depth_max, exported));
        for (uint32_t s = 0; s < draw_->samples; s++) quad.z[s][l] = z;
      }
    }
    const uint32_t* reference =
        draw_->flags & arch::kShaderWritesStencil ? core_.output(arch::kOutputDepth, 2) + lane : nullptr;
    const func::QuadSamples passed = tests_.test(quad, alive, func::DepthPhase::kTestAndWrite, reference);
    statistics_.fragments_killed_late += lanes_in(func::any_sample(alive) & ~func::any_sample(passed));
    alive = passed;
  }
  if (draw_->counting && !draw_->count_early) counters_.samples_passed += count(alive);
  return alive;
}

}  // namespace cutaway::emulator
