#include "scenes/bound_scenes.h"

#include "scenes/scenes.h"

namespace cutaway::scenes {
namespace {

constexpr uint32_t kSize = 256;

constexpr float kTexels = 8;  // texels across a pixel; 1 down it

// `layers` triangles over the whole target, with coordinates of a square texture of `texture` texels a side.
std::vector<float> covering(uint32_t layers, uint32_t texture) {
  const float repeats = float{kSize} / static_cast<float>(texture);
  std::vector<float> values;
  for (uint32_t i = 0; i < layers; i++)
    for (const float value : {-1.0f, -1.0f, 0.0f, 1.0f, 0.0f, 0.0f, 3.0f, -1.0f, 0.0f, 1.0f,
                              2 * kTexels * repeats, 0.0f, -1.0f, 3.0f, 0.0f, 1.0f, 0.0f, 2 * repeats})
      values.push_back(value);
  return values;
}

std::string chain(uint32_t instructions) {
  std::string text = "MOV r0, i0\n";
  for (uint32_t i = 0; i < instructions; i++) text += "MAD r0, r0, r0, r0\n";
  return text;
}

Scene covered(const char* name, uint32_t layers, const std::string& fragments, uint32_t texture,
              bool blended) {
  Builder b(name, kSize, kSize);
  b.program(arch::Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
  b.program(arch::Stage::kFragment, fragments + "END\n", texture ? uint32_t{arch::kShaderDerivatives} : 0u);
  b.interpolants({1});
  if (texture) {
    const arch::Surface surface = b.surface(arch::Format::R8G8B8A8_UNORM, texture, texture);
    arch::Sampler along = sampler(arch::Filter::kLinear);
    along.max_anisotropy = static_cast<uint32_t>(kTexels);
    b.textures({&surface, 1}, {&along, 1});
  }
  if (blended) {
    auto& target = b.registers.color.target[0];
    target.blend = 1;
    target.color_source = target.color_destination = static_cast<uint32_t>(arch::BlendFactor::kOne);
    target.alpha_source = target.alpha_destination = static_cast<uint32_t>(arch::BlendFactor::kOne);
  }
  b.vertices(covering(layers, texture ? texture : kSize), {4, 2});
  b.draw(3 * layers);
  b.end_frame();
  return b.take();
}

Scene accesses(const char* name, uint32_t texture) {
  std::string samples = "TEX r0, i0, t0, s0, 2D\n";
  for (int i = 1; i < 4; i++) samples += "TEX r1, i0, t0, s0, 2D\nADD r0, r0, r1\n";
  return covered(name, 4, samples + "MOV o0, r0\n", texture, false);
}

}  // namespace

Scene bound_by_fill() { return covered("bound-by-fill", 40, "MOV o0, i0\n", 0, true); }

Scene bound_by_texture() { return accesses("bound-by-texture", 32); }
Scene bound_by_large_texture() { return accesses("bound-by-large-texture", kSize); }

Scene bound_by_shading() { return covered("bound-by-shading", 1, chain(400) + "MOV o0, r0\n", 0, false); }

Scene bound_by_one_result() {
  return covered("bound-by-one-result", 1,
                 "MOV r0, i0\nRCP r1, r0.x\nMUL r0, r1, r1\nMAD r0, r0, r0, r0\nMOV o0, r0\n", 0, false);
}

Scene bound_by_vertices() {
  constexpr uint32_t kVertices = 20'001;
  Builder b("bound-by-vertices", kSize, kSize);
  b.program(arch::Stage::kVertex, chain(200) + "MOV o0, i0\nEND\n");
  b.program(arch::Stage::kFragment, "MOV o0, c0\nEND\n");
  // All vertices lie behind the viewer.
  std::vector<float> values;
  for (uint32_t i = 0; i < kVertices; i++)
    for (const float value : {0.0f, static_cast<float>(i % 7), -5.0f, 1.0f}) values.push_back(value);
  b.vertices(values, {4});
  b.draw(kVertices);
  b.end_frame();
  return b.take();
}

}  // namespace cutaway::scenes
