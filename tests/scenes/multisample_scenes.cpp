#include <string>

#include "scenes/clear_scenes.h"
#include "scenes/parts.h"
#include "scenes/scenes.h"

// Several samples per pixel.
namespace cutaway::scenes {
namespace {

using arch::SampleLocation;
using arch::Stage;

// A triangle by three corners of one color or three.
void triangle(Builder& b, std::array<std::array<float, 3>, 3> corner,
              std::array<std::array<float, 4>, 3> color) {
  std::vector<float> values;
  for (int i = 0; i < 3; i++) {
    values.insert(values.end(), {corner[i][0], corner[i][1], corner[i][2], 1});
    values.insert(values.end(), color[i].begin(), color[i].end());
  }
  b.vertices(values, {4, 4});
}

void shade_plainly(Builder& b, SampleLocation location = SampleLocation::kCenter) {
  b.program(Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
  b.program(Stage::kFragment, "MOV o0, i0\nEND\n");
  b.interpolants({1});
  b.registers.vertex_out.interpolant[0].location = static_cast<uint32_t>(location);
}

constexpr std::array<float, 4> kRed = {1, 0, 0, 1}, kGreen = {0, 1, 0, 1}, kBlue = {0, 0, 1, 1},
                               kWhite = {1, 1, 1, 1}, kClear = {1, 1, 1, 0};

}  // namespace

Scene multisampled(uint32_t samples) {
  Builder b("multisampled-" + std::to_string(samples));
  const arch::Surface resolved = b.color_target();
  const auto many = [&](arch::Format format) {
    return b.surface(format, 64, 64, 1, arch::Tiling::kTiled, 1, samples);
  };
  const arch::Surface drawn = many(arch::Format::R8G8B8A8_UNORM);
  b.target(drawn);
  b.depth(many(arch::Format::D24_UNORM_S8_UINT));
  auto& raster = b.registers.raster;
  auto& depth = b.registers.depth;
  raster.samples = samples, raster.sample_mask = ~0u;
  b.clear(0, 0, 0.25f, 1);
  const arch::Address results = b.allocate(256);
  b.registers.query.samples_passed = 1;
  uint32_t draws = 0;
  const auto draw = [&] {
    b.draw(3);
    b.commands.packet(
        arch::Opcode::kWriteQuery,
        arch::QueryPacket{static_cast<uint32_t>(arch::QueryKind::kSamplesPassed), results + 8 * draws++, 0});
  };
  depth.depth_test = depth.depth_write = 1;
  depth.depth_compare = static_cast<uint32_t>(arch::Compare::kLess);

  // Two triangles that cross in depth, so that samples of a pixel see different ones; the second counts in
  // the stencil.
  shade_plainly(b);
  triangle(b, {{{-0.9f, -0.9f, 0.1f}, {0.8f, -0.7f, 0.9f}, {-0.2f, 0.8f, 0.5f}}}, {{kRed, kRed, kRed}});
  draw();
  depth.stencil_test = 1;
  depth.front = {0, 0, 3, 7, 0, 255, 255};  // pass: increment and clamp; always
  depth.back = depth.front;
  triangle(b, {{{-0.8f, -0.7f, 0.9f}, {0.9f, -0.9f, 0.1f}, {0.3f, 0.9f, 0.5f}}}, {{kGreen, kBlue, kWhite}});
  draw();
  // Pixels that the second triangle has passed: an interpolant at the centroid, half the samples of the
  // pipeline's mask.
  depth.front = {0, 0, 0, 2, 1, 255, 255};  // equal to 1; keep
  depth.back = depth.front;
  depth.depth_test = 0;
  shade_plainly(b, SampleLocation::kCentroid);
  raster.sample_mask = 0x55;
  triangle(b, {{{-1, 0, 0}, {1, -0.9f, 0}, {1, 0.2f, 0}}}, {{kWhite, kRed, kGreen}});
  draw();
  depth.stencil_test = 0;
  raster.sample_mask = ~0u;

  // Alpha to coverage, tested late, and the alpha that is stored is 1.
  shade_plainly(b);
  depth.depth_test = 1;
  depth.mode = static_cast<uint32_t>(arch::DepthMode::kLate);
  raster.alpha_to_coverage = raster.alpha_to_one = 1;
  triangle(b, {{{-0.95f, 0.95f, 0.05f}, {-0.95f, 0.3f, 0.05f}, {0.2f, 0.95f, 0.05f}}},
           {{kWhite, kWhite, kClear}});
  draw();
  raster.alpha_to_coverage = raster.alpha_to_one = 0;

  // Per-sample shading outputs the position in the pixel, the sample's number plus how many samples it stands
  // for, and red; with early rejection.
  depth.mode = static_cast<uint32_t>(arch::DepthMode::kEarlyTestLateWrite);
  raster.sample_shading = 1;
  b.program(Stage::kFragment,
            "FRC o0.xy, i32\nPOPC r0.x, i33.z\nU2F r0.x, r0.x\nU2F r0.y, i33.y\n"
            "MUL r0.xy, r0, c0\nADD o0.z, r0.x, r0.y\nMOV o0.w, i0.x\nEND\n",
            arch::kShaderReadsFragCoord);
  b.constants(Stage::kFragment, 0, {1.0f / 16, 0.125f, 0, 0});
  b.registers.vertex_out.interpolant[0].location = static_cast<uint32_t>(SampleLocation::kSample);
  triangle(b, {{{0.95f, 0.95f, 0.4f}, {0.95f, 0.1f, 0.2f}, {0.1f, 0.9f, 0.4f}}}, {{kRed, kGreen, kBlue}});
  draw();
  raster.sample_shading = 0;

  // The program outputs a mask (all but sample 1) and depth; i33 has helpers and uncovered samples.
  b.program(Stage::kFragment,
            "MOV o8.x, c0.x\nMOV o8.y, c1.x\nU2F r0.x, i33.z\nMUL o0.xyz, r0.x, c0.y\nMOV o0.w, c0.z\nEND\n",
            arch::kShaderWritesSampleMask | arch::kShaderWritesDepth);
  depth.mode = static_cast<uint32_t>(arch::DepthMode::kLate);
  b.constants(Stage::kFragment, 0, {0.01f, 1.0f / 256, 1, 0, bits(~2u), 0, 0, 0});
  triangle(b, {{{0.3f, -0.95f, 0.5f}, {0.95f, -0.95f, 0.5f}, {0.9f, -0.4f, 0.5f}}}, {{kRed, kGreen, kBlue}});
  draw();
  depth.mode = static_cast<uint32_t>(arch::DepthMode::kEarly);

  // Glass over everything, without depth test: also a line and a point.
  depth.depth_test = 0;
  auto& target = b.registers.color.target[0];
  target.blend = 1;
  target.color_source = target.alpha_source = static_cast<uint32_t>(arch::BlendFactor::kSrcAlpha);
  target.color_destination = target.alpha_destination =
      static_cast<uint32_t>(arch::BlendFactor::kOneMinusSrcAlpha);
  shade_plainly(b);
  constexpr std::array<float, 4> kGlass = {0.5f, 1, 1, 0.5f};
  triangle(b, {{{-0.6f, -0.2f, 0}, {0.7f, 0.1f, 0}, {-0.5f, 0.25f, 0}}}, {{kGlass, kGlass, kGlass}});
  draw();
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kLineStrip);
  draw();
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kPointList);
  draw();
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleList);
  target.blend = 0;

  // Copies a part of the surface, with its samples, to another place in it.
  b.flush();
  arch::CopySurfacePacket copy{};
  copy.source = copy.destination = drawn;
  copy.source_x = 3, copy.source_y = 5, copy.destination_x = 48, copy.destination_y = 25;
  copy.width = 13, copy.height = 11, copy.depth = 1;
  b.commands.packet(arch::Opcode::kCopySurface, copy);
  resolve_samples(b, drawn, resolved);
  b.end_frame();
  Scene scene = b.take();
  scene.results = results;
  scene.depth = drawn;
  return scene;
}

