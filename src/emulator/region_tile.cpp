#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/region_stage.h"
#include "func/raster/coverage.h"
#include "func/rop/wide_blend.h"
#include "func/rop/wide_depth.h"

// The beginning of the fragment stage: coverage and early tests of 8x8 tiles.
namespace cutaway::emulator {
namespace {

// Bit 4 q for each quad q with a pixel in the mask.
constexpr uint64_t quads_with(uint64_t pixels) {
  pixels |= pixels >> 1, pixels |= pixels >> 2;
  return pixels & 0x1111111111111111;
}
// std::popcount calls a library where the base instruction set has none.
constexpr uint32_t number_of(uint64_t quads) {
  quads = (quads + (quads >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<uint32_t>(quads * 0x0101010101010101 >> 56);
}
constexpr uint32_t pixels_of(uint64_t mask) {
  mask -= mask >> 1 & 0x5555555555555555;
  mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333);
  return number_of(mask);
}
static_assert(number_of(0x1111111111111111) == 16 && pixels_of(~uint64_t{0}) == 64 && pixels_of(0x8001) == 2);

// visit(quad, place): the quads of the mask in order, place counting from 0.
template <class Visit>
void each_quad(uint64_t quads, Visit&& visit) {
  for (uint32_t place = 0; quads; quads &= quads - 1, place++)
    visit(static_cast<uint32_t>(std::countr_zero(quads)) / 4, place);
}

constexpr uint32_t lanes_of(uint64_t pixels, uint32_t quad) { return pixels >> 4 * quad & 15; }

constexpr uint32_t kRowBytes = arch::kSectorSize * 4;
constexpr uint32_t kTileElements = 64;

// Of a quad's first element in its tile; the second row follows kRowBytes later.
constexpr uint32_t element_offset(uint32_t quad) {
  return static_cast<uint32_t>(arch::tiled_offset(static_cast<uint32_t>(func::quad_x(quad)),
                                                  static_cast<uint32_t>(func::quad_y(quad)), 0, 4));
}

// From this many covered quads on a tile's depth is found and tested as a whole.
constexpr uint32_t kManyQuads = 7;

}  // namespace

void RegionStage::tile(int32_t x, int32_t y) {
  meter_.step(1);
  if (draw_->samples > 1) {
    const uint32_t sample_mask = draw_->state->registers.raster.sample_mask;
    const func::TileSamples tile = func::tile_samples(*primitive_, x, y, sample_mask);
    statistics_.tiles += tile.any != 0;
    for (uint32_t i = 0; tile.any && i < func::kTileQuads; i++)
      if (const func::QuadSamples covered = tile.quad(i))
        quad(x + func::quad_x(i), y + func::quad_y(i), covered, nullptr);
    return;
  }
  const uint64_t rows =
      edges_hold_ ? func::tile_bounds(*primitive_, x, y) : func::tile_coverage(*primitive_, x, y);
  if (!rows) return;
  statistics_.tiles++;
  const uint64_t covered = func::quad_order(rows);
  if (tests_tiles_ && !primitive_->line.smooth && test_tile(x, y, covered)) return;
  find_depth(x, y, covered);
  each_quad(quads_with(covered), [&](uint32_t i, uint32_t place) {
    float z[4];
    quad(x + func::quad_x(i), y + func::quad_y(i), lanes_of(covered, i), depth_of(i, place, z));
  });
}

void RegionStage::find_depth(int32_t x, int32_t y, uint64_t covered) {
  const uint64_t quads = quads_with(covered);
  whole_tile_z_ = number_of(quads) >= kManyQuads;
  if (whole_tile_z_) return wide_.tile_depth(*primitive_, x, y, tile_z_);
  int32_t at_x[kTileElements], at_y[kTileElements];
  each_quad(quads, [&](uint32_t i, uint32_t place) {
    const auto at = func::quad_positions(x + func::quad_x(i), y + func::quad_y(i));
    std::memcpy(at_x + 4 * place, at.x, sizeof at.x);
    std::memcpy(at_y + 4 * place, at.y, sizeof at.y);
  });
  wide_.depth(*primitive_, at_x, at_y, 4 * number_of(quads), tile_z_);
}

// Of a quad that is the `place`-th covered one; z is room for it.
const float* RegionStage::depth_of(uint32_t quad, uint32_t place, float z[4]) const {
  if (!whole_tile_z_) return tile_z_ + 4 * place;
  const float* from = tile_z_ + element_offset(quad) / 4;
  std::memcpy(z, from, 8);
  std::memcpy(z + 2, from + arch::kSectorSize, 8);
  return z;
}

// Early tests of all the tile's quads together; those that are left go on to the shader. False, with nothing
// done: no memory is mapped there, which is for the quads to count.
bool RegionStage::test_tile(int32_t x, int32_t y, uint64_t covered) {
  uint64_t alive = covered;
  const bool tests = draw_->tests_early();
  if (tests || reads_z_) find_depth(x, y, covered);
  if (tests) {
    const arch::Address address =
        draw_->depth_view.address(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
    const std::byte* tile = memory_.readable(address);
    if (!tile) return false;
    alive = whole_tile_z_ ? test_whole_tile(address, tile, covered) : test_quads(address, tile, covered);
  }
  statistics_.quads += number_of(quads_with(covered));
  statistics_.fragments += pixels_of(covered);
  statistics_.fragments_killed_early += pixels_of(covered & ~alive);
  if (draw_->counting && draw_->count_early) counters_.samples_passed += pixels_of(alive);
  if (alive == ~uint64_t{0} && fills_tiles_ && has_run_ && fill_tile(x, y)) return true;
  add_quads(x, y, covered, alive);
  return true;
}

// An 8x8 tile of depth is one run of memory, sector after sector.
uint64_t RegionStage::test_whole_tile(arch::Address address, const std::byte* tile, uint64_t covered) {
  alignas(64) uint32_t element[kTileElements];
  std::memcpy(element, tile, sizeof element);
  const uint64_t in_sectors = func::exchange_quads_and_sectors(covered);
  const uint64_t passed = func::depth_test_wide(draw_->depth, tile_z_, kTileElements, in_sectors, element);
  if (passed && draw_->mode == arch::DepthMode::kEarly && draw_->depth.depth_write)
    std::memcpy(memory_.writable(address), element, sizeof element);
  return func::exchange_quads_and_sectors(passed);
}

uint64_t RegionStage::test_quads(arch::Address address, const std::byte* tile, uint64_t covered) {
  alignas(64) uint32_t element[kTileElements];
  const uint64_t quads = quads_with(covered);
  uint64_t lanes = 0;
  each_quad(quads, [&](uint32_t i, uint32_t place) {
    std::memcpy(&element[4 * place], tile + element_offset(i), 8);
    std::memcpy(&element[4 * place + 2], tile + element_offset(i) + kRowBytes, 8);
    lanes |= uint64_t{lanes_of(covered, i)} << 4 * place;
  });
  const uint32_t width = (4 * number_of(quads) + 7) & ~7u;
  const uint64_t passed = func::depth_test_wide(draw_->depth, tile_z_, width, lanes, element);
  if (!passed) return 0;
  const bool writes = draw_->mode == arch::DepthMode::kEarly && draw_->depth.depth_write;
  std::byte* const to = writes ? memory_.writable(address) : nullptr;
  uint64_t alive = 0;
  each_quad(quads, [&](uint32_t i, uint32_t place) {
    const uint64_t on = lanes_of(passed, place);
    alive |= on << 4 * i;
    if (!on || !writes) return;
    std::memcpy(to + element_offset(i), &element[4 * place], 8);
    std::memcpy(to + element_offset(i) + kRowBytes, &element[4 * place + 2], 8);
  });
  return alive;
}

void RegionStage::add_quads(int32_t x, int32_t y, uint64_t covered, uint64_t alive) {
  each_quad(quads_with(covered), [&](uint32_t i, uint32_t place) {
    const uint32_t lanes = lanes_of(alive, i);
    if (!lanes) return;
    Quad& quad = waiting_[quads_];
    quad.x = x + func::quad_x(i), quad.y = y + func::quad_y(i);
    quad.covered = lanes_of(covered, i);
    quad.alive = lanes;
    quad.sample = 0;
    quad.smooth = false;
    quad.number = number_;
    if (reads_z_) {
      float z[4];
      std::memcpy(quad.z[0], depth_of(i, place, z), sizeof quad.z[0]);
    }
    if (draw_->shades) shade(quad);
    else after_shading(quad, 0, lanes);
  });
}

// What the groups of the tile's quads would do. False: something is not mapped.
bool RegionStage::fill_tile(int32_t x, int32_t y) {
  std::byte* place[arch::kColorTargets];
  const size_t targets = draw_->targets.size();
  for (size_t i = 0; i < targets; i++) {
    const func::TargetView& view = draw_->targets[i].view;
    place[i] = memory_.writable(view.address(static_cast<uint32_t>(x), static_cast<uint32_t>(y)));
    if (!place[i]) return false;
  }
  for (size_t i = 0; i < targets; i++) {
    uint32_t elements[kTileElements];
    std::fill_n(elements, kTileElements, element_[i]);
    std::memcpy(place[i], elements, sizeof elements);
  }
  constexpr uint32_t kGroups = func::kTileQuads / kGroupQuads;
  meter_.step(core_.executed() * kLanes * kGroups);
  statistics_.fragments_shaded += kTileElements;
  statistics_.fragments_written += kTileElements;
  statistics_.fragment_instructions += core_.executed() * kTileElements;
  if (draw_->state->registers.query.statistics) counters_[Statistic::kFragmentInvocations] += kTileElements;
  if (draw_->counting && !draw_->count_early) counters_.samples_passed += kTileElements;
  return true;
}

// From the outputs of a uniform program.
void RegionStage::find_elements() {
  for (size_t i = 0; i < draw_->targets.size(); i++) {
    const FragmentDraw::Target& target = draw_->targets[i];
    const uint32_t* const source[4] = {core_.output(target.output, 0), core_.output(target.output, 1),
                                       core_.output(target.output, 2), core_.output(target.output, 3)};
    alignas(64) uint32_t element[8];
    func::blend_wide(target.state, source, 8, element);
    element_[i] = element[0];
  }
}

}  // namespace cutaway::emulator
