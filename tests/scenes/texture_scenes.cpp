#include "scenes/texture_scenes.h"

#include <fmt/format.h>

// Textures: every way to sample that the other scenes lack.
namespace cutaway::scenes {
namespace {

using arch::Format;
using arch::Stage;
using arch::SurfaceType;
using arch::Tiling;

std::vector<std::byte> noise(size_t bytes, uint32_t seed) {
  std::vector<std::byte> values(bytes);
  for (std::byte& value : values)
    value = static_cast<std::byte>((seed = seed * 1664525u + 1013904223u) >> 24);
  return values;
}

// A surface of any shape, full of noise.
arch::Surface noise_surface(Builder& b, Format format, SurfaceType type, uint32_t size, uint32_t depth,
                            uint32_t levels, uint32_t layers, uint32_t seed) {
  arch::Surface surface = b.surface(format, size, size, levels, Tiling::kTiled, layers);
  surface.type = arch::Surface::make_type(type, Tiling::kTiled);
  surface.depth = depth;
  surface.address = b.upload(noise(arch::surface_bytes(surface), seed));
  return surface;
}

// Draws rectangles over cells of the target; attribute 1 runs from 0 to 1 over each.
class Grid {
 public:
  Grid(Builder& b, uint32_t columns, uint32_t rows) : b_(b), columns_(columns), rows_(rows) {}

