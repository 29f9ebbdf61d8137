#pragma once

#include <functional>

#include "arch/memory.h"
#include "func/format/numeric.h"
#include "func/texture/sample.h"

// An image in memory and a quad to sample it with, for tests. A pattern's y counts the rows of all slices.
namespace cutaway::func {

struct TestImage {
  arch::Surface surface{};
  arch::Memory memory;

  TestImage(arch::Format format, arch::Tiling tiling, uint32_t width, uint32_t height, uint32_t levels = 1,
            uint32_t layers = 1, uint32_t depth = 1) {
    surface.address = uint64_t{0x100000};
    surface.format = static_cast<uint32_t>(format);
    surface.type = arch::Surface::make_type(arch::SurfaceType::k2D, tiling);
    surface.width = width;
    surface.height = height;
    surface.depth = depth;
    surface.levels = surface.level_count = levels;
    surface.layers = surface.layer_count = layers;
    surface.swizzle = arch::kSwizzleIdentity;
    const uint64_t bytes = (arch::surface_bytes(surface) + arch::kPageBytes - 1) / arch::kPageBytes;
    memory.map(surface.address, bytes * arch::kPageBytes);
  }

  using Texel = std::array<float, 4>;
  using Pattern = std::function<Texel(uint32_t x, uint32_t y, uint32_t level, uint32_t layer)>;
  void fill(const Pattern& pattern) {
    const arch::FormatInfo& format = arch::format_info(surface.format);
    for (uint32_t layer = 0; layer < surface.layers; layer++)
      for (uint32_t l = 0; l < surface.levels; l++) {
        const arch::LevelLayout level = arch::level_layout(surface, l);
        for (uint32_t y = 0; y < level.height * level.depth; y++)  // slices stacked vertically
          for (uint32_t x = 0; x < level.width; x++) {
            const Texel texel = pattern(x, y, l, layer);
            uint32_t bits[4];
            for (int c = 0; c < 4; c++)
              bits[c] = format.is_integer() ? static_cast<uint32_t>(texel[c]) : float_bits(texel[c]);
            std::byte element[kMaxTexelBytes];
            encode_texel(format, bits, element);
            memory.write(arch::element_address(surface, level, x, y % level.height, y / level.height, layer),
                         element, format.bytes);
          }
      }
  }
};

inline arch::Sampler test_sampler(arch::Filter filter, arch::MipMode mip, arch::Wrap wrap) {
  arch::Sampler sampler{};
  sampler.mag_filter = sampler.min_filter = static_cast<uint32_t>(filter);
  sampler.mip_mode = static_cast<uint32_t>(mip);
  sampler.wrap_u = sampler.wrap_v = sampler.wrap_w = static_cast<uint32_t>(wrap);
  sampler.max_lod = 1000;
  return sampler;
}

struct TestQuad {
  QuadOperands operands{};

  void set(uint32_t source, uint32_t component, float a, float b, float c, float d) {
    const float value[4] = {a, b, c, d};
    for (int lane = 0; lane < 4; lane++) operands[source][component][lane] = float_bits(value[lane]);
  }
  void set_all(uint32_t source, uint32_t component, float value) {
    set(source, component, value, value, value, value);
  }
  void set_bits(uint32_t source, uint32_t component, uint32_t value) {
    for (int lane = 0; lane < 4; lane++) operands[source][component][lane] = value;
  }
};

struct TestAccess {
  TexturePlan plan;
  QuadResult result;
  uint64_t faults = 0;

  float value(uint32_t component, uint32_t lane) const { return bits_float(result.value[component][lane]); }
  uint32_t bits(uint32_t component, uint32_t lane) const { return result.value[component][lane]; }
};

inline TestAccess access_image(const TestImage& image, const arch::Sampler& sampler, isa::Opcode op,
                               const TestQuad& quad, isa::Access access = {}, uint32_t mask = 15) {
  const TextureView view = make_texture_view(image.surface);
  TestAccess out;
  const uint64_t faults = image.memory.faults();
  plan_texture(view, sampler, access, op, quad.operands, mask, out.plan);
  run_texture(
      view, sampler, out.plan,
      [&](arch::Address address, uint32_t bytes, std::byte* to) { image.memory.read(address, to, bytes); },
      out.result);
  out.faults = image.memory.faults() - faults;
  return out;
}

}  // namespace cutaway::func
