#include "emulator/depth_tests.h"

#include <cstring>

#include "emulator/tile_masks.h"
#include "func/rop/wide_depth.h"

namespace cutaway::emulator {

void DepthTests::begin(const FragmentDraw& draw) {
  draw_ = &draw;
  elements_ = DepthElements(draw.depth.element_bytes);
  const bool early = draw.mode == arch::DepthMode::kEarly, places = draw.samples == 1 && !on_pixel_;
  const bool wide = func::can_test_wide(draw.depth) || (early && func::can_test_stencil_wide(draw.depth));
  tests_tiles_ = places && (!draw.tests_early() || (draw.depth_view.tiled && wide));
  tiles_write_ = early && draw.depth.may_write();
  tests_groups_ = places && draw.depth_view.tiled && func::can_test_wide(draw.depth);
}

// ---- Tiles ----

std::optional<uint64_t> DepthTests::test_tile(const TileDepths& depths, bool front_facing, int32_t x,
                                              int32_t y, uint64_t covered) {
  const arch::Address address = draw_->depth_view.address(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
  const std::byte* tile = memory_.readable(address);
  if (!tile) return {};
  const Pixels pixels{depths.data(), front_facing, address, tile, covered};
  return depths.whole_tile() ? test_whole_tile(pixels) : test_quads(pixels);
}

uint64_t DepthTests::test_lanes(const Pixels& pixels, uint32_t lanes, uint64_t covered,
                                const uint32_t* stored, uint32_t* element) const {
  const func::DepthState& depth = draw_->depth;
  if (!depth.stencil_test) return func::depth_test_wide(depth, pixels.z, lanes, covered, stored, element);
  return func::stencil_test_wide(depth, pixels.front_facing, pixels.z, lanes, covered, stored, element);
}

// The elements of an 8x8 tile are one run of memory, sector after sector.
uint64_t DepthTests::test_whole_tile(const Pixels& pixels) {
  alignas(64) uint32_t element[kTileElements];
  const uint64_t in_sectors = func::exchange_quads_and_sectors(pixels.covered);
  elements_.load<kTileElements>(pixels.tile, element);
  const uint64_t passed = test_lanes(pixels, kTileElements, in_sectors, element, element);
  if (tiles_write_ && (passed || draw_->depth.stencil_test))
    elements_.store<kTileElements>(element, memory_.writable(pixels.address));
  return func::exchange_quads_and_sectors(passed);
}

uint64_t DepthTests::test_quads(const Pixels& pixels) {
  alignas(64) uint32_t element[kTileElements];
  const uint64_t quads = quads_with(pixels.covered);
  uint64_t lanes = 0;
  each_quad(quads, [&](uint32_t i, uint32_t place) {
    elements_.load_quad(pixels.tile + element_place(i) * elements_.bytes(), &element[4 * place]);
    lanes |= uint64_t{lanes_of(pixels.covered, i)} << 4 * place;
  });
  const uint32_t width = func::whole_steps(4 * number_of(quads));
  const uint64_t passed = test_lanes(pixels, width, lanes, element, element);
  const bool failing_change = draw_->depth.stencil_test;
  if (!passed && !failing_change) return 0;
  std::byte* const to = tiles_write_ ? memory_.writable(pixels.address) : nullptr;
  uint64_t alive = 0;
  each_quad(quads, [&](uint32_t i, uint32_t place) {
    const uint64_t on = lanes_of(passed, place);
    alive |= on << 4 * i;
    if (!to || !(on || failing_change)) return;
    elements_.store_quad(&element[4 * place], to + element_place(i) * elements_.bytes());
  });
  return alive;
}

// ---- Halves of tiles ----

std::byte* DepthTests::find_half(int32_t x, int32_t y) {
  const arch::Address address = draw_->depth_view.address(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
  if (address % arch::kPageBytes > arch::kPageBytes - elements_.bytes() * kLanes) return nullptr;
  return sector(address);
}

uint32_t DepthTests::test_half(std::byte* place, const float* z, uint32_t alive) const {
  alignas(64) uint32_t element[kLanes];
  const uint64_t in_sectors = func::exchange_quads_and_sectors(alive);
  elements_.load<kLanes>(place, element);
  const uint64_t passed = func::depth_test_wide(draw_->depth, z, kLanes, in_sectors, element, element);
  if (passed && draw_->depth.depth_write) elements_.store<kLanes>(element, place);
  return static_cast<uint32_t>(func::exchange_quads_and_sectors(passed));
}

// ---- Groups ----

std::optional<uint32_t> DepthTests::test_group(const QuadGroup& group, uint32_t lanes) {
  if (!tests_groups_ || !at_places_of_their_own(group)) return {};
  alignas(64) float z[kLanes];
  alignas(64) uint32_t element[kLanes];
  std::byte* place[kGroupQuads];
  for (uint32_t i = 0; i < group.quads; i++) {
    if (!lanes_of(lanes, i)) continue;
    const RegionQuad& quad = group.quad[i];
    const auto x = static_cast<uint32_t>(quad.x), y = static_cast<uint32_t>(quad.y);
    place[i] = sector(draw_->depth_view.address(x, y));
    if (!place[i]) return {};
    elements_.load_quad(place[i], &element[4 * i]);
    std::memcpy(&z[4 * i], quad.z[0], sizeof quad.z[0]);
  }
  const uint32_t width = func::whole_steps(4 * group.quads);
  const auto passed =
      static_cast<uint32_t>(func::depth_test_wide(draw_->depth, z, width, lanes, element, element));
  for (uint32_t i = 0; i < group.quads && draw_->depth.depth_write; i++) {
    if (!lanes_of(passed, i)) continue;
    elements_.store_quad(&element[4 * i], place[i]);
  }
  return passed;
}

// ---- Quads ----

func::QuadSamples DepthTests::test(const RegionQuad& quad, func::QuadSamples samples, func::DepthPhase phase,
                                   const uint32_t* reference) {
  const func::DepthState& depth = draw_->depth;
  if (!depth.active()) return samples;
  const auto x = static_cast<uint32_t>(quad.x), y = static_cast<uint32_t>(quad.y);
  if (draw_->samples == 1 && draw_->depth_view.tiled && !on_pixel_)
    if (std::byte* at = sector(draw_->depth_view.address(x, y)))
      return test_sector(quad, samples, phase, reference, at);
  func::QuadSamples passed = 0;
  for (uint32_t s = 0; s < draw_->samples; s++) {
    const uint32_t mask = func::sample_lanes(samples, s);
    if (!mask) continue;
    arch::Address address[4];
    uint64_t stored[4] = {};
    for (uint32_t l = 0; l < 4; l++) {
      if (!(mask >> l & 1)) continue;
      address[l] = draw_->depth_view.address(x + (l & 1), y + (l >> 1), s);
      memory_.read(address[l], &stored[l], depth.element_bytes);
    }
    const func::DepthResult result =
        func::depth_stencil(depth, quad.primitive->front_facing, mask, quad.z[s], stored, phase, reference);
    for (uint32_t l = 0; l < 4; l++)
      if (result.write >> l & 1) {
        memory_.write(address[l], &result.element[l], depth.element_bytes);
        if (on_pixel_)
          on_pixel_(pixel_of(quad, l, {.address = address[l], .bytes = depth.element_bytes, .depth = true}));
      }
    passed |= result.pass << 4 * s;
  }
  return passed;
}

// Bytes at an address, null if not mapped. Memory that is only read stays shared with copies of it.
std::byte* DepthTests::sector(arch::Address address) {
  if (draw_->depth.may_write()) return memory_.writable(address);
  return const_cast<std::byte*>(memory_.readable(address));
}

// One sample per pixel, tiled: the quad's elements lie in one sector at `at`, two and two.
uint32_t DepthTests::test_sector(const RegionQuad& quad, uint32_t mask, func::DepthPhase phase,
                                 const uint32_t* reference, std::byte* at) {
  const func::DepthState& depth = draw_->depth;
  const uint32_t bytes = depth.element_bytes;
  std::byte* const place[4] = {at, at + bytes, at + arch::kSectorSize * bytes,
                               at + (arch::kSectorSize + 1) * bytes};
  uint64_t stored[4] = {};
  for (uint32_t l = 0; l < 4; l++) {
    if (bytes == 4) std::memcpy(&stored[l], place[l], 4);
    else std::memcpy(&stored[l], place[l], bytes);
  }
  const func::DepthResult result =
      func::depth_stencil(depth, quad.primitive->front_facing, mask, quad.z[0], stored, phase, reference);
  for (uint32_t l = 0; l < 4; l++) {
    if (!(result.write >> l & 1)) continue;
    if (bytes == 4) std::memcpy(place[l], &result.element[l], 4);
    else std::memcpy(place[l], &result.element[l], bytes);
  }
  return result.pass;
}

}  // namespace cutaway::emulator
