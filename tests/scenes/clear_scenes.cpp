#include "scenes/clear_scenes.h"

#include <algorithm>
#include <bit>

#include "scenes/parts.h"

namespace cutaway::scenes {
namespace {

using arch::Format;
using arch::Stage;

arch::ClearPacket packet_of(const arch::Surface& surface, ClearOf of) {
  if (!of.width) {
    of.width = std::max(1u, surface.width >> surface.base_level);
    of.height = std::max(1u, surface.height >> surface.base_level);
  }
  return {.surface = surface,
          .x = of.x,
          .y = of.y,
          .width = of.width,
          .height = of.height,
          .aspect = static_cast<uint32_t>(of.aspect),
          .value = {}};
}

// A rectangle in clip space, its depth from left to right.
void pane(Builder& b, float left, float top, float right, float bottom, float z0, float z1, float shade) {
  b.vertices({left, top,    z0, 1, shade, 0, 0, 1, right, top,    z1, 1, shade, 1, 0, 0.5f,  //
              left, bottom, z0, 1, shade, 0, 1, 1, right, bottom, z1, 1, shade, 1, 1, 0.5f},
             {4, 4});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.draw(4);
}

arch::CopySurfacePacket copy_of(const arch::Surface& from, const arch::Surface& to, uint32_t width,
                                uint32_t height) {
  arch::CopySurfacePacket copy{};
  copy.source = from, copy.destination = to;
  copy.width = width, copy.height = height, copy.depth = 1;
  return copy;
}

}  // namespace

void clear_color(Builder& b, const arch::Surface& surface, const std::array<float, 4>& color, ClearOf of) {
  arch::ClearPacket packet = packet_of(surface, of);
  for (size_t i = 0; i < 4; i++) packet.value[i] = std::bit_cast<uint32_t>(color[i]);
  b.commands.packet(arch::Opcode::kClear, packet);
}

void clear_depth(Builder& b, const arch::Surface& surface, float depth, uint32_t stencil, ClearOf of) {
  arch::ClearPacket packet = packet_of(surface, of);
  packet.value[0] = std::bit_cast<uint32_t>(depth), packet.value[1] = stencil;
  b.commands.packet(arch::Opcode::kClear, packet);
}

Scene cleared_targets() {
  Builder b("cleared-targets", 50, 37);
  const arch::Surface shown = b.color_target();
  clear_color(b, shown, {0.25f, 0.5f, 0.75f, 1});
  color_programs(b);
  pane(b, -0.8f, -0.5f, 0.3f, 0.9f, 0, 0, 0.4f);
  // Clears part of the drawing, then draws more on top.
  clear_color(b, shown, {1, 0, 0.5f, 1}, {.x = 8, .y = 16, .width = 24, .height = 21});
  pane(b, -0.2f, -0.2f, 0.9f, 0.4f, 0, 0, 0.9f);
  const arch::Address predicate = b.upload(std::vector<uint32_t>{0, 1});
  b.commands.packet(arch::Opcode::kPredicate, arch::PredicatePacket{predicate, 0});
  clear_color(b, shown, {0, 0, 0, 0});
  b.commands.packet(arch::Opcode::kPredicate, arch::PredicatePacket{predicate + 4, 0});
  clear_color(b, shown, {0, 1, 0, 1}, {.x = 40, .y = 0, .width = 10, .height = 8});
  b.commands.packet(arch::Opcode::kPredicate, arch::PredicatePacket{0, 0});

  // Elements of 1 to 16 bytes, levels, layers and samples.
  const arch::Surface byte = b.surface(Format::R8_UNORM, 20, 12);
  clear_color(b, byte, {0.6f, 0, 0, 0});
  clear_color(b, byte, {0.1f, 0, 0, 0}, {.x = 8, .y = 0, .width = 12, .height = 8});
  arch::Surface layers = b.surface(Format::R16G16B16A16_SFLOAT, 40, 24, 3, arch::Tiling::kTiled, 4);
  layers.base_level = 1, layers.level_count = 1, layers.base_layer = 1, layers.layer_count = 2;
  clear_color(b, layers, {-1.5f, 7, 1e9f, 0.1f});
  arch::Surface volume = b.surface(Format::R32G32B32A32_SFLOAT, 16, 8);
  volume.type = arch::Surface::make_type(arch::SurfaceType::k3D, arch::Tiling::kTiled);
  volume.depth = 4, volume.base_layer = 1, volume.layer_count = 3;
  volume.address = b.allocate(16 * 8 * 16 * 4);
  clear_color(b, volume, {1, 2, 3, 4});
  const arch::Surface samples = b.surface(Format::B8G8R8A8_SRGB, 24, 16, 1, arch::Tiling::kTiled, 1, 4);
  clear_color(b, samples, {0.5f, 0.25f, 0.125f, 0.7f});
  const arch::Surface codes = b.surface(Format::A2B10G10R10_UINT_PACK32, 9, 9);
  clear_color(b, codes, {bits(700), bits(1023), bits(5000), bits(3)});
  for (const Format format : {Format::D16_UNORM, Format::S8_UINT, Format::D32_SFLOAT_S8_UINT,
                              Format::X8_D24_UNORM_PACK32, Format::D32_SFLOAT, Format::D24_UNORM_S8_UINT}) {
    const arch::Surface depth = b.surface(format, 30, 20);
    clear_depth(b, depth, 0.3f, 0x5a);
    const arch::FormatInfo& info = arch::format_info(format);
    if (!info.has_depth() || !info.has_stencil()) continue;
    clear_depth(b, depth, 1.5f, 0, {.aspect = arch::CopyAspect::kDepth});
    clear_depth(b, depth, 0, 0x77,
                {.x = 8, .y = 8, .width = 16, .height = 8, .aspect = arch::CopyAspect::kStencil});
  }
  b.flush();

  // Copies, fills and textures read and write parts of cleared surfaces.
  const arch::Surface texture = b.surface(Format::R8G8B8A8_UNORM, 32, 32);
  clear_color(b, texture, {0.9f, 0.8f, 0.1f, 1});
  b.flush();
  const arch::Surface rows = b.surface(Format::R8G8B8A8_UNORM, 32, 32, 1, arch::Tiling::kLinear);
  b.commands.packet(arch::Opcode::kCopySurface, copy_of(texture, rows, 21, 13));
  b.commands.packet(arch::Opcode::kFillBuffer, arch::FillBufferPacket{texture.address + 520, 76, 0x12345678});
  b.commands.packet(arch::Opcode::kWaitIdle);
  arch::CopySurfacePacket part = copy_of(shown, texture, 11, 9);
  part.source_x = 3, part.destination_x = 18, part.destination_y = 2;
  b.commands.packet(arch::Opcode::kCopySurface, part);
  b.flush();
  textured_programs(b);
  const arch::Sampler nearest = sampler(arch::Filter::kNearest);
  b.textures({&texture, 1}, {&nearest, 1});
  b.vertices({-0.9f, -0.9f, 0, 1, 0, 0, 0, 0, 0.1f, -0.9f, 0, 1, 1, 0, 0, 0,  //
              -0.9f, -0.1f, 0, 1, 0, 1, 0, 0, 0.1f, -0.1f, 0, 1, 1, 1, 0, 0},
             {4, 4});
  b.draw(4);
  b.end_frame();
  return b.take();
}

Scene cleared_depth(std::string name, arch::Format format, uint32_t samples) {
  constexpr uint32_t kSize = 48;
  Builder b(std::move(name), kSize, kSize);
  const arch::Surface shown = b.color_target();
  if (samples > 1) {
    b.target(b.surface(Format::R8G8B8A8_UNORM, kSize, kSize, 1, arch::Tiling::kTiled, 1, samples));
    b.registers.raster.samples = samples, b.registers.raster.sample_mask = ~0u;
  }
  const arch::Surface drawn = b.color_target();
  const arch::Surface depth = b.surface(format, kSize, kSize, 1, arch::Tiling::kTiled, 1, samples);
  b.depth(depth);
  b.registers.depth.hierarchical_z = 1;
  const bool stencil = arch::format_info(format).has_stencil();
  clear_color(b, drawn, {0, 0, 0.2f, 1});
  clear_depth(b, depth, 0.8f, 1);
  color_programs(b);
  depth_test(b);
  if (stencil) {
    auto& registers = b.registers.depth;
    registers.stencil_test = 1;
    registers.front = {0, 0, 3, 7, 0, 255, 255};  // pass: increment and clamp; always
    registers.back = registers.front;
  }
  pane(b, -1, -1, 0.7f, 0.6f, 0.2f, 1, 0.3f);  // hidden beyond the value
  pane(b, -0.6f, -1, 1, 1, 0.9f, 0.1f, 0.5f);
  pane(b, -1, -1, 1, 1, 0.85f, 0.95f, 0.9f);  // hidden
  // Lines leave the cache and are read again.
  b.flush();
  pane(b, -1, -0.2f, 1, 0.5f, 0.05f, 0.6f, 0.6f);
  // The opposite comparison, on half of the surface: after a clear both bounds of its depths are known.
  clear_depth(b, depth, 0.4f, 2, {.x = 0, .y = 24, .width = kSize, .height = 24});
  depth_test(b, arch::Compare::kGreater);
  pane(b, -1, 0.1f, 1, 1, 0.3f, 0.39f, 0.1f);  // hidden
  pane(b, -1, -1, 0.5f, 1, 0.5f, 0.2f, 0.2f);
  depth_test(b, arch::Compare::kAlways);
  pane(b, -0.3f, -0.9f, 0.3f, 0.9f, 0.7f, 0.6f, 0.7f);
  if (stencil) clear_depth(b, depth, 0.45f, 0, {.aspect = arch::CopyAspect::kDepth});
  else clear_depth(b, depth, 0.45f, 0);
  depth_test(b, arch::Compare::kLess);
  pane(b, -0.8f, -0.8f, 0.8f, 0.8f, 0.3f, 0.6f, 0.8f);
  b.registers.raster.samples = 1;
  if (samples > 1) {
    b.flush();
    b.target(shown);
    b.depth({});
    b.registers.depth = {};
    b.registers.raster.sample_mask = 1;
    b.program(Stage::kFragment, "F2I r0.xy, i32\nTXF o0, r0, c0, t0, 2DMS\nEND\n",
              arch::kShaderReadsFragCoord);
    b.constants(Stage::kFragment, 0, {bits(0), bits(1), 0, 0});
    b.textures({&drawn, 1}, {});
    pane(b, -1, -1, 1, 1, 0, 0, 0);
  }
  b.end_frame();
  return b.take();
}

Scene depth_cleared_alone() {
  constexpr uint32_t kSize = 48;
  Builder b("depth-cleared-alone", kSize, kSize);
  clear_color(b, b.color_target(), {0, 0, 0.2f, 1});
  const arch::Surface depth = b.surface(arch::Format::D24_UNORM_S8_UINT, kSize, kSize);
  b.depth(depth);
  b.registers.depth.hierarchical_z = 1;
  color_programs(b);
  depth_test(b);
  auto& registers = b.registers.depth;
  const auto stencil = [&](arch::Compare compare, arch::StencilOp pass, uint32_t reference) {
    registers.stencil_test = 1;
    registers.front = {0,  static_cast<uint32_t>(pass), 0, static_cast<uint32_t>(compare), reference, 255,
                       255};
    registers.back = registers.front;
  };
  const ClearOf depth_alone{.aspect = arch::CopyAspect::kDepth};
  // Memory has whatever stencil: nothing here has cleared it.
  clear_depth(b, depth, 0.8f, 0, depth_alone);
  pane(b, -1, -1, 0.7f, 0.6f, 0.2f, 1, 0.3f);
  pane(b, -0.6f, -1, 1, 1, 0.9f, 0.1f, 0.5f);
  // Stencils of some tiles are written, of others cleared, when depth is cleared again.
  clear_depth(b, depth, 1, 3);
  stencil(arch::Compare::kAlways, arch::StencilOp::kReplace, 5);
  pane(b, -0.9f, -0.9f, 0.1f, 0.3f, 0.5f, 0.6f, 0.4f);
  registers.stencil_test = 0;
  clear_depth(b, depth, 0.7f, 0, depth_alone);
  pane(b, -1, -0.5f, 0.5f, 1, 0.4f, 0.6f, 0.6f);
  // The stencil of lines that hold depths alone is tested behind them.
  stencil(arch::Compare::kEqual, arch::StencilOp::kIncrementClamp, 5);
  pane(b, -1, -1, 0.8f, 1, 0.3f, 0.2f, 0.9f);
  clear_depth(b, depth, 0, 6, {.y = 24, .width = kSize, .height = 24, .aspect = arch::CopyAspect::kStencil});
  stencil(arch::Compare::kEqual, arch::StencilOp::kKeep, 6);
  pane(b, -0.7f, -1, 1, 1, 0.1f, 0.2f, 0.7f);
  b.end_frame();
  return b.take();
}

Scene only_clears(uint32_t width, uint32_t height) {
  Builder b("only-clears", width, height);
  const arch::Surface depth = b.surface(Format::D24_UNORM_S8_UINT, width, height);
  clear_color(b, b.color_target(), {0.25f, 0.5f, 0.75f, 1});
  clear_depth(b, depth, 1, 0);
  b.submit(false);
  return b.take();
}

}  // namespace cutaway::scenes
