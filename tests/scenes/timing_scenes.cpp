#include "scenes/timing_scenes.h"

#include <bit>
#include <fmt/format.h>
#include <functional>

#include "arch/marker.h"
#include "scenes/clear_scenes.h"
#include "scenes/depth_order_scenes.h"
#include "scenes/parts.h"

namespace cutaway::scenes {

using arch::Stage;

namespace {

// A rectangle in clip space at one depth, of one color.
void pane(Builder& b, float left, float top, float right, float bottom, float z, float shade) {
  b.vertices({left, top,    z, 1, shade, 0, 0, 1, right, top,    z, 1, shade, 1, 0, 0.5f,  //
              left, bottom, z, 1, shade, 0, 1, 1, right, bottom, z, 1, shade, 1, 1, 0.5f},
             {4, 4});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.draw(4);
}

}  // namespace

Scene hidden_layers(std::string name, arch::Format format, bool greater, uint32_t samples) {
  const uint32_t size = samples > 1 ? 64 : 96;
  Builder b(std::move(name), size, size);
  const arch::Surface shown = b.color_target();
  if (samples > 1) {
    b.target(b.surface(arch::Format::R8G8B8A8_UNORM, size, size, 1, arch::Tiling::kTiled, 1, samples));
    b.registers.raster.samples = samples, b.registers.raster.sample_mask = ~0u;
  }
  b.depth(b.surface(format, size, size, 1, arch::Tiling::kTiled, 1, samples));
  b.registers.depth.hierarchical_z = 1;
  b.clear(0, 0, 0, 1, greater ? 0.0f : 1.0f);
  color_programs(b);
  const arch::Compare towards = greater ? arch::Compare::kGreater : arch::Compare::kLess;
  const auto depth = [&](float z) { return greater ? 1 - z : z; };
  depth_test(b, towards);
  pane(b, -1, -1, 1, 1, depth(0.6f), 0.1f);
  pane(b, -1, -1, 1, 1, depth(0.5f), 0.3f);
  pane(b, -1, -1, 0.6f, 1, depth(0.4385f), 0.5f);  // between two steps of coarse entries
  pane(b, -1, -1, 1, 1, depth(0.7f), 0.6f);        // hidden
  pane(b, -0.4f, -1, 1, 1, depth(0.45f), 0.7f);    // hidden in part
  pane(b, -1, -1, 0.6f, 1, depth(0.445f), 0.7f);   // hidden, if entries are fine enough
  // Draws without a depth comparison open the tiles that they touch; then the tiles narrow again.
  depth_test(b, arch::Compare::kAlways);
  pane(b, -0.5f, -0.5f, 0.5f, 0.1f, depth(0.8f), 0.2f);
  depth_test(b, towards);
  pane(b, -1, -1, 1, 1, depth(0.65f), 0.9f);
  pane(b, -1, -1, 1, 1, depth(0.35f), 0.4f);
  pane(b, -1, 0, 1, 1, depth(0.9f), 0.8f);  // hidden
  // The other direction, and back.
  depth_test(b, greater ? arch::Compare::kLess : arch::Compare::kGreater, false);
  pane(b, -1, -1, 0, 0, depth(0.9f), 1);
  depth_test(b, towards);
  pane(b, -1, -1, 1, 1, depth(0.95f), 1);
  b.registers.raster.samples = 1;
  const arch::Surface drawn = b.color_target();
  if (samples == 1) {
    b.end_frame();
    return b.take();
  }
  b.flush();
  b.target(shown);
  b.depth({});
  b.registers.depth = {};
  b.registers.raster.sample_mask = 1;
  b.program(Stage::kFragment, "F2I r0.xy, i32\nTXF o0, r0, c0, t0, 2DMS\nEND\n", arch::kShaderReadsFragCoord);
  b.constants(Stage::kFragment, 0, {bits(0), bits(1), 0, 0});
  b.textures({&drawn, 1}, {});
  pane(b, -1, -1, 1, 1, 0, 0);
  b.end_frame();
  return b.take();
}

Scene indexed_mesh() {
  Builder b("indexed-mesh", 96, 96);
  b.depth(b.surface(arch::Format::X8_D24_UNORM_PACK32, 96, 96));
  b.registers.depth.hierarchical_z = 1;
  b.clear(0, 0, 0, 1);
  depth_test(b);
  constexpr uint32_t kSide = 9;
  std::vector<float> values;
  for (uint32_t y = 0; y < kSide; y++)
    for (uint32_t x = 0; x < kSide; x++) {
      const float u = static_cast<float>(x) / (kSide - 1), v = static_cast<float>(y) / (kSide - 1);
      for (const float value : {2 * u - 1, 2 * v - 1, 0.5f, u, v, 1.0f, u * v, 0.25f, v, u, 0.0f})
        values.push_back(value);
    }
  b.vertices(values, {3, 3, 4, 1});
  std::vector<uint16_t> index = {0xffff};  // the indices begin at a sector's third byte
  for (uint32_t y = 0; y + 1 < kSide; y++)
    for (uint32_t x = 0; x + 1 < kSide; x++) {
      const uint32_t corner = y * kSide + x;
      for (const uint32_t i :
           {corner, corner + 1, corner + kSide, corner + kSide, corner + 1, corner + kSide + 1})
        index.push_back(static_cast<uint16_t>(i));
    }
  auto& assembly = b.registers.assembly;
  assembly.index_address = b.upload(index) + 2;
  assembly.index_bytes = static_cast<uint32_t>(2 * (index.size() - 1));
  assembly.index_type = static_cast<uint32_t>(arch::IndexType::kUint16);

  const arch::Surface heights = b.surface(arch::Format::R8G8B8A8_UNORM, 16, 16);
  b.fill_level(heights, 0, checkers(16, 2, 0xff203040, 0xff405060));
  const arch::Sampler bilinear = sampler(arch::Filter::kLinear);
  b.textures({&heights, 1}, {&bilinear, 1}, Stage::kVertex);
  // 18 outputs: a vertex takes the wire to primitive assembly for two cycles.
  std::string text =
      "TXL r0, i1, c0, t0, s0, 2D\nRCP r1.x, c1.x\nMAD r0.x, r0.x, r1.x, i0.z\n"
      "MOV o0.xyw, i0\nMOV o0.w, c1.y\nMOV o0.z, r0.x\n";
  for (uint32_t i = 1; i < 18; i++) text += fmt::format("MOV o{}, i{}\n", i, 1 + i % 3);
  b.program(Stage::kVertex, text + "END\n");
  b.constants(Stage::kVertex, 0, {0, 0, 0, 0, 8, 1, 0, 0});
  // Buffer loads at unaligned places, scalar operations, a branch.
  const std::vector<float> table = [] {
    std::vector<float> all(256);
    for (uint32_t i = 0; i < 256; i++) all[i] = static_cast<float>(i % 37) / 37;
    return all;
  }();
  const arch::Surface buffer = raw_buffer(b.upload(table) + 4, 960);
  b.textures({&buffer, 1}, {});
  b.program(Stage::kFragment,
            "MUL r0.x, i0.x, c0.x\nF2I r0.x, r0.x\nSHL r0.x, r0.x, c0.y\nLDB r1.xyz, r0.x, t0\n"
            "RSQ r2.x, i1.z\nFLT r2.y, r1.x, i8.x\nIF r2.y\nADD r1, r1, i4\nELSE\nMUL r1, r1, r2.x\nENDIF\n"
            "MOV o0.xyz, r1\nMOV o0.w, c0.z\nEND\n");
  b.constants(Stage::kFragment, 0, {200, bits(2), 1, 0});
  b.interpolants({1, 2, 3, 4, 5, 6, 7, 8, 17});
  b.draw_indexed(6 * (kSide - 1) * (kSide - 1));
  // Few interpolants after many, and a part of the mesh again.
  b.program(Stage::kFragment, kColor);
  b.interpolants({2});
  depth_test(b, arch::Compare::kLessOrEqual);
  b.draw_indexed(60, 2, 96, 3);
  b.end_frame();
  return b.take();
}

Scene several_targets() {
  Builder b("several-targets");
  b.clear(0, 0, 0, 1);
  const arch::Surface linear = b.surface(arch::Format::R8G8B8A8_UNORM, 64, 64, 1, arch::Tiling::kLinear);
  const arch::Surface wide = b.surface(arch::Format::R16G16B16A16_SFLOAT, 64, 64);
  auto& color = b.registers.color;
  color.target[1] = color.target[2] = color.target[0];
  color.target[1].surface = linear;
  color.target[2].surface = wide;
  for (uint32_t i : {0u, 2u}) {
    color.target[i].blend = 1;
    color.target[i].color_source = static_cast<uint32_t>(arch::BlendFactor::kSrcAlpha);
    color.target[i].color_destination = static_cast<uint32_t>(arch::BlendFactor::kOne);
  }
  b.program(Stage::kVertex, kPassColor);
  b.program(Stage::kFragment, "MOV o0, i0\nMOV o1, i0.wzyx\nADD o2, i0, i0\nEND\n");
  b.interpolants({1}, arch::Interpolation::kLinear);
  pane(b, -1, -1, 0.8f, 0.9f, 0, 0.5f);
  pane(b, -0.3f, -0.7f, 1, 1, 0, 0.9f);
  color.target[1] = color.target[2] = {};
  color.target[0].blend = 0;
  b.end_frame();
  return b.take();
}

Scene vertices_alone() {
  Builder b("vertices-alone", 32, 32);
  b.clear(0, 0, 0, 1);
  color_programs(b);
  std::string text = "ADD r0, i0, i1\n";
  for (uint32_t i = 0; i < 24; i++) text += i % 4 == 3 ? "RCP r0.x, r0.x\n" : "MAD r0, r0, i1, r0\n";
  b.program(Stage::kVertex, text + "MOV o0, i0\nMOV o1, r0\nEND\n");
  std::vector<float> values;
  for (uint32_t i = 0; i < 360; i++)
    for (uint32_t c = 0; c < 8; c++) values.push_back(static_cast<float>((i * 7 + c * 3) % 11) / 8 - 0.5f);
  b.vertices(values, {4, 4});
  b.registers.raster.rasterizer_discard = 1;
  b.draw(360);
  b.registers.raster.rasterizer_discard = 0;
  // Then few vertices with many fragments each, while further vertices wait.
  b.program(Stage::kFragment, "RCP r0, i0.x\nRCP r0.x, r0.x\nRCP r0.x, r0.x\nADD o0, r0.x, i0\nEND\n");
  pane(b, -1, -1, 1, 1, 0, 0.5f);
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleList);
  b.vertices(values, {4, 4});
  b.draw(360);
  b.end_frame();
  return b.take();
}

