#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "arch/memory.h"
#include "emulator/depth_elements.h"
#include "emulator/primitive_batch.h"
#include "emulator/region_quad.h"
#include "emulator/tile_depths.h"
#include "func/rop/depth_stencil.h"

namespace cutaway::emulator {

// Tests quads and whole tiles against depth and stencil in memory.
class DepthTests {
 public:
  // on_pixel: gets each write, if it is set; must outlive this.
  DepthTests(arch::Memory& memory, const std::function<void(PixelWrite)>& on_pixel)
      : memory_(memory), on_pixel_(on_pixel) {}

  void begin(const FragmentDraw& draw);
  // test_tile() does early tests of this draw, or the draw has none.
  bool tests_tiles() const { return tests_tiles_; }

  // Tests `samples` of the quad and returns those that pass; writes them if the phase says so. reference:
  // stencil reference by lane; null for that of the draw.
  func::QuadSamples test(const RegionQuad& quad, func::QuadSamples samples, func::DepthPhase phase,
                         const uint32_t* reference);
  // Early test of the covered pixels of a primitive in the tile at (x, y): those that pass. Nothing, with
  // nothing done: no memory is mapped there.
  std::optional<uint64_t> test_tile(const TileDepths& depths, bool front_facing, int32_t x, int32_t y,
                                    uint64_t covered);
  // test_half() does late tests of this draw.
  bool tests_halves() const { return tests_groups_; }
  // Finds where the half of a tile (half_tiles.h) from (x, y) on lies. Null if it is not mapped, or not in
  // one page. Only if tests_halves().
  std::byte* find_half(int32_t x, int32_t y);
  // Late test of its pixels: those of `alive`, in quad order, that pass. z: depths in sector order.
  uint32_t test_half(std::byte* place, const float* z, uint32_t alive) const;
  // Late test of some lanes of a group's quads, which have one sample per pixel and lie at places of their
  // own: those that pass. Nothing, with nothing done: single quads must be tested.
  std::optional<uint32_t> test_group(const QuadGroup& group, uint32_t lanes);

 private:
  // z and elements of a tile's pixels, and which of these are covered.
  struct Pixels {
    const float* z;
    bool front_facing;
    arch::Address address;
    const std::byte* tile;
    uint64_t covered;
  };
  uint64_t test_whole_tile(const Pixels& pixels);
  uint64_t test_quads(const Pixels& pixels);
  uint64_t test_lanes(const Pixels& pixels, uint32_t lanes, uint64_t covered, const uint32_t* stored,
                      uint32_t* element) const;
  std::byte* sector(arch::Address address);
  uint32_t test_sector(const RegionQuad& quad, uint32_t mask, func::DepthPhase phase,
                       const uint32_t* reference, std::byte* at);

  arch::Memory& memory_;
  const std::function<void(PixelWrite)>& on_pixel_;
  const FragmentDraw* draw_ = nullptr;
  DepthElements elements_;
  bool tests_tiles_ = false, tests_groups_ = false;
  bool tiles_write_ = false;  // early tests of tiles write what passes
};

}  // namespace cutaway::emulator