// Cleared targets: samples are equal inside of triangles, differ at their edges, and are overwritten one at a
// time.
Scene cleared_samples() {
  Builder b("cleared-samples");
  const arch::Surface resolved = b.color_target();
  auto& raster = b.registers.raster;
  auto& target = b.registers.color.target[0];
  arch::Surface drawn;
  const auto draw = [&](std::array<std::array<float, 3>, 3> corner, const std::array<float, 4>& color) {
    triangle(b, corner, {{color, color, color}});
    b.draw(3);
  };
  const std::array<std::pair<uint32_t, arch::Format>, 4> kinds = {{{4, arch::Format::R8_UNORM},
                                                                   {8, arch::Format::R8G8B8A8_UNORM},
                                                                   {4, arch::Format::R16G16B16A16_SFLOAT},
                                                                   {4, arch::Format::R8G8B8A8_UNORM}}};
  shade_plainly(b);
  for (const auto& [samples, format] : kinds) {
    drawn = b.surface(format, 64, 64, 1, arch::Tiling::kTiled, 1, samples);
    clear_color(b, drawn, {0.25f, 0.5f, 0.75f, 1});
    b.target(drawn);
    raster.samples = samples, raster.sample_mask = ~0u;
    draw({{{-0.9f, -0.9f, 0}, {2.0f, -0.8f, 0}, {-0.8f, 2.0f, 0}}}, kRed);
    draw({{{-0.8f, -0.7f, 0}, {0.9f, -0.9f, 0}, {0.3f, 0.9f, 0}}}, kGreen);
    b.flush();
    // On samples in memory: draws to some samples, a blended triangle, a copy of some pixels.
    raster.sample_mask = 0x56;
    draw({{{-1, 0, 0}, {1, -0.9f, 0}, {1, 0.2f, 0}}}, kWhite);
    raster.sample_mask = ~0u;
    target.blend = 1;
    target.color_source = target.alpha_source = static_cast<uint32_t>(arch::BlendFactor::kOne);
    target.color_destination = target.alpha_destination = static_cast<uint32_t>(arch::BlendFactor::kOne);
    draw({{{-0.6f, -0.2f, 0}, {0.7f, 0.1f, 0}, {-0.5f, 0.65f, 0}}}, {0, 0.25f, 0.5f, 0});
    target.blend = 0;
    b.flush();
    arch::CopySurfacePacket copy{};
    copy.source = copy.destination = drawn;
    copy.source_x = 3, copy.source_y = 5, copy.destination_x = 48, copy.destination_y = 25;
    copy.width = 13, copy.height = 11, copy.depth = 1;
    b.commands.packet(arch::Opcode::kCopySurface, copy);
  }
  resolve_samples(b, drawn, resolved);
  b.end_frame();
  return b.take();
}

}  // namespace cutaway::scenes