Scene many_small_draws() {
  Builder b("many-small-draws", 48, 48);
  b.depth(b.surface(arch::Format::D16_UNORM, 48, 48));
  b.clear(0, 0, 0, 1);
  color_programs(b);
  depth_test(b);
  b.program(Stage::kFragment, "MUL o0, i0, c3\nEND\n");
  Random random(3);
  std::vector<float> values;
  for (uint32_t i = 0; i < 96; i++)
    for (const float value : {random.between(-1, 1), random.between(-1, 1), random.between(0, 1), 1.0f,
                              random.between(0, 1), 0.5f, 1.0f, 1.0f})
      values.push_back(value);
  b.vertices(values, {4, 4});
  for (uint32_t i = 0; i < 16; i++) {
    b.constants(Stage::kFragment, 3, {1, static_cast<float>(i) / 16, 0.5f, 1});
    b.registers.raster.cull_mode = i % 3;
    b.registers.depth.depth_compare =
        static_cast<uint32_t>(i % 5 ? arch::Compare::kLess : arch::Compare::kAlways);
    b.draw(i % 4 == 3 ? 0 : 6, 1, 6 * i);
    if (i % 6 == 5) b.draw(3, 2, i);  // the same state
  }
  b.end_frame();
  return b.take();
}

Scene copies_of_aspects() {
  Builder b("copies-of-aspects");
  const arch::Surface from = b.surface(arch::Format::D24_UNORM_S8_UINT, 32, 32);
  const arch::Surface to = b.surface(arch::Format::D24_UNORM_S8_UINT, 32, 32);
  b.fill_level(from, 0, checkers(32, 3, 0x12345678, 0xa1b2c3d4));
  b.fill_level(to, 0, checkers(32, 5, 0, ~0u));
  b.clear(0.5f, 0, 0, 1);
  b.flush();
  arch::CopySurfacePacket copy{};
  copy.source = from, copy.destination = to;
  copy.width = 29, copy.height = 23, copy.depth = 1, copy.destination_x = 2;
  copy.aspect = static_cast<uint32_t>(arch::CopyAspect::kDepth);
  b.commands.packet(arch::Opcode::kCopySurface, copy);
  copy.aspect = static_cast<uint32_t>(arch::CopyAspect::kStencil);
  copy.destination_y = 4;
  b.commands.packet(arch::Opcode::kCopySurface, copy);
  const arch::Address bytes = b.allocate(8192);
  for (uint32_t i = 0; i < 12; i++)
    b.commands.packet(arch::Opcode::kCopyBuffer,
                      arch::CopyBufferPacket{from.address + 60 * i, bytes + 100 * i, 10 + 30 * i});
  b.commands.packet(arch::Opcode::kFillBuffer, arch::FillBufferPacket{bytes + 4000, 2000, 7});
  b.commands.packet(arch::Opcode::kWaitIdle);
  b.end_frame();
  return b.take();
}

