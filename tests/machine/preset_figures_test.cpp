// Compares figures that follow from a preset's parameters with the chip's documents.
#include <utility>

#include "gpu_run.h"

namespace cutaway::preset_figures_test {
namespace {

using arch::Stage;

machine::Config preset(std::string_view name) {
  machine::Config config;
  machine::load_config(config, name);
  return config;
}

// Figures by cycle of the core clock, or by second where the name says so.
double memory_gb_per_second(const machine::Config& c) {
  return c.memory.channels * c.memory.bytes_per_cycle * c.gpu.memory_mhz / 1000;
}
// A ROP takes a quad a cycle.
unsigned pixels(const machine::Config& c) { return c.rop.units * 4; }
unsigned texture_units(const machine::Config& c, Stage stage) {
  const machine::ShaderClassSpec& topology = c.runs(stage).topology;
  return topology.units / topology.units_per_texture;
}
unsigned bilinear_texels(const machine::Config& c) {
  return texture_units(c, Stage::kFragment) * c.texture.steps_per_cycle * c.texture.step_fragments;
}
unsigned tested_pixels(const machine::Config& c) {
  const unsigned tile = c.fragment_generation.order == "sub-tile-rows" ? 32 : 64;  // halves of 8x8 count
  return c.fragment_generation.units * c.hierarchical_z.tiles_per_cycle * tile;
}
// Threads that execute in a cycle of the units' clock.
unsigned lanes(const machine::Config& c, Stage stage) {
  return c.runs(stage).topology.units * c.runs(stage).unit.simd_lanes;
}
unsigned clusters(const machine::Config& c) {
  const machine::ShaderClassSpec& topology = c.runs(Stage::kFragment).topology;
  return topology.units / topology.units_per_cluster;
}

// The share of 8x8 tiles of a 32-bit surface at address 0 whose memory is in channels of their ROP's
// partition.
double local_share(const machine::Config& c, int32_t width, int32_t height) {
  const structures::TileMap map = c.rop.tile_map();
  int32_t local = 0;
  for (int32_t y = 0; y < height; y += 8)
    for (int32_t x = 0; x < width; x += 8) {
      const auto address = static_cast<uint32_t>(y * width + x * 8) * 4;
      local += address / c.memory.interleave % c.memory.channels / c.rop.channels_each == map.owner(x, y);
    }
  return local / (width / 8.0 * height / 8.0);
}

TEST(PresetFigures, Attila) {
  for (const char* name : {"attila", "attila-split"}) {
    const machine::Config c = preset(name);
    EXPECT_EQ(c.memory.channels * c.memory.bytes_per_cycle, 64u);  // ATT-1
    EXPECT_EQ(pixels(c), 8u);                                      // ATT-1: 2 ROPs, ATT-3: 4 fragments each
    EXPECT_EQ(tested_pixels(c), 2 * 64u);                          // ATT-3
    EXPECT_EQ(lanes(c, Stage::kFragment), 2 * 4u);                 // ATT-3: a quad a cycle of each unit
    for (const unsigned bytes :
         {c.texture.cache_lines * c.texture.line_bytes, c.color_write.cache_lines * c.color_write.line_bytes,
          c.z_stencil.cache_lines * c.z_stencil.line_bytes})
      EXPECT_EQ(bytes, 16u * 1024);  // ATT-6
  }
}

// Beside the vertex units it is attila.
TEST(PresetFigures, AttilaSplit) {
  machine::Config split = preset("attila-split"), attila = preset("attila");
  ASSERT_EQ(split.shaders.size(), 2u);
  EXPECT_EQ(lanes(split, Stage::kVertex), 4u);  // ATT-1, one vertex a cycle each: ATT-3
  split.shaders.pop_back();
  // 48 vertices (ATT-2), in groups of one and of four.
  EXPECT_EQ(std::exchange(split.wires.vertex_group_queue, attila.wires.vertex_group_queue), 48u);
  EXPECT_EQ(attila.wires.vertex_group_queue * attila.shaders.front().unit.group_lanes, 48u);
  split.shaders.front().topology.stages = attila.shaders.front().topology.stages;
  FieldTable of_split, of_attila;
  split.list(of_split), attila.list(of_attila);
  EXPECT_EQ(of_split.text(), of_attila.text());
}

TEST(PresetFigures, GeForce6800) {
  const machine::Config c = preset("geforce6800");
  EXPECT_DOUBLE_EQ(memory_gb_per_second(c), 35.2);  // NV4-1: 4 x 64 bits, twice a cycle, 550 MHz
  // NV4-2 gives peaks by second at 400 MHz (OUT-NV4-1).
  EXPECT_DOUBLE_EQ(bilinear_texels(c) * 0.400, 6.4);
  EXPECT_DOUBLE_EQ(pixels(c) * 0.400, 12.8 / 2);                            // colors
  EXPECT_DOUBLE_EQ(pixels(c) * c.z_stencil.quads_per_cycle * 0.400, 12.8);  // depth alone
  EXPECT_EQ(tested_pixels(c), 64u);
  EXPECT_EQ(lanes(c, Stage::kFragment), 16u);  // of vec4 MAD
  EXPECT_EQ(lanes(c, Stage::kVertex), 6u);
  EXPECT_DOUBLE_EQ(lanes(c, Stage::kVertex) / 4.0 * 400, 600);  // M vertices of 4 instructions: OUT-NV4-12
  EXPECT_GE(c.streamer.vertices_per_cycle * 400.0, 600);
  EXPECT_GE(c.work_distributor.vertex_groups_per_cycle, c.streamer.vertices_per_cycle);
  EXPECT_EQ(c.runs(Stage::kFragment).unit.issue, "mul-and-mad");    // NV4-5
  EXPECT_EQ(c.runs(Stage::kVertex).unit.issue, "simd-and-scalar");  // NV4-1
  EXPECT_EQ(2 * c.runs(Stage::kFragment).unit.flow_passes, 4u);     // NV4-3: if and endif
  EXPECT_EQ(2 * c.runs(Stage::kVertex).unit.flow_passes, 2u);       // NV4-1
  EXPECT_EQ(c.runs(Stage::kVertex).unit.group_lanes, 1u);           // NV4-1: MIMD
  EXPECT_GT(c.texture_cache.slices, 0u);                            // NV4-6: shared by vertices and fragments
  EXPECT_EQ(c.rop.channels_each, 1u);                               // NV4-1: four partitions
  for (const int32_t width : {640, 800, 1024, 1280, 1600}) EXPECT_EQ(local_share(c, width, 768), 1) << width;
}

TEST(PresetFigures, G80) {
  const machine::Config c = preset("g80");
  const boxes::ShaderUnitSpec& unit = c.runs(Stage::kFragment).unit;
  EXPECT_DOUBLE_EQ(memory_gb_per_second(c), 64.0);  // OUT-G80-1: 320 bits, twice, 800 MHz
  EXPECT_EQ(c.memory.channels * c.memory.bytes_per_cycle * 8, 2 * 320u);
  EXPECT_EQ(lanes(c, Stage::kFragment), 96u);  // OUT-G80-1: scalar processors
  EXPECT_EQ(unit.issue, "scalar");
  EXPECT_EQ(unit.group_lanes / unit.simd_lanes, 4u);           // G80-2: cycles of an instruction
  EXPECT_EQ(clusters(c), 6u);                                  // G80-1
  EXPECT_EQ(texture_units(c, Stage::kFragment), clusters(c));  // OUT-G80-4
  EXPECT_EQ(unit.lanes_of(Stage::kVertex), 16u);               // OUT-G80-12
  EXPECT_EQ(bilinear_texels(c) / clusters(c), 4u);             // OUT-G80-4: addresses
  EXPECT_EQ(4 * c.texture.step_samples, 8u);                   // OUT-G80-4: filters
  EXPECT_EQ(pixels(c), 20u);                                   // OUT-G80-1: ROPs
  // The GTX, which has 8 clusters and 6 partitions at 575 MHz: 18.4 GT/s and 13.8 Gpix/s (OUT-G80-3).
  EXPECT_DOUBLE_EQ(bilinear_texels(c) / 6 * 8 * 0.575, 18.4);
  EXPECT_DOUBLE_EQ(pixels(c) / 5 * 6 * 0.575, 13.8);
  EXPECT_EQ(tested_pixels(c), 256u);  // OUT-G80-6
  // OUT-G80-13: registers of one component.
  EXPECT_EQ((unit.threads + unit.input_threads) * unit.registers_per_thread * 4, 8192u);
  EXPECT_EQ(c.texture.cache_lines * c.texture.line_bytes, 8u * 1024);               // OUT-G80-5
  EXPECT_EQ(c.texture_cache.cache_lines * c.texture_cache.line_bytes, 32u * 1024);  // OUT-G80-15
  EXPECT_EQ(c.texture_cache.slices, c.memory.channels);
  EXPECT_EQ(c.rop.channels_each, 1u);  // OUT-G80-8: ROPs by partition
  EXPECT_EQ(local_share(c, 1024, 768), 1);
  EXPECT_NEAR(local_share(c, 1280, 768), 0.2, 0.02);
  EXPECT_EQ(c.fragment_generation.tile, 16u);  // G80-1
  EXPECT_EQ(c.fragment_generation.scan_rows, 2u);
  EXPECT_EQ(c.work_distributor.fragments, "tile-map");
  EXPECT_EQ(c.work_distributor.tile, 16u);
  EXPECT_EQ(c.work_distributor.map, (std::vector<unsigned>{0, 2, 4, 1, 5, 3}));
}

TEST(PresetFigures, G84) {
  const machine::Config c = preset("g84m");
  EXPECT_EQ(c.runs(Stage::kFragment).topology.units, 4u);                 // OUT-G80-2
  EXPECT_EQ(clusters(c), 2u);                                             // OUT-G80-2
  EXPECT_EQ(lanes(c, Stage::kFragment), 32u);                             // OUT-G80-1
  EXPECT_EQ(pixels(c), 8u);                                               // OUT-G80-1
  EXPECT_EQ(c.memory.channels * c.memory.bytes_per_cycle * 8, 2 * 128u);  // OUT-G80-1
  EXPECT_EQ(c.texture_cache.slices, c.memory.channels);
  EXPECT_EQ(texture_units(c, Stage::kFragment), clusters(c));
}

TEST(PresetFigures, Direct3D11) {
  const machine::Config c = preset("d3d11");
  const boxes::ShaderUnitSpec& unit = c.runs(Stage::kFragment).unit;
  EXPECT_NEAR(memory_gb_per_second(c), 180, 0.02 * 180);  // DX-2: close to that
  // DX-2: cycles of the units' clock from a texture unit to memory and back, by the second level: the look-up
  // of the slice, four wires of it, a row that is closed, and the transfer.
  const double core_cycles = c.texture_cache.latency + 2.0 * c.wires.memory_latency + 2;
  const double memory_cycles = c.memory.t_rcd + c.memory.t_cl + 64.0 / c.memory.bytes_per_cycle +
                               c.memory.latency + 2.0 * c.memory.crossbar_latency;
  const double latency = (core_cycles / c.gpu.core_mhz + memory_cycles / c.gpu.memory_mhz) *
                         c.runs(Stage::kFragment).topology.mhz;
  EXPECT_GE(latency, 400);
  EXPECT_LE(latency, 800);
  EXPECT_EQ(c.fragment_generation.units, 4u);  // DX-7
  EXPECT_EQ(c.geometry.units, 4u);             // OUT-DX-2: each setup makes a triangle a cycle
  // A rasteriser's quads go to its cluster.
  EXPECT_EQ(clusters(c), c.fragment_generation.units);
  EXPECT_EQ(c.work_distributor.fragments, "tile-map");
  EXPECT_EQ(c.work_distributor.tile, c.fragment_generation.tile);
  EXPECT_EQ(c.work_distributor.map, c.fragment_generation.map);
  EXPECT_EQ(unit.group_lanes, 32u);                                     // DX-7
  EXPECT_EQ(c.texture.cache_lines * c.texture.line_bytes, 12u * 1024);  // OUT-DX-8
  EXPECT_EQ(c.texture_cache.slices * c.texture_cache.cache_lines * c.texture_cache.line_bytes,
            768u * 1024);  // OUT-DX-5
  // A slice serves the two channels of a partition.
  EXPECT_EQ(c.texture_cache.slices * 2, c.memory.channels);
  EXPECT_EQ(c.texture_cache.interleave, c.memory.interleave * 2);
  EXPECT_EQ(c.rop.channels_each, 1u);
  EXPECT_GE(c.hierarchical_z.bits, 10u);  // DX-6
  EXPECT_LE(c.hierarchical_z.bits, 14u);
  EXPECT_EQ(c.runs(Stage::kFragment).topology.units * 2, 32u);  // OUT-DX-3: pixels a cycle of the full chip
  EXPECT_EQ(c.work_distributor.quads_per_cycle * 4, 32u);
  EXPECT_NEAR(c.work_distributor.quads_per_cycle * 4 * 0.772, 24.7, 0.01);  // OUT-DX-4: Gpix/s of the GTX 580
  EXPECT_EQ(pixels(c), 48u);                                                // OUT-DX-1: ROPs
  EXPECT_NEAR(pixels(c) * 0.772, 37.1, 0.05);                               // OUT-DX-4: by ROPs alone
  EXPECT_EQ(bilinear_texels(c), 4 * 16u);                                   // OUT-DX-2: samplers of a unit
  EXPECT_EQ(unit.simd_latency, 24u);                                        // OUT-DX-6
}

}  // namespace
}  // namespace cutaway::preset_figures_test