  // `value` replaces the third and fourth component of attribute 1.
  void cell(std::string_view program, std::span<const arch::Surface> surfaces,
            std::span<const arch::Sampler> samplers, uint32_t flags = arch::kShaderDerivatives, float z = 0,
            float w = 1) {
    b_.program(Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
    b_.program(Stage::kFragment, program, flags);
    b_.interpolants({1});
    b_.textures(surfaces, samplers);
    const float left = 2 * static_cast<float>(next_ % columns_) / static_cast<float>(columns_) - 1;
    const float top = 2 * static_cast<float>(next_ / columns_) / static_cast<float>(rows_) - 1;
    const float right = left + 2 / static_cast<float>(columns_);
    const float bottom = top + 2 / static_cast<float>(rows_);
    b_.vertices({left, top,    0, 1, 0, 0, z, w, right, top,    0, 1, 1, 0, z, w,  //
                 left, bottom, 0, 1, 0, 1, z, w, right, bottom, 0, 1, 1, 1, z, w},
                {4, 4});
    b_.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
    b_.draw(4);
    next_++;
  }

 private:
  Builder& b_;
  uint32_t columns_, rows_, next_ = 0;
};

arch::Sampler anisotropic(uint32_t most) {
  arch::Sampler s = sampler(arch::Filter::kLinear, arch::MipMode::kLinear);
  s.max_anisotropy = most;
  return s;
}

}  // namespace

Scene anisotropic_textures() {
  Builder b("anisotropic-textures", 96, 64);
  b.clear(0, 0, 0, 1);
  const arch::Surface flat = noise_surface(b, Format::R8G8B8A8_UNORM, SurfaceType::k2D, 64, 1, 7, 1, 1);
  const arch::Surface cube = noise_surface(b, Format::R8G8B8A8_UNORM, SurfaceType::kCube, 16, 1, 5, 6, 2);
  const arch::Sampler samplers[] = {anisotropic(16), anisotropic(3), anisotropic(2)};
  Grid grid(b, 3, 2);
  const auto stretched = [](const char* u, const char* v, uint32_t sampler) {
    return fmt::format("MOV r0, i0\nMUL r0.x, i0, c{}\nMUL r0.y, i0, c{}\nTEX o0, r0, t0, s{}, 2D\nEND\n", u,
                       v, sampler);
  };
  b.constants(Stage::kFragment, 0,
              {8, 8, 8, 8, 0.5f, 0.5f, 0.5f, 0.5f, -0.3f, 0.2f, 0.1f, 0, 0.02f, 0.3f, 0, 0});
  grid.cell(stretched("0", "1", 0), {&flat, 1}, samplers);
  grid.cell(stretched("1", "0", 1), {&flat, 1}, samplers);
  grid.cell(stretched("0", "0", 2), {&flat, 1}, samplers);
  // Explicit derivatives along a diagonal, with a bias by the third coordinate's absence.
  grid.cell("TXD o0, i0, c2, c3, t0, s0, 2D\nEND\n", {&flat, 1}, samplers);
  grid.cell(
      "ADD r0, i0, -c1\nMOV r0.z, c1\nMUL r0.x, r0, c1\nMUL r0.y, r0, c0\nTEX o0, r0, t0, s0, CUBE\nEND\n",
      {&cube, 1}, samplers);
  grid.cell("MUL r0, i0, c0\nTEX o0, r0.x, t0, s0, 1D\nEND\n", std::vector{[&] {
              arch::Surface line = flat;
              line.type = arch::Surface::make_type(SurfaceType::k1D, Tiling::kTiled);
              return line;
            }()},
            samplers);
  b.end_frame();
  return b.take();
}

Scene gathers() {
  Builder b("gathers", 96, 64);
  b.clear(0, 0, 0, 1);
  const arch::Surface flat = noise_surface(b, Format::R8G8B8A8_UNORM, SurfaceType::k2D, 8, 1, 1, 2, 3);
  const arch::Surface cubes = noise_surface(b, Format::R8G8B8A8_UNORM, SurfaceType::kCube, 4, 1, 1, 12, 4);
  const arch::Surface depths = noise_surface(b, Format::D16_UNORM, SurfaceType::k2D, 8, 1, 1, 1, 5);
  arch::Surface swizzled = flat;
  swizzled.swizzle = 0x5401;
  const arch::Sampler repeat = sampler(arch::Filter::kNearest);
  arch::Sampler border = sampler(arch::Filter::kLinear, arch::MipMode::kBase, arch::Wrap::kClampToBorder);
  border.border[1] = 0x3f000000, border.border[3] = 0x3f800000;
  arch::Sampler shadow = repeat;
  shadow.compare = static_cast<uint32_t>(arch::Compare::kLess) + 1;
  const arch::Sampler samplers[] = {repeat, border, shadow};
  b.constants(Stage::kFragment, 0, {2, 2, 2, 2, -0.5f, -0.5f, 0.4f, 0});
  Grid grid(b, 3, 2);
  grid.cell("TXG o0, i0, t0, s0, 2D, GATHER(z), OFFSET(-3, 2, 0)\nEND\n", {&flat, 1}, samplers, 0);
  // Offsets in a register, from the coordinates.
  grid.cell(
      "MUL r0, i0, c0\nADD r0, r0, c1.x\nF2I r1, r0\nADD r0.xy, r0, c1\nTXG o0, r0, r1, t0, s1, 2D, "
      "GATHER(y)\nEND\n",
      {&flat, 1}, samplers, 0);
  grid.cell("TXG o0, i0, t0, s0, 2DARRAY, GATHER(x)\nEND\n", {&swizzled, 1}, samplers, 0, 1);
  grid.cell("MOV r0, i0\nMOV r0.w, c1.z\nTXG o0, r0, t0, s2, 2D, SHADOW\nEND\n", {&depths, 1}, samplers, 0);
  grid.cell("ADD r0, i0, c1\nMOV r0.zw, i0\nTXG o0, r0, t0, s0, CUBEARRAY, GATHER(x)\nEND\n", {&cubes, 1},
            samplers, 0, -0.4f, 1);
  grid.cell("ADD r0, i0, c1\nMUL r0.xy, r0, c0\nMOV r0.zw, i0\nTEX o0, r0, t0, s0, CUBEARRAY\nEND\n",
            {&cubes, 1}, samplers, arch::kShaderDerivatives, 0.6f, 0);
  b.end_frame();
  return b.take();
}

Scene block_textures() {
  Builder b("block-textures", 96, 96);
  b.clear(0, 0, 0, 1);
  constexpr Format kFormats[] = {
      Format::BC1_RGB_UNORM_BLOCK, Format::BC1_RGBA_SRGB_BLOCK, Format::BC2_UNORM_BLOCK,
      Format::BC3_SRGB_BLOCK,      Format::BC4_UNORM_BLOCK,     Format::BC5_SNORM_BLOCK,
      Format::BC6H_UFLOAT_BLOCK,   Format::BC7_UNORM_BLOCK,     Format::BC6H_SFLOAT_BLOCK};
  arch::Sampler trilinear = sampler(arch::Filter::kLinear, arch::MipMode::kLinear);
  trilinear.lod_bias = 0.5f;
  Grid grid(b, 3, 3);
  uint32_t seed = 10;
  for (const Format format : kFormats) {  // 20 texels a side: no multiple of a tile of blocks
    const arch::Surface surface = noise_surface(b, format, SurfaceType::k2D, 20, 1, 5, 1, seed++);
    grid.cell("TEX o0, i0, t0, s0, 2D\nEND\n", {&surface, 1}, {&trilinear, 1});
  }
  b.end_frame();
  return b.take();
}

Scene packed_textures() {
  Builder b("packed-textures", 64, 64);
  b.clear(0, 0, 0, 1);
  constexpr Format kFormats[] = {Format::R4G4B4A4_UNORM_PACK16, Format::B4G4R4A4_UNORM_PACK16,
                                 Format::A4R4G4B4_UNORM_PACK16, Format::A4B4G4R4_UNORM_PACK16};
  const arch::Sampler linear = sampler(arch::Filter::kLinear);
  Grid grid(b, 2, 2);
  for (const Format format : kFormats) {
    const arch::Surface surface = noise_surface(b, format, SurfaceType::k2D, 16, 1, 1, 1, 40);
    grid.cell("TEX o0, i0, t0, s0, 2D\nEND\n", {&surface, 1}, {&linear, 1});
  }
  b.end_frame();
  return b.take();
}

Scene stencil_textures() {
  Builder b("stencil-textures", 64, 64);
  b.clear(0, 0, 0, 1);
  constexpr Format kFormats[] = {Format::D24_UNORM_S8_UINT, Format::D32_SFLOAT_S8_UINT,
                                 Format::D16_UNORM_S8_UINT, Format::S8_UINT};
  Grid grid(b, 2, 2);
  b.constants(Stage::kFragment, 0, {32, 32, 32, 32, 0, 0, 0, 0, 1 / 255.0f, 0, 0, 0});
  for (uint32_t i = 0; i < 4; i++) {
    const arch::Surface whole = noise_surface(b, kFormats[i], SurfaceType::k2D, 32, 1, 1, 1, 20 + i);
    arch::Surface stencil = whole;
    stencil.type |= arch::Surface::kReadsStencil;
    const arch::Surface both[] = {stencil, whole};
    grid.cell(
        "MUL r0, i0, c0\nF2I r0, r0\nMOV r0.zw, c1\n"
        "TXF r1.x, r0, c1, t0, 2D\nTXF r1.y, r0, c1, t1, 2D\n"
        "U2F r1.x, r1\nMUL o0.x, r1, c2.x\nMOV o0.y, r1\nMOV o0.w, c0\nEND\n",
        both, {}, 0);
  }
  b.end_frame();
  return b.take();
}

Scene texel_buffers() {
  Builder b("texel-buffers", 64, 32);
  b.clear(0, 0, 0, 1);
  b.constants(Stage::kFragment, 0, {80, 80, 80, 80, 0, 0, 0, 0, 1 / 255.0f, 1 / 255.0f, 1 / 255.0f, 1});
  const auto buffer = [&](Format format, uint32_t elements, arch::Address address) {
    arch::Surface surface{};
    surface.address = address;
    surface.format = static_cast<uint32_t>(format);
    surface.type = arch::Surface::make_type(SurfaceType::kTexelBuffer, Tiling::kLinear);
    surface.width = elements;
    surface.height = surface.depth = surface.levels = surface.layers = 1;
    surface.level_count = surface.layer_count = 1;
    surface.swizzle = arch::kSwizzleIdentity;
    return surface;
  };
  // 70 elements: what lies beyond reads as zero. Three words an element: some lie in two cache lines.
  std::vector<uint32_t> numbers(70 * 3);
  for (uint32_t i = 0; i < numbers.size(); i++) numbers[i] = i % 256;
  const arch::Surface words = buffer(Format::R32G32B32_UINT, 70, b.upload(numbers));
  const arch::Surface bytes = buffer(Format::R8G8B8A8_UNORM, 70, b.upload(numbers));
  Grid grid(b, 2, 1);
  grid.cell("MUL r0, i0, c0\nF2I r0, r0\nTXF r1, r0, c1, t0, BUFFER\nU2F r1, r1\nMUL o0, r1, c2\nEND\n",
            {&words, 1}, {}, 0);
  grid.cell("MUL r0, i0, c0\nF2I r0, r0\nTXF o0, r0, c1, t0, BUFFER\nEND\n", {&bytes, 1}, {}, 0);
  b.end_frame();
  return b.take();
}

Scene volume_slices() {
  Builder b("volume-slices", 64, 64);
  b.clear(0, 0, 0, 1);
  arch::Surface volume = noise_surface(b, Format::R8G8B8A8_UNORM, SurfaceType::k3D, 16, 4, 3, 1, 30);
  // Slice 2 of level 0 and slice 1 of level 1 are drawn to.
  const auto draw_slice = [&](uint32_t level, uint32_t slice, float red) {
    arch::Surface target = volume;
    target.base_level = level, target.base_layer = slice;
    target.level_count = target.layer_count = 1;
    b.target(target);
    const float size = static_cast<float>(16 >> level);
    b.registers.raster.width = b.registers.raster.height = 16 >> level;
    b.registers.raster.viewport[0] = {{size / 2, size / 2, 1}, {size / 2, size / 2, 0}};
    b.registers.raster.scissor[0] = {0, 0, 16u >> level, 16u >> level};
    b.program(Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
    b.program(Stage::kFragment, "MOV o0, i0\nEND\n");
    b.interpolants({1});
    b.vertices({-1, -1, 0, 1, red, 0, 0, 1, 1, -1, 0, 1, red, 1, 0, 1, -1, 1, 0, 1, red, 0, 1, 1}, {4, 4});
    b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleList);
    b.draw(3);
    b.flush();
  };
  const arch::Surface frame = b.color_target();
  const auto raster = b.registers.raster;
  draw_slice(0, 2, 1);
  draw_slice(1, 1, 0.5f);
  b.registers.raster = raster;
  b.target(frame);
  const arch::Sampler trilinear = sampler(arch::Filter::kLinear, arch::MipMode::kLinear);
  const arch::Sampler nearest = sampler(arch::Filter::kNearest, arch::MipMode::kNearest);
  const arch::Sampler samplers[] = {trilinear, nearest};
  b.constants(Stage::kFragment, 0, {0.5f, 0.5f, 0.5f, 0.5f, 1, 1, 1, 1});
  Grid grid(b, 2, 2);
  grid.cell("MOV r0, i0\nMOV r0.z, i0.x\nTEX o0, r0, t0, s0, 3D\nEND\n", {&volume, 1}, samplers);
  grid.cell("MOV r0, i0\nMOV r0.z, i0.y\nTXL o0, r0, c0, t0, s0, 3D\nEND\n", {&volume, 1}, samplers, 0);
  grid.cell("MOV r0, i0\nMOV r0.z, i0.x\nTXL o0, r0, c1, t0, s1, 3D\nEND\n", {&volume, 1}, samplers, 0);
  grid.cell("TEX o0, i0, t0, s0, 3D\nEND\n", {&volume, 1}, samplers, arch::kShaderDerivatives, 0.62f);
  b.end_frame();
  return b.take();
}

}  // namespace cutaway::scenes