Scene driver_work(uint32_t of_driver) {
  constexpr uint32_t kSize =
      96;  // more tiles than the Z caches hold: hierarchical Z learns what they gave up
  Builder b("driver-work", kSize, kSize);
  b.depth(b.surface(arch::Format::D24_UNORM_S8_UINT, kSize, kSize));
  b.registers.depth.hierarchical_z = 1;
  b.clear(0, 0, 0, 1);
  b.program(arch::Stage::kVertex, "MOV o0, i0\nEND\n");
  b.constants(arch::Stage::kFragment, 0, {1, 0, 0, 1, -1, -1, -1, -1});
  auto& depth = b.registers.depth;
  depth.hierarchical_z = 1;
  depth.depth_test = depth.depth_write = 1;
  depth.depth_compare = static_cast<uint32_t>(arch::Compare::kLess);
  uint32_t draws = 0;
  const auto cover = [&](float z, arch::DepthMode mode, const char* program) {
    depth.mode = static_cast<uint32_t>(mode);
    b.program(arch::Stage::kFragment, program);
    b.vertices({-1, -1, z, 1, 3, -1, z, 1, -1, 3, z, 1}, {4});
    const bool driver = of_driver >> draws++ & 1;
    b.commands.packet(arch::Opcode::kMarker, driver ? arch::kDriverWorkBegins : arch::kDriverWorkEnds);
    b.draw(3);
  };
  const char* const plain = "MOV o0, c0\nEND\n";
  for (const float z : {0.6f, 0.55f, 0.5f}) cover(z, arch::DepthMode::kEarly, plain);
  cover(0.75f, arch::DepthMode::kEarly, plain);
  depth.hierarchical_z = 0;
  cover(0.75f, arch::DepthMode::kEarly, plain);
  cover(0.75f, arch::DepthMode::kLate, plain);
  cover(0.25f, arch::DepthMode::kLate, "KIL c1\nMOV o0, c0\nEND\n");
  b.end_frame();
  return b.take();
}

