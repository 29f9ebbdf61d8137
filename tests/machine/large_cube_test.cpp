// Tests that the machine samples cubes of 8192 at the edges of their faces as the emulator does.
#include <set>

#include "gpu_run.h"
#include "scenes/builder.h"

namespace cutaway {
namespace {

using arch::Format;
using arch::SurfaceType;
using arch::Tiling;

constexpr uint32_t kSize = 8192, kLevels = 14, kCubes = 2;

// Four texels in each direction around the middle of a face's four edges have a value of their own.
void put_edges(scenes::Scene& scene, const arch::Surface& cube, uint32_t layer, uint32_t level) {
  const arch::LevelLayout layout = arch::level_layout(cube, level);
  const uint32_t last = layout.width - 1, middle = layout.width / 2;
  uint8_t value = static_cast<uint8_t>(16 * layer + 5 * level + 9);
  for (const auto& [x, y] : {std::pair{0u, middle}, {last, middle}, {middle, 0u}, {middle, last}})
    for (uint32_t n = 0; n < 16; n++) {
      const uint32_t i = std::min(last, x + n % 4 - std::min(x, 2u)),
                     j = std::min(last, y + n / 4 - std::min(y, 2u));
      value = static_cast<uint8_t>(value * 5 + 17);
      scene.events.insert(scene.events.end() - 1, {scenes::Event::Kind::kWrite,
                                                   arch::element_address(cube, layout, i, j, 0, layer),
                                                   0,
                                                   {std::byte{value}},
                                                   {}});
    }
}

// Two axes, whose faces meet at an edge.
struct Edge {
  float a[3], b[3];
};
constexpr Edge kEdges[] = {{{1, 0, 0}, {0, 0, -1}},  {{1, 0, 0}, {0, 0, 1}},   {{-1, 0, 0}, {0, 0, 1}},
                           {{-1, 0, 0}, {0, 0, -1}}, {{1, 0, 0}, {0, 1, 0}},   {{1, 0, 0}, {0, -1, 0}},
                           {{-1, 0, 0}, {0, 1, 0}},  {{-1, 0, 0}, {0, -1, 0}}, {{0, 1, 0}, {0, 0, 1}},
                           {{0, 1, 0}, {0, 0, -1}},  {{0, -1, 0}, {0, 0, 1}},  {{0, -1, 0}, {0, 0, -1}}};

// Vertices of a strip in a cell of 4 by 3, across the middle of an edge: `texels` of level 0 to each side of
// it.
std::vector<float> strip_across(uint32_t cell, float texels, float cube) {
  const Edge& edge = kEdges[cell];
  const float x0 = -1 + 0.5f * static_cast<float>(cell % 4), y0 = -1 + static_cast<float>(cell / 4) / 1.5f;
  const float beside = texels / kSize, inside = 1 - 2 * texels / kSize;
  std::vector<float> strip;
  for (uint32_t v = 0; v < 4; v++) {
    strip.insert(strip.end(), {x0 + (v & 1 ? 0.5f : 0), y0 + (v & 2 ? 1 / 1.5f : 0), 0, 1});
    const float a = v & 2 ? inside : 1, b = v & 2 ? 1 : inside;
    for (uint32_t k = 0; k < 3; k++) {
      const bool along = edge.a[k] == 0 && edge.b[k] == 0;
      strip.push_back(along ? (v & 1 ? beside : -beside) : a * edge.a[k] + b * edge.b[k]);
    }
    strip.push_back(cube);
  }
  return strip;
}

scenes::Scene edges_of_a_large_cube() {
  scenes::Builder b("edges-of-a-large-cube", 64, 48);
  b.clear(0, 0, 0, 1);
  arch::Surface cube = b.surface(Format::R8_UNORM, kSize, kSize, kLevels, Tiling::kTiled, 6 * kCubes);
  cube.type = arch::Surface::make_type(SurfaceType::kCube, Tiling::kTiled);
  const arch::Sampler trilinear = scenes::sampler(arch::Filter::kLinear, arch::MipMode::kLinear);
  b.program(arch::Stage::kVertex, "MOV o0, i0\nMOV o1, i1\nEND\n");
  b.program(arch::Stage::kFragment, "TEX o0, i0, t0, s0, CUBEARRAY\nEND\n", arch::kShaderDerivatives);
  b.interpolants({1});
  b.textures({&cube, 1}, {&trilinear, 1});
  b.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
  for (uint32_t cell = 0; cell < 12; cell++) {  // a pixel is about a texel of level 0, 1 or 2
    b.vertices(strip_across(cell, static_cast<float>(4u << cell % 3), static_cast<float>(cell % kCubes)),
               {4, 4});
    b.draw(4);
  }
  b.end_frame();
  scenes::Scene scene = b.take();
  for (uint32_t layer = 0; layer < 6 * kCubes; layer++)
    for (const uint32_t level : {0u, 1u, 2u}) put_edges(scene, cube, layer, level);
  return scene;
}

machine::Config preset(const char* name) {
  machine::Config config;
  machine::load_config(config, name);
  return config;
}

TEST(LargeCube, EdgesAreSampledAsByTheEmulator) {
  const scenes::Scene scene = edges_of_a_large_cube();
  std::set<uint8_t> reds;
  for (const char* name : {"g80", "d3d11"}) {
    const machine::Config config = preset(name);
    ASSERT_TRUE(runs(scene, config.abilities()));
    expect_memory_of_emulator(scene, config);
    const Outcome outcome = on_machine(scene, config);
    const std::vector<uint8_t>& rgba = outcome.pictures.back().rgba;
    for (size_t i = 0; i < rgba.size(); i += 4) reds.insert(rgba[i]);
  }
  EXPECT_GT(reds.size(), 50u);  // texels that were put there are in the picture
}

TEST(LargeCube, IsRefusedByOlderChips) {
  machine::Machine gpu(preset("attila"), arch::Memory());
  scenes::play(edges_of_a_large_cube(), gpu);
  arch::Fault fault;
  ASSERT_TRUE(gpu.fault(fault));
  EXPECT_EQ(fault.text, "DRAW: attila has no cubes of 8192 texels a side, but of up to 4096");
}

}  // namespace
}  // namespace cutaway
