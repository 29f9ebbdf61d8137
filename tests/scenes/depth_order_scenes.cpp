#include "scenes/depth_order_scenes.h"

#include <array>

#include "arch/depth_promise.h"
#include "scenes/clear_scenes.h"
#include "scenes/closed_form_scenes.h"
#include "scenes/parts.h"

namespace cutaway::scenes {
namespace {

using arch::Compare;
using arch::DepthMode;
using arch::Stage;

// A program that takes longer than others, so that its quads come back when the next draw is there.
std::string slowly(const std::string& end) {
  std::string text = "MOV r1, c0\n";
  for (int i = 0; i < 24; i++) text += "MUL r1, r1, c2\n";
  return text + end;
}

struct Kind {
  DepthMode mode;
  std::string text;
  uint32_t flags;
};

const std::array<Kind, 4>& kinds() {
  static const std::array<Kind, 4> all = {
      Kind{DepthMode::kEarly, "MOV o0, c0\nEND\n", 0},
      Kind{DepthMode::kEarlyTestLateWrite,
           slowly("MUL r0.x, i32.x, c1.x\nFRC r0.x, r0.x\nFLT r0.y, r0.x, c1.y\nKIL r0.y\nMOV o0, r1\nEND\n"),
           arch::kShaderKills | arch::kShaderReadsFragCoord},
      Kind{DepthMode::kLate, slowly("MUL o8.x, i32.y, c1.z\nMOV o0, r1\nEND\n"),
           arch::kShaderWritesDepth | arch::kShaderReadsFragCoord},
      Kind{DepthMode::kLate, slowly("MOV o0, r1\nEND\n"), 0}};
  return all;
}

bool is_ordered(Compare compare) {
  return compare != Compare::kAlways && compare != Compare::kNotEqual && compare != Compare::kNever;
}

void sloping_pane(Builder& b, float left, float top, float right, float bottom, float z, float slope) {
  b.vertices({left, top, z, 1, right, top, z + slope, 1, left, bottom, z, 1, right, bottom, z + slope, 1},
             {4});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  b.draw(4);
}

void shade_with(Builder& b, const Kind& kind, const std::vector<float>& color) {
  b.program(Stage::kVertex, "MOV o0, i0\nEND\n");
  b.program(Stage::kFragment, kind.text, kind.flags);
  b.constants(Stage::kFragment, 0, color);
  b.constants(Stage::kFragment, 1, {0.125f, 0.5f, 1 / 64.0f, 0, 1, 1, 1, 1});
  b.registers.depth.mode = static_cast<uint32_t>(kind.mode);
}

}  // namespace

Scene depth_orders(uint32_t samples) {
  Builder b(samples > 1 ? "depth-orders-samples" : "depth-orders");
  const arch::Surface shown = b.color_target();
  const auto many = [&](arch::Format format) {
    return b.surface(format, 64, 64, 1, arch::Tiling::kTiled, 1, samples);
  };
  const arch::Surface drawn = samples > 1 ? many(arch::Format::R8G8B8A8_UNORM) : shown;
  b.target(drawn);
  b.depth(many(arch::Format::D24_UNORM_S8_UINT));
  b.registers.raster.samples = samples, b.registers.raster.sample_mask = samples > 1 ? ~0u : 1;
  b.clear(0, 0, 0.25f, 1, 0.75f);
  Random random(11);
  constexpr std::array kCompares = {Compare::kLess,        Compare::kLess,    Compare::kLessOrEqual,
                                    Compare::kGreater,     Compare::kGreater, Compare::kGreaterOrEqual,
                                    Compare::kEqual,       Compare::kLess,    Compare::kNotEqual,
                                    Compare::kLessOrEqual, Compare::kAlways};
  for (int i = 0; i < 40; i++) {
    const Kind& kind = kinds()[random.next() % 4];
    const Compare compare = kCompares[random.next() % kCompares.size()];
    depth_test(b, compare, random.next() % 4 != 0);
    shade_with(b, kind, {random.between(0, 1), random.between(0, 1), random.between(0, 1), 1});
    b.registers.depth.hierarchical_z = is_ordered(compare) && !(kind.flags & arch::kShaderWritesDepth);
    b.registers.raster.sample_shading = samples > 1 && random.next() % 2;
    // Every third draw tests stencils for equality or not at all, and keeps, replaces or increments those
    // that pass.
    auto& depth = b.registers.depth;
    depth.stencil_test = random.next() % 3 == 0;
    depth.front = depth.back = {0,
                                0,
                                std::array{0u, 2u, 3u}[random.next() % 3],
                                std::array{2u, 7u}[random.next() % 2],
                                random.next() % 2,
                                255,
                                255};
    const float left = random.between(-1, 0.3f), top = random.between(-1, 0.3f);
    const float z = 0.125f * static_cast<float>(1 + random.next() % 6);
    sloping_pane(b, left, top, left + random.between(0.3f, 1.5f), top + random.between(0.3f, 1.5f), z,
                 random.next() % 3 ? 0.0f : 0.1f);
  }
  b.registers.raster.sample_shading = 0;
  b.registers.depth.stencil_test = 0;
  if (samples > 1) resolve_samples(b, drawn, shown);
  b.end_frame();
  return b.take();
}

Scene depth_promises() {
  Builder b("depth-promises");
  b.depth(b.surface(arch::Format::D32_SFLOAT, 64, 64));
  b.registers.depth.hierarchical_z = 1;
  b.clear(0, 0, 0.25f, 1);
  const Kind plain = kinds()[0];
  struct Case {
    Compare compare;
    uint32_t promise;
    float z;
  };
  const uint32_t less = arch::kShaderDepthNotLess, greater = arch::kShaderDepthNotGreater;
  float shade = 0.1f;
  // Depths rise from 0 to 1 down the screen: half of them break each promise at a depth of 0.5.
  for (const Case& c :
       {Case{Compare::kLess, less, 0.4f}, Case{Compare::kLessOrEqual, less, 0.6f},
        Case{Compare::kLess, less | greater, 0.3f}, Case{Compare::kEqual, less | greater, 0.3f},
        Case{Compare::kGreater, greater, 0.5f}, Case{Compare::kGreaterOrEqual, greater, 0.2f},
        Case{Compare::kGreater, less | greater, 0.8f}, Case{Compare::kLess, less, 0.7f}}) {
    depth_test(b, c.compare);
    b.registers.depth.hierarchical_z = 1;
    shade_with(b, {DepthMode::kEarlyTestLateWrite, kinds()[2].text, kinds()[2].flags | c.promise},
               {shade, 1 - shade, 0.5f, 1});
    sloping_pane(b, -0.9f, -0.9f, 0.7f, 0.9f, c.z, 0.05f);
    // A plain pane in the same direction covers a part of it.
    shade_with(b, plain, {1, shade, shade, 1});
    sloping_pane(b, 0, -1, 1, 0.5f, c.z, 0);
    shade += 0.1f;
  }
  b.end_frame();
  return b.take();
}

Scene stencil_layers() {
  constexpr uint32_t kSize = 96;
  Builder b("stencil-layers", kSize, kSize);
  b.depth(b.surface(arch::Format::D24_UNORM_S8_UINT, kSize, kSize));
  b.clear(0, 0, 0.25f, 1);
  depth_test(b, Compare::kLessOrEqual);
  auto& depth = b.registers.depth;
  depth.stencil_test = 1;
  const auto layer = [&](const Kind& kind, const arch::StencilFace& face, float left, float right,
                         float shade) {
    shade_with(b, kind, {shade, 1 - shade, 0.5f, 1});
    depth.hierarchical_z = !(kind.flags & arch::kShaderWritesDepth) && face.fail == 0;
    depth.front = depth.back = face;
    sloping_pane(b, left, -1, right, 1, 0.5f, 0);
  };
  const Kind &plain = kinds()[0], &stripes = kinds()[1], &late = kinds()[3];
  const arch::StencilFace mark = {0, 0, 2, 7, 3, 255, 255};  // replace by 3, always
  const auto equal = [](uint32_t value, uint32_t pass = 0, uint32_t fail = 0) {
    return arch::StencilFace{fail, 0, pass, 2, value, 255, 255};
  };
  layer(plain, mark, -0.75f, 0.25f, 0.1f);
  for (int i = 0; i < 3; i++) layer(plain, equal(3), -1, 1, 0.2f + 0.1f * static_cast<float>(i));
  layer(stripes, equal(3), -1, 1, 0.5f);
  layer(late, equal(0, 3), 0, 1, 0.6f);  // increments where nothing was
  layer(plain, equal(1), -1, 1, 0.7f);
  layer(stripes, equal(1, 1), 0.5f, 1, 0.8f);  // zero again, but for the stripes
  layer(plain, equal(1), -1, 1, 0.9f);
  layer(plain, equal(7, 0, 4), -0.5f, 0.5f, 1);  // fails, and decrements
  layer(plain, equal(2), -1, 1, 0.35f);
  depth.stencil_test = 0;
  b.end_frame();
  return b.take();
}

Scene late_and_hidden(const std::string& name, arch::DepthMode mode) {
  constexpr uint32_t kSize = 64, kPairs = 4, kLayers = 4;
  Builder b(name, kSize, kSize);
  const arch::Surface depth = b.surface(arch::Format::D24_UNORM_S8_UINT, kSize, kSize);
  b.depth(depth);
  std::string text;
  for (int i = 0; i < 15; i++) text += "MUL r" + std::to_string(i % 8) + ", c0, c0\n";
  std::vector<float> layers;
  for (uint32_t i = 0; i < kLayers; i++)
    layers.insert(layers.end(), {-1, -1, 0.5f, 1, 3, -1, 0.5f, 1, -1, 3, 0.5f, 1});
  return three_frames(b, [&](uint32_t times) {
    clear_depth(b, depth, 0.25f, 0);
    depth_test(b);
    b.registers.depth.hierarchical_z = 0;
    b.vertices(layers, {4});
    for (uint32_t i = 0; i < 2 * times * kPairs; i++) {
      const DepthMode side = i % 2 ? mode : DepthMode::kLate;
      shade_with(b, {side, text + "MOV o0, c0\nEND\n", 0}, {1, 0.5f, 0.25f, 1});
      b.draw(3 * kLayers);
    }
  });
}

}  // namespace cutaway::scenes