namespace {

// Two submissions draw to one surface; `between` writes to it, and the last draw is at depth `last`.
Scene two_submissions(const char* name, float last,
                      const std::function<void(Builder&, const arch::Surface&)>& between, bool in_last) {
  constexpr uint32_t kSize = 64;
  Builder b(name, kSize, kSize);
  const arch::Surface depth = b.surface(arch::Format::D32_SFLOAT, kSize, kSize);
  const auto begin = [&] {
    b.commands.packet(arch::Opcode::kInvalidate, uint32_t{arch::kCacheAll});
    b.target(b.color_target());
    b.depth(depth);
    b.registers.depth.hierarchical_z = 1;
    depth_test(b, arch::Compare::kLess);
    color_programs(b);
  };
  b.depth(depth);
  b.clear(0, 0, 0, 1);
  begin();
  pane(b, -1, -1, 1, 1, 0.4f, 0.1f);
  b.flush();
  b.submit(false);
  if (!in_last) between(b, depth);
  begin();
  if (in_last) between(b, depth);
  pane(b, -1, -1, 1, 1, last, 0.9f);
  b.end_frame();
  return b.take();
}

void fill(Builder& b, const arch::Surface& depth, float value) {
  b.commands.packet(
      arch::Opcode::kFillBuffer,
      arch::FillBufferPacket{depth.address, arch::surface_bytes(depth), std::bit_cast<uint32_t>(value)});
  b.commands.packet(arch::Opcode::kWaitIdle);
}

}  // namespace

