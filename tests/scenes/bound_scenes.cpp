#include "scenes/bound_scenes.h"

#include "scenes/parts.h"
#include "scenes/scenes.h"

namespace cutaway::scenes {
namespace {

constexpr uint32_t kTarget = 256;

constexpr float kTexels = 8;  // texels across a pixel; 1 down it

// `layers` triangles over the whole target, with coordinates of a square texture of `texture` texels a side.
std::vector<float> covering(uint32_t layers, uint32_t texture) {
  const float repeats = float{kTarget} / static_cast<float>(texture);
  std::vector<float> values;
  for (uint32_t i = 0; i < layers; i++)
    for (const float value : {-1.0f, -1.0f, 0.0f, 1.0f, 0.0f, 0.0f, 3.0f, -1.0f, 0.0f, 1.0f,
                              2 * kTexels * repeats, 0.0f, -1.0f, 3.0f, 0.0f, 1.0f, 0.0f, 2 * repeats})
      values.push_back(value);
  return values;
}

std::string repeated(uint32_t instructions) {
  std::string text;
  for (uint32_t i = 0; i < instructions; i++) text += "MAD r0, r0, r0, r0\n";
  return text;
}

std::string chain(uint32_t instructions) { return "MOV r0, i0\n" + repeated(instructions); }

Scene target_covered(const char* name, uint32_t layers, const std::string& fragments, uint32_t texture,
                     bool blended) {
  Builder b(name, kTarget, kTarget);
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
  b.vertices(covering(layers, texture ? texture : kTarget), {4, 2});
  b.draw(3 * layers);
  b.end_frame();
  return b.take();
}

// 20,001 vertices of 203 instructions, all behind the viewer.
void draw_hidden_vertices(Builder& b) {
  constexpr uint32_t kVertices = 20'001;
  b.program(arch::Stage::kVertex, chain(200) + "MOV o0, i0\nEND\n");
  b.program(arch::Stage::kFragment, "MOV o0, c0\nEND\n");
  std::vector<float> values;
  for (uint32_t i = 0; i < kVertices; i++)
    for (const float value : {0.0f, static_cast<float>(i % 7), -5.0f, 1.0f}) values.push_back(value);
  b.vertices(values, {4});
  b.draw(kVertices);
}

Scene accesses(const char* name, uint32_t texture) {
  std::string samples = "TEX r0, i0, t0, s0, 2D\n";
  for (int i = 1; i < 4; i++) samples += "TEX r1, i0, t0, s0, 2D\nADD r0, r0, r1\n";
  return target_covered(name, 4, samples + "MOV o0, r0\n", texture, false);
}

}  // namespace

Scene bound_by_fill() { return target_covered("bound-by-fill", 40, "MOV o0, i0\n", 0, true); }

Scene bound_by_texture() { return accesses("bound-by-texture", 32); }
Scene bound_by_large_texture() { return accesses("bound-by-large-texture", kTarget); }

Scene bound_by_shading() {
  return target_covered("bound-by-shading", 1, chain(400) + "MOV o0, r0\n", 0, false);
}

Scene bound_by_one_result() {
  return target_covered("bound-by-one-result", 1,
                        "MOV r0, i0\nRCP r1, r0.x\nMUL r0, r1, r1\nMAD r0, r0, r0, r0\nMOV o0, r0\n", 0,
                        false);
}

Scene bound_by_vertices() {
  Builder b("bound-by-vertices", kTarget, kTarget);
  draw_hidden_vertices(b);
  b.end_frame();
  return b.take();
}

Scene bound_by_two_stages() {
  Builder b("bound-by-two-stages", kTarget, kTarget);
  draw_hidden_vertices(b);
  b.program(arch::Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
  b.program(arch::Stage::kFragment, chain(59) + "MOV o0, r0\nEND\n");
  b.interpolants({1});
  b.vertices(covering(1, kTarget), {4, 2});
  b.draw(3);
  b.end_frame();
  return b.take();
}

Scene bound_by_hull() {
  constexpr uint32_t kPatches = 1024;
  Builder b("bound-by-hull");
  b.program(arch::Stage::kVertex, "MOV o0, i0\nEND\n");
  b.program(arch::Stage::kTessControl,
            "MOV r0, c1\n" + repeated(2000) + "STW _, c0.x, r0\nSTW _.xy, c0.y, r0\nEND\n");
  b.program(arch::Stage::kTessEvaluation, "MOV o0, c0\nEND\n");
  b.program(arch::Stage::kFragment, "MOV o0, c0\nEND\n");
  // Outer factors of 0 discard a patch.
  b.constants(arch::Stage::kTessControl, 0,
              {bits(arch::kPatchOuter), bits(arch::kPatchInner), 0, 0, 0, 0, 0, 0});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kPatchList);
  auto& tess = b.registers.tessellation;
  tess.patch_vertices = tess.output_vertices = 1;
  tess.patch_bytes = arch::kPatchFactorBytes;
  tess.domain = static_cast<uint32_t>(arch::TessDomain::kQuads);
  tess.inputs.count = 1;
  b.vertices(std::vector<float>(size_t{4} * kPatches, 1), {4});
  b.draw(kPatches);
  b.end_frame();
  return b.take();
}

Scene bound_by_geometry() {
  constexpr uint32_t kPoints = 2048;
  Builder b("bound-by-geometry");
  b.program(arch::Stage::kVertex, "MOV o0, i0\nEND\n");
  b.program(arch::Stage::kFragment, "MOV o0, c0\nEND\n");
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kPointList);
  geometry_program(b, "MOV r0, c0\n" + repeated(4000) + "END\n", arch::Topology::kPointList, 1);
  b.vertices(std::vector<float>(size_t{4} * kPoints, 1), {4});
  b.draw(kPoints);
  b.end_frame();
  return b.take();
}

Scene bound_by_compute() {
  Builder b("bound-by-compute");
  b.registers.compute = {{32, 1, 1}, 0};
  b.program(arch::Stage::kCompute, "MOV r0, c0\n" + repeated(2000) + "END\n");
  b.send_state();
  b.commands.packet(arch::Opcode::kDispatch, arch::DispatchPacket{{256, 1, 1}, {}});
  b.end_frame();
  return b.take();
}

}  // namespace cutaway::scenes
