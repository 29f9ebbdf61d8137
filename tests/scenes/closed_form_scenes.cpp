#include "scenes/closed_form_scenes.h"

#include <array>
#include <fmt/format.h>

#include "scenes/clear_scenes.h"
#include "scenes/depth_order_scenes.h"
#include "scenes/parts.h"
#include "scenes/rate_programs.h"

namespace cutaway::scenes {
namespace {

using arch::Format;
using arch::Stage;

// ---- Layers of triangles that cover the whole target ----

struct Cover {
  uint32_t size = 128;               // of the target, pixels
  uint32_t layers = 1;               // of the first frame
  std::string fragments;             // the program but for END; empty: none, and no color is written
  std::string functions;             // of that program
  bool blend = false;                // source plus destination
  bool depth = false;                // of 24 bits and stencil: tested and written, and passes always
  bool cleared = false;              // the depth, or of several samples the color, before the layers
  bool stenciled = false;            // the layers fail the test of the cleared stencil
  bool hidden = false;               // the layers lie behind what was cleared, which hierarchical Z may use
  uint32_t samples = 1;              // of the target
  float s = 0, t = 0, u = 0, v = 0;  // coordinates of fragment (x, y): s x + u y, t x + v y
};

void set_cover(Builder& b, const Cover& cover, uint32_t flags = 0) {
  b.program(Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
  b.registers.color.target[0].write_mask = cover.fragments.empty() ? 0 : 15;
  if (!cover.fragments.empty())
    b.program(Stage::kFragment, cover.fragments + "END\n" + cover.functions, flags);
  b.constants(Stage::kFragment, 0, {1, 0.5f, 0.25f, 1});
  b.interpolants({1});
  if (cover.depth) depth_test(b, cover.hidden ? arch::Compare::kLess : arch::Compare::kGreaterOrEqual);
  b.registers.depth.hierarchical_z = cover.hidden;
  b.registers.depth.stencil_test = cover.stenciled;
  b.registers.depth.front = b.registers.depth.back = {0, 0, 0, 2, 1, 255, 255};  // equal to 1
  if (!cover.blend) return;
  auto& target = b.registers.color.target[0];
  target.blend = 1;
  target.color_source = target.color_destination = static_cast<uint32_t>(arch::BlendFactor::kOne);
  target.alpha_source = target.alpha_destination = static_cast<uint32_t>(arch::BlendFactor::kOne);
}

void draw_cover(Builder& b, const Cover& cover, uint32_t times) {
  const float twice = 2 * static_cast<float>(cover.size);  // the legs of the triangle, in pixels
  std::vector<float> values;
  for (uint32_t i = 0; i < times * cover.layers; i++)
    for (const float value : {-1.0f, -1.0f, 0.5f, 1.0f, 0.0f, 0.0f,                       //
                              3.0f, -1.0f, 0.5f, 1.0f, twice * cover.s, twice * cover.t,  //
                              -1.0f, 3.0f, 0.5f, 1.0f, twice * cover.u, twice * cover.v})
      values.push_back(value);
  b.vertices(values, {4, 2});
  b.draw(3 * times * cover.layers);
}

Scene covered(const std::string& name, const Cover& cover) {
  Builder b(name, cover.size, cover.size);
  arch::Surface depth;
  if (cover.depth) b.depth(depth = b.surface(Format::D24_UNORM_S8_UINT, cover.size, cover.size));
  const arch::Surface shown = b.color_target();
  arch::Surface samples;
  if (cover.samples > 1) {
    samples =
        b.surface(Format::R8G8B8A8_UNORM, cover.size, cover.size, 1, arch::Tiling::kTiled, 1, cover.samples);
    b.registers.raster.samples = cover.samples, b.registers.raster.sample_mask = ~0u;
  }
  return three_frames(b, [&](uint32_t times) {
    if (cover.cleared && cover.depth) clear_depth(b, depth, 0.25f, 0);
    if (cover.cleared && cover.samples > 1) clear_color(b, samples, {0, 0, 0, 1});
    if (cover.samples > 1) b.target(samples);
    set_cover(b, cover);
    draw_cover(b, cover, times);
    if (cover.samples > 1) b.target(shown);  // for the display
  });
}

// Draws of a hidden layer, each to one of two depth buffers in turn.
Scene covered_in_turn(const std::string& name, const Cover& cover) {
  Builder b(name, cover.size, cover.size);
  const arch::Surface depths[] = {b.surface(Format::D24_UNORM_S8_UINT, cover.size, cover.size),
                                  b.surface(Format::D24_UNORM_S8_UINT, cover.size, cover.size)};
  b.color_target();
  return three_frames(b, [&](uint32_t times) {
    for (const arch::Surface& depth : depths) clear_depth(b, depth, 0.25f, 0);
    set_cover(b, cover);
    for (uint32_t i = 0; i < 32 * times; i++) {
      b.depth(depths[i % 2]);
      draw_cover(b, cover, 1);
    }
  });
}

// Layers of depth alone, each over a clear that leaves the stencil in memory.
Scene depths_cleared_alone(const std::string& name, const Cover& cover) {
  Builder b(name, cover.size, cover.size);
  const arch::Surface depth = b.surface(Format::D24_UNORM_S8_UINT, cover.size, cover.size);
  b.depth(depth);
  b.color_target();
  return three_frames(b, [&](uint32_t times) {
    set_cover(b, cover);
    for (uint32_t i = 0; i < times; i++) {
      clear_depth(b, depth, 0.25f, 0, {.aspect = arch::CopyAspect::kDepth});
      draw_cover(b, cover, 1);
    }
  });
}

// ---- Textures ----

constexpr uint32_t kAccesses = 16;  // of a fragment

std::string accesses(uint32_t count, uint32_t textures) {
  std::string text;
  for (uint32_t i = 0; i + 1 < count; i++)
    text += fmt::format("TEX r{}, i0, t{}, s0, 2D\n", i % 4, i % textures);
  return text + fmt::format("TEX o0, i0, t{}, s0, 2D\n", (count - 1) % textures);
}

// `textures` square textures of `texels` a side, one access of each in turn.
Scene textured(const std::string& name, Cover cover, Format format, uint32_t texels, uint32_t levels,
               const arch::Sampler& how, uint32_t count = kAccesses, uint32_t textures = 1) {
  Builder b(name, cover.size, cover.size);
  std::vector<arch::Surface> surfaces;
  for (uint32_t i = 0; i < textures; i++) surfaces.push_back(b.surface(format, texels, texels, levels));
  const std::vector<arch::Sampler> samplers(textures, how);
  if (cover.fragments.empty()) cover.fragments = accesses(count, textures);
  return three_frames(b, [&](uint32_t times) {
    set_cover(b, cover, arch::kShaderDerivatives);
    b.textures(surfaces, samplers);
    draw_cover(b, cover, times);
  });
}

// A program for 16,384 fragments, with a texture that the cache holds if it asks for one.
Scene programmed(const std::string& name, const RateProgram& program) {
  Cover cover{.size = 64,
              .layers = 4,
              .fragments = program.text,
              .functions = program.functions,
              .s = 1 / 64.0f,
              .v = 1 / 64.0f};
  if (!program.textured) return covered(name, cover);
  return textured(name, cover, Format::R8G8B8A8_UNORM, 16, 1, sampler(arch::Filter::kLinear));
}

// The caches hold a texture of 16x16 texels: `across` texels from one pixel to the next, `down` downwards.
Scene filtered(const std::string& name, arch::Filter filter, arch::MipMode mip, uint32_t anisotropy,
               float across, float down, Format format = Format::R8G8B8A8_UNORM) {
  arch::Sampler how = sampler(filter, mip);
  how.max_anisotropy = anisotropy;
  return textured(name, {.size = 64, .layers = 2, .s = across / 16, .v = down / 16}, format, 16, 5, how);
}

void add_textures(std::vector<NamedScene>& scenes) {
  using arch::Filter, arch::MipMode;
  const auto add = [&](const std::string& name, auto... arguments) {
    scenes.push_back({name, [=] { return filtered(name, arguments...); }});
  };
  add("texture-nearest", Filter::kNearest, MipMode::kBase, 1u, 0.25f, 0.25f);
  add("texture-bilinear", Filter::kLinear, MipMode::kBase, 1u, 0.25f, 0.25f);
  add("texture-trilinear", Filter::kLinear, MipMode::kLinear, 1u, 1.5f, 1.5f);
  for (const uint32_t probes : {2u, 4u, 8u})
    add(fmt::format("texture-anisotropic-{}", probes), Filter::kLinear, MipMode::kBase, probes,
        static_cast<float>(probes), 1.0f);
  add("texture-anisotropic-4-trilinear", Filter::kLinear, MipMode::kLinear, 4u, 6.0f, 1.5f);
  const std::pair<const char*, Format> formats[] = {{"r8", Format::R8_UNORM},
                                                    {"bc1", Format::BC1_RGBA_UNORM_BLOCK},
                                                    {"bc3", Format::BC3_UNORM_BLOCK},
                                                    {"rgba16f", Format::R16G16B16A16_SFLOAT},
                                                    {"rgba32f", Format::R32G32B32A32_SFLOAT}};
  for (const auto& [name, format] : formats)
    add(fmt::format("texture-format-{}", name), Filter::kLinear, MipMode::kBase, 1u, 0.25f, 0.25f, format);
}

// ---- Memory ----

// Eight textures of 16 bytes a texel, read texel by texel along the target.
Scene reads_in_order() {
  return textured("reads-in-order", {.size = 64, .layers = 1, .s = 1 / 64.0f, .v = 1 / 64.0f},
                  Format::R32G32B32A32_SFLOAT, 64, 1, sampler(arch::Filter::kNearest), 8, 8);
}

// Four textures, one texel of each 4x4 block once: block (37 x, 53 y + 19 x), modulo the blocks of a side. So
// no 64 bytes are read twice, and neighbours lie far apart.
Scene reads_scattered() {
  return textured("reads-scattered",
                  {.size = 64, .layers = 1, .s = 37 / 64.0f, .t = 19 / 64.0f, .u = 0, .v = 53 / 64.0f},
                  Format::R8G8B8A8_UNORM, 256, 1, sampler(arch::Filter::kNearest), 4, 4);
}

// A texture of which a row of 8x8 tiles is 16 KB. Fragment (x, y) reads a texel of row x + 64 y of them,
// modulo their 512, at the column (across x + down y), modulo 512: no block of 64 bytes twice.
Scene reads_far_apart(const std::string& name, float across, float down) {
  const Cover read{.size = 64,
                   .layers = 1,
                   .fragments = accesses(1, 1),
                   .s = across / 512,
                   .t = 8 / 4096.0f,
                   .u = down / 512,
                   .v = 64 * 8 / 4096.0f};
  Builder b(name);
  const arch::Surface texture = b.surface(Format::R8G8B8A8_UNORM, 512, 4096);
  const arch::Sampler how = sampler(arch::Filter::kNearest);
  return three_frames(b, [&](uint32_t times) {
    set_cover(b, read, arch::kShaderDerivatives);
    b.textures({&texture, 1}, {&how, 1});
    draw_cover(b, read, times);
  });
}

Scene copy_or_fill(const std::string& name, bool copy) {
  constexpr uint32_t kBytes = 256 << 10;
  Builder b(name);
  const arch::Address from = b.allocate(2 * kBytes), to = b.allocate(2 * kBytes);
  return three_frames(b, [&](uint32_t times) {
    if (copy) b.commands.packet(arch::Opcode::kCopyBuffer, arch::CopyBufferPacket{from, to, times * kBytes});
    else b.commands.packet(arch::Opcode::kFillBuffer, arch::FillBufferPacket{to, times * kBytes, 0x12345678});
  });
}

// Writes of the host before a frame's commands.
Scene host_writes(const std::string& name) {
  constexpr uint32_t kBytes = 256 << 10;
  Builder b(name);
  const arch::Address to = b.allocate(2 * kBytes);
  return three_frames(b,
                      [&](uint32_t times) { b.overwrite(to, std::vector<float>(times * kBytes / 4, 1.5f)); });
}

// Submissions of one NOP each.
Scene submissions(const std::string& name, uint32_t count) {
  Builder b(name);
  return three_frames(b, [&](uint32_t times) {
    for (uint32_t i = 0; i < times * count; i++) {
      b.commands.packet(arch::Opcode::kNop);
      b.submit(false);
    }
  });
}

// 640x480 pixels, and twice as many. Or the same ones, and the same ones twice.
Scene cleared(const std::string& name, bool depth, bool again) {
  Builder b(name);
  const Format format = depth ? Format::D24_UNORM_S8_UINT : Format::R8G8B8A8_UNORM;
  const arch::Surface surface = b.surface(format, 640, again ? 480 : 960);
  return three_frames(b, [&](uint32_t times) {
    const ClearOf of{.width = 640, .height = again ? 480 : times * 480};
    for (uint32_t i = 0; i < (again ? times : 1); i++)
      if (depth) clear_depth(b, surface, 1, 0, of);
      else clear_color(b, surface, {0.25f, 0.5f, 0.75f, 1}, of);
  });
}

// ---- Registers ----

// 65 operations, each dependent on the one before, in a program with `temporaries` temporaries, or as many
// halves ('h').
Scene occupancy(const std::string& name, char file, uint32_t temporaries, uint32_t layers) {
  const std::string last = fmt::format("{}{}.x", file, temporaries - 1);
  std::string text = fmt::format("RCP {}, c0.x\n", last);
  for (int i = 0; i < 63; i++) text += fmt::format("RCP {}, {}\n", last, last);
  return covered(name,
                 {.size = 64, .layers = layers, .fragments = text + fmt::format("RCP o0.x, {}\n", last)});
}

}  // namespace

Scene three_frames(Builder& b, const std::function<void(uint32_t times)>& frame) {
  for (const uint32_t times : {1u, 1u, 2u}) {
    frame(times);
    b.end_frame();
  }
  return b.take();
}

std::vector<NamedScene> closed_form_scenes() {
  std::vector<NamedScene> scenes;
  const auto add = [&](const std::string& name, auto make, auto... arguments) {
    scenes.push_back({name, [=] { return make(name, arguments...); }});
  };
  const std::string color = "MOV o0, c0\n";
  add("fill-color", covered, Cover{.layers = 8, .fragments = color});
  add("fill-color-192", covered, Cover{.size = 192, .layers = 8, .fragments = color});
  add("fill-blend", covered, Cover{.layers = 8, .fragments = color, .blend = true});
  add("fill-depth", covered, Cover{.layers = 8, .fragments = color, .depth = true});
  add("fill-depth-blend", covered, Cover{.layers = 8, .fragments = color, .blend = true, .depth = true});
  add("fill-depth-only", covered, Cover{.layers = 8, .depth = true});
  add("fill-depth-cleared", covered, Cover{.layers = 8, .depth = true, .cleared = true});
  add("fill-depth-cleared-alone", depths_cleared_alone, Cover{.depth = true});
  add("fill-culled", covered,
      Cover{.layers = 32, .fragments = color, .depth = true, .cleared = true, .hidden = true});
  add("fill-culled-in-turn", covered_in_turn, Cover{.fragments = color, .depth = true, .hidden = true});
  add("fill-stenciled", covered,
      Cover{.layers = 32, .fragments = color, .depth = true, .cleared = true, .stenciled = true});
  add("late-then-early", late_and_hidden, arch::DepthMode::kEarly);
  add("late-then-both", late_and_hidden, arch::DepthMode::kEarlyTestLateWrite);
  add("fill-depth-held", covered, Cover{.size = 64, .layers = 32, .depth = true});
  for (const uint32_t samples : {2u, 4u, 8u})
    for (const bool blend : {false, true})
      add(fmt::format("fill-{}-{}x", blend ? "blend" : "color", samples), covered,
          Cover{.layers = 8, .fragments = color, .blend = blend, .cleared = true, .samples = samples});
  add_textures(scenes);
  for (const RateProgram& program : rate_programs()) add("program-" + program.name, programmed, program);
  add("host-writes", host_writes);
  add("submissions-64", submissions, 64u);
  for (const uint64_t nanoseconds : {20, 2000}) {
    add(fmt::format("host-{}", nanoseconds), host_submissions, nanoseconds, false);
    add(fmt::format("host-waits-{}", nanoseconds), host_submissions, nanoseconds, true);
  }
  for (const uint32_t temporaries : {1u, 2u, 3u, 4u, 5u, 6u, 8u, 10u, 12u, 16u, 20u, 24u, 32u}) {
    add(fmt::format("occupancy-{}", temporaries), occupancy, 'r', temporaries, 4u);
    add(fmt::format("occupancy-long-{}", temporaries), occupancy, 'r', temporaries, 32u);
    add(fmt::format("occupancy-halves-{}", 2 * temporaries), occupancy, 'h', 2 * temporaries, 32u);
  }
  for (NamedScene& scene : vertex_rate_scenes()) scenes.push_back(std::move(scene));
  for (NamedScene& scene : stage_rate_scenes()) scenes.push_back(std::move(scene));
  for (NamedScene& scene : translation_scenes()) scenes.push_back(std::move(scene));
  scenes.push_back({"reads-in-order", reads_in_order});
  scenes.push_back({"reads-scattered", reads_scattered});
  // All accesses in flight fall into rows of one bank of 8 (rows of 2 KB); then into rows of all banks in
  // turn.
  add("reads-far-apart", reads_far_apart, 0.0f, 4.0f);
  add("reads-around-banks", reads_far_apart, 64.0f, 260.0f);
  add("copy", copy_or_fill, true);
  add("fill-buffer", copy_or_fill, false);
  add("clear-color", cleared, false, false);
  add("clear-depth", cleared, true, false);
  add("clear-color-again", cleared, false, true);
  add("clear-depth-again", cleared, true, true);
  for (const uint32_t pixels : {8u, 32u, 64u, 128u}) {
    add(fmt::format("submissions-{}", pixels), small_submissions, pixels, false);
    add(fmt::format("submissions-ahead-{}", pixels), small_submissions, pixels, true);
    add(fmt::format("draws-{}", pixels), small_draws, pixels);
  }
  return scenes;
}

}  // namespace cutaway::scenes