Scene depth_over_submissions(bool written_between) {
  // Hidden, unless the depths are written between.
  return two_submissions(
      written_between ? "depth-written-between" : "depth-over-submissions", 0.6f,
      [=](Builder& b, const arch::Surface& depth) {
        if (!written_between) return;
        fill(b, depth, 0.8f);
        b.submit(false);
      },
      false);
}

Scene depth_written_behind(bool nearer) {
  return two_submissions(
      nearer ? "depth-written-nearer" : "depth-written-behind", nearer ? 0.2f : 0.6f,
      [=](Builder& b, const arch::Surface& depth) { fill(b, depth, nearer ? 0.1f : 0.8f); }, true);
}

// Layers hidden in two depth buffers in turn, with a third in between; then one is drawn to in another
// format.
Scene depth_buffers_in_turn() {
  constexpr uint32_t kSize = 96;
  Builder b("depth-buffers-in-turn", kSize, kSize);
  b.color_target();
  arch::Surface depths[3];
  for (uint32_t i = 0; i < 3; i++)
    depths[i] = b.surface(i == 1 ? arch::Format::D32_SFLOAT : arch::Format::D24_UNORM_S8_UINT, kSize, kSize);
  color_programs(b);
  depth_test(b, arch::Compare::kLess);
  b.registers.depth.hierarchical_z = 1;
  const auto layer = [&](const arch::Surface& depth, float right, float z, float shade) {
    b.depth(depth);
    pane(b, -1, -1, right, 1, z, shade);
  };
  for (const arch::Surface& depth : {depths[0], depths[1]}) {
    clear_depth(b, depth, 1, 0);
    layer(depth, 1, 0.5f, 0.1f);
  }
  for (uint32_t i = 0; i < 3; i++) {
    layer(depths[0], 1, 0.6f, 0.2f);  // hidden
    layer(depths[1], 0.5f, 0.7f, 1);  // hidden
  }
  layer(depths[1], -0.25f, 0.25f, 0.4f);
  layer(depths[2], 0.25f, 0.25f, 0.5f);
  layer(depths[0], 1, 0.75f, 0.6f);   // hidden
  layer(depths[1], 1, 0.375f, 0.7f);  // hidden in part
  arch::Surface other_format = depths[0];
  other_format.format = static_cast<uint32_t>(arch::Format::X8_D24_UNORM_PACK32);
  b.flush();
  depth_test(b, arch::Compare::kAlways);
  layer(other_format, 0, 0.9f, 0.8f);
  b.flush();
  depth_test(b, arch::Compare::kLess);
  layer(depths[0], 0.5f, 0.8f, 0.9f);  // hidden, but where that was drawn
  b.end_frame();
  return b.take();
}

std::vector<Scene> timing_scenes() {
  return {hidden_layers("hidden-layers", arch::Format::D24_UNORM_S8_UINT, false, 1),
          hidden_layers("hidden-layers-greater", arch::Format::D32_SFLOAT, true, 1),
          hidden_layers("hidden-layers-samples", arch::Format::D24_UNORM_S8_UINT, false, 4),
          depth_buffers_in_turn(),
          indexed_mesh(),
          several_targets(),
          vertices_alone(),
          many_small_draws(),
          copies_of_aspects(),
          driver_work(0b1111000),
          depth_over_submissions(false),
          depth_over_submissions(true),
          depth_written_behind(false),
          depth_written_behind(true),
          depth_orders(1),
          depth_orders(4),
          depth_promises(),
          stencil_layers(),
          submissions_ahead(),
          host_steps(),
          turning_pictures("two-pictures", 2),
          turning_pictures("three-pictures", 3),
          depth_cleared_alone()};
}

}  // namespace cutaway::scenes
