#pragma once

#include <gtest/gtest.h>

#include "arch/memory.h"
#include "emulator/primitive_batch.h"
#include "emulator/region_quad.h"
#include "func/raster/setup.h"

// A draw of one triangle that covers a target of 64 x 64 pixels, for tests of parts of the fragment stage.
namespace cutaway::emulator::testing {

constexpr arch::Address kDepth = 0x100000, kColor = 0x200000;

struct Region {
  arch::Memory memory;
  State state;
  FragmentDraw draw;
  PrimitiveBatch batch;
  std::function<void(PixelWrite)> on_pixel;
  uint32_t depth_bytes = 4;  // of an element

  static arch::Surface surface(arch::Format format, arch::Address address) {
    arch::Surface s{};
    s.format = static_cast<uint32_t>(format);
    s.type = arch::Surface::make_type(arch::SurfaceType::k2D, arch::Tiling::kTiled);
    s.width = s.height = 64, s.depth = 1;
    s.levels = s.level_count = s.layers = s.layer_count = 1;
    s.swizzle = arch::kSwizzleIdentity;
    s.address = address;
    return s;
  }

  // Depth at the upper left corner, and by how much it grows to the right over the target.
  explicit Region(float z = 0.5f, float slope = 0) {
    memory.map(0, 1 << 22);
    arch::Registers& r = state.registers;
    r.raster.depth_clip = 1, r.raster.line_width = 1, r.raster.samples = 1, r.raster.sample_mask = 1;
    r.raster.viewports = r.raster.layers = 1;
    r.raster.width = r.raster.height = 64;
    r.raster.viewport[0] = {{32, 32, 1}, {32, 32, 0}};
    r.raster.depth_range_max[0] = 1;
    r.raster.scissor[0] = {0, 0, 64, 64};
    r.color.target[0].surface = surface(arch::Format::R8G8B8A8_UNORM, kColor);
    r.color.target[0].write_mask = 15;
    const float position[3][4] = {{-1, -1, z, 1}, {3, -1, z + 2 * slope, 1}, {-1, 3, z, 1}};
    func::SetupInput input;
    input.position = position;
    input.vertices = 3;
    input.primitive_id = 7;
    EXPECT_EQ(func::setup(r, input, batch.primitives.emplace_back()), func::SetupResult::kAccepted);
    draw.state = &state;
    draw.plan(r);
  }
  // All of it is at depth 1. format: fixed point, of 16 or 24 bits.
  void add_depth(arch::Compare compare, bool write = true,
                 arch::Format format = arch::Format::X8_D24_UNORM_PACK32) {
    auto& depth = state.registers.depth;
    depth.surface = surface(format, kDepth);
    depth_bytes = arch::format_info(depth.surface.format).bytes;
    depth.depth_test = 1, depth.depth_write = write;
    depth.depth_compare = static_cast<uint32_t>(compare);
    draw.plan(state.registers);
    for (uint32_t i = 0; i < 64 * 64; i++) put_depth(i, depth_bytes == 2 ? 0xffff : 0xffffff);
  }
  void put_depth(uint32_t element, uint32_t value) {
    memory.write(kDepth + depth_bytes * element, &value, depth_bytes);
  }
  uint32_t depth(uint32_t element) {
    uint32_t value = 0;
    memory.read(kDepth + depth_bytes * element, &value, depth_bytes);
    return value;
  }
  uint32_t word(arch::Address address) {
    uint32_t value = 0;
    memory.read(address, &value, 4);
    return value;
  }
  RegionQuad quad(int32_t x, int32_t y, float z, uint32_t lanes = 15) {
    RegionQuad q{};
    q.primitive = &batch.primitives[0];
    q.x = x, q.y = y;
    q.covered = q.alive = lanes;
    q.mask = static_cast<uint8_t>(lanes);
    for (float& lane : q.z[0]) lane = z;
    return q;
  }
};

}  // namespace cutaway::emulator::testing
