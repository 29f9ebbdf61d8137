// Every wire of the preset as declared, and that parameters move what they are said to move.
#include "wires.h"

namespace cutaway::wires_test {
namespace {

using engine::WireSpec;

// A queue of n entries behind a latency of l and a bandwidth of b has n + l * b slots.
constexpr Row kAttila[] = {
    {"gpu.command_processor.loader_out", "gpu.constant_loader.commands_in", {1, 1, 4}, "choice"},
    {"gpu.constant_loader.blocks_out", "gpu.command_processor.loader_in", {1, 1, 4}, "choice"},
    {"gpu.command_processor.draw_out[0]", "gpu.streamer0.draws_in", {1, 1, 4}, "choice"},
    {"gpu.command_processor.copy_out", "gpu.copy_engine.commands_in", {1, 1, 4}, "choice"},
    {"gpu.copy_engine.done_out", "gpu.command_processor.copy_in", {1, 1, 2}, "choice"},
    {"gpu.command_processor.present_out", "gpu.dac.presents_in", {1, 1, 2}, "choice"},
    {"gpu.dac.done_out", "gpu.command_processor.present_in", {1, 1, 2}, "choice"},
    {"gpu.streamer0.vertices_out",
     "gpu.primitive_assembly0.vertices_in",
     {1, 1, 9},
     "ATT-3: 1 vertex; ATT-2: 8 entries"},
    {"gpu.primitive_assembly0.assembled_out", "gpu.command_processor.assembled_in[0]", {1, 1, 2}, "choice"},
    {"gpu.primitive_assembly0.primitives_out",
     "gpu.clipper0.primitives_in",
     {1, 1, 5},
     "ATT-3: 1 triangle; ATT-4: 1; ATT-2: 4 entries"},
    {"gpu.clipper0.primitives_out",
     "gpu.triangle_setup0.primitives_in",
     {6, 1, 18},
     "ATT-3: 1 triangle; ATT-4: 6; ATT-2: 12 entries"},
    {"gpu.triangle_setup0.primitives_out[0]",
     "gpu.fragment_generation0.primitives_in[0]",
     {10, 1, 26},
     "ATT-3: 1 triangle; ATT-4: 10; ATT-2: 16 entries"},
    {"gpu.fragment_generation0.tiles_out",
     "gpu.hierarchical_z0.tiles_in",
     {1, 2, 6},
     "ATT-3: 2 x 64 fragments; ATT-4: 1; ATT-2: 64 quads in 4 tiles"},
    {"gpu.hierarchical_z0.quads_out[0]",
     "gpu.z_stencil0.quads_in[0]",
     {1, 32, 64},
     "ATT-3: 2 x 64 fragments; ATT-4: 1"},
    {"gpu.z_stencil0.updates_out[0]", "gpu.hierarchical_z0.updates_in[0]", {1, 1, 4}, "choice"},
    {"gpu.z_stencil0.quads_out", "gpu.interpolator.quads_in[0]", {2, 1, 6}, "ATT-3: 4 fragments; ATT-4: 2"},
    {"gpu.reorder_buffer0.quads_out", "gpu.z_stencil0.late_in", {1, 1, 4}, "ATT-3: 4 fragments"},
    {"gpu.z_stencil0.late_out", "gpu.color_write0.quads_in", {2, 1, 6}, "ATT-3: 4 fragments; ATT-4: 2"},
    {"gpu.color_write0.draw_done", "gpu.command_processor.draw_done[0]", {1, 1, 2}, "choice"},
    {"gpu.hierarchical_z0.quads_out[1]",
     "gpu.z_stencil1.quads_in[0]",
     {1, 32, 64},
     "ATT-3: 2 x 64 fragments; ATT-4: 1"},
    {"gpu.z_stencil1.updates_out[0]", "gpu.hierarchical_z0.updates_in[1]", {1, 1, 4}, "choice"},
    {"gpu.z_stencil1.quads_out", "gpu.interpolator.quads_in[1]", {2, 1, 6}, "ATT-3: 4 fragments; ATT-4: 2"},
    {"gpu.reorder_buffer1.quads_out", "gpu.z_stencil1.late_in", {1, 1, 4}, "ATT-3: 4 fragments"},
    {"gpu.z_stencil1.late_out", "gpu.color_write1.quads_in", {2, 1, 6}, "ATT-3: 4 fragments; ATT-4: 2"},
    {"gpu.color_write1.draw_done", "gpu.command_processor.draw_done[1]", {1, 1, 2}, "choice"},
    {"gpu.streamer0.groups_out",
     "gpu.work_distributor.vertices_in[0]",
     {1, 1, 12},
     "ATT-2: 48 vertices in groups of 4"},
    {"gpu.interpolator.quads_out", "gpu.work_distributor.quads_in", {1, 2, 8}, "ATT-3: 2 x 4 fragments"},
    {"gpu.work_distributor.entries_out[0]", "gpu.reorder_buffer0.entries_in", {1, 3, 128}, "choice"},
    {"gpu.work_distributor.entries_out[1]", "gpu.reorder_buffer1.entries_in", {1, 3, 128}, "choice"},
    {"gpu.work_distributor.vertices_out[0]", "gpu.shader0.vertices_in", {1, 1, 4}, "ATT-2: 16 input threads"},
    {"gpu.work_distributor.fragments_out[0]",
     "gpu.shader0.fragments_in",
     {1, 1, 4},
     "ATT-2: 16 input threads"},
    {"gpu.shader0.vertices_out[0]",
     "gpu.streamer0.shaded_in[0]",
     {1, 1, 2},
     "ATT-3: 1 vertex per lane of a group"},
    {"gpu.shader0.quads_out[0]", "gpu.reorder_buffer0.quads_in[0]", {1, 1, 4}, "ATT-3: 4 fragments"},
    {"gpu.shader0.quads_out[1]", "gpu.reorder_buffer1.quads_in[0]", {1, 1, 4}, "ATT-3: 4 fragments"},
    {"gpu.shader0.texture_out", "gpu.texture0.jobs_in", {1, 1, 4}, "ATT-8: 1 texture instruction"},
    {"gpu.texture0.jobs_out", "gpu.shader0.texture_in", {1, 1, 4}, "choice"},
    {"gpu.work_distributor.vertices_out[1]", "gpu.shader1.vertices_in", {1, 1, 4}, "ATT-2: 16 input threads"},
    {"gpu.work_distributor.fragments_out[1]",
     "gpu.shader1.fragments_in",
     {1, 1, 4},
     "ATT-2: 16 input threads"},
    {"gpu.shader1.vertices_out[0]",
     "gpu.streamer0.shaded_in[1]",
     {1, 1, 2},
     "ATT-3: 1 vertex per lane of a group"},
    {"gpu.shader1.quads_out[0]", "gpu.reorder_buffer0.quads_in[1]", {1, 1, 4}, "ATT-3: 4 fragments"},
    {"gpu.shader1.quads_out[1]", "gpu.reorder_buffer1.quads_in[1]", {1, 1, 4}, "ATT-3: 4 fragments"},
    {"gpu.shader1.texture_out", "gpu.texture1.jobs_in", {1, 1, 4}, "ATT-8: 1 texture instruction"},
    {"gpu.texture1.jobs_out", "gpu.shader1.texture_in", {1, 1, 4}, "choice"},
    {"gpu.copy_engine.clears_out", "gpu.memory_controller.clears_in", {2, 1, 3}, "choice"},
    {"gpu.memory_controller.cleared_out", "gpu.copy_engine.cleared_in", {2, 1, 3}, "choice"},
    {"gpu.command_processor.memory_out", "gpu.memory_controller.requests[0]", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.memory_controller.replies[0]", "gpu.command_processor.memory_in", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.constant_loader.memory_out", "gpu.memory_controller.requests[1]", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.memory_controller.replies[1]", "gpu.constant_loader.memory_in", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.copy_engine.memory_out", "gpu.memory_controller.requests[2]", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.memory_controller.replies[2]", "gpu.copy_engine.memory_in", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.streamer0.index_memory_out", "gpu.memory_controller.requests[3]", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.memory_controller.replies[3]", "gpu.streamer0.index_memory_in", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.streamer0.memory_out", "gpu.memory_controller.requests[4]", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.memory_controller.replies[4]", "gpu.streamer0.memory_in", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.dac.memory_out", "gpu.memory_controller.requests[5]", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.memory_controller.replies[5]", "gpu.dac.memory_in", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.z_stencil0.memory_out", "gpu.memory_controller.requests[6]", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.memory_controller.replies[6]", "gpu.z_stencil0.memory_in", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.color_write0.memory_out", "gpu.memory_controller.requests[7]", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.memory_controller.replies[7]", "gpu.color_write0.memory_in", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.z_stencil1.memory_out", "gpu.memory_controller.requests[8]", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.memory_controller.replies[8]", "gpu.z_stencil1.memory_in", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.color_write1.memory_out", "gpu.memory_controller.requests[9]", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.memory_controller.replies[9]", "gpu.color_write1.memory_in", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.texture0.memory_out", "gpu.memory_controller.requests[10]", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.memory_controller.replies[10]", "gpu.texture0.memory_in", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.texture1.memory_out", "gpu.memory_controller.requests[11]", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.memory_controller.replies[11]", "gpu.texture1.memory_in", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.command_processor.control_out[0]", "gpu.streamer0.control_in", {1, 1, 2}, "choice"},
    {"gpu.streamer0.control_out", "gpu.command_processor.control_in[0]", {1, 1, 2}, "choice"},
    {"gpu.command_processor.control_out[1]", "gpu.hierarchical_z0.control_in", {1, 1, 2}, "choice"},
    {"gpu.hierarchical_z0.control_out", "gpu.command_processor.control_in[1]", {1, 1, 2}, "choice"},
    {"gpu.command_processor.control_out[2]", "gpu.z_stencil0.control_in", {1, 1, 2}, "choice"},
    {"gpu.z_stencil0.control_out", "gpu.command_processor.control_in[2]", {1, 1, 2}, "choice"},
    {"gpu.command_processor.control_out[3]", "gpu.z_stencil1.control_in", {1, 1, 2}, "choice"},
    {"gpu.z_stencil1.control_out", "gpu.command_processor.control_in[3]", {1, 1, 2}, "choice"},
    {"gpu.command_processor.control_out[4]", "gpu.color_write0.control_in", {1, 1, 2}, "choice"},
    {"gpu.color_write0.control_out", "gpu.command_processor.control_in[4]", {1, 1, 2}, "choice"},
    {"gpu.command_processor.control_out[5]", "gpu.color_write1.control_in", {1, 1, 2}, "choice"},
    {"gpu.color_write1.control_out", "gpu.command_processor.control_in[5]", {1, 1, 2}, "choice"},
    {"gpu.command_processor.control_out[6]", "gpu.texture0.control_in", {1, 1, 2}, "choice"},
    {"gpu.texture0.control_out", "gpu.command_processor.control_in[6]", {1, 1, 2}, "choice"},
    {"gpu.command_processor.control_out[7]", "gpu.texture1.control_in", {1, 1, 2}, "choice"},
    {"gpu.texture1.control_out", "gpu.command_processor.control_in[7]", {1, 1, 2}, "choice"},
};

TEST(Wires, AreThoseOfThePaper) {
  auto wires = declared({});
  for (const Row& row : kAttila) {
    const auto wire = wires.find(std::string(row.from) + " > " + row.to);
    if (wire == wires.end()) {
      ADD_FAILURE() << "no wire from " << row.from << " to " << row.to;
      continue;
    }
    EXPECT_EQ(text(wire->second), text(row.spec)) << row.from << " (" << row.source << ")";
    wires.erase(wire);
  }
  for (const auto& [name, spec] : wires) ADD_FAILURE() << "not in the table: " << name << ": " << text(spec);
}

// Wires of two shader units that share a texture unit (shader.units_per_texture), in addition to those above.
constexpr Row kShared[] = {
    {"gpu.shader0.texture_out", "gpu.texture_arbiter0.jobs_in[0]", {1, 1, 4}, "ATT-8: 1 texture instruction"},
    {"gpu.shader1.texture_out", "gpu.texture_arbiter0.jobs_in[1]", {1, 1, 4}, "ATT-8: 1 texture instruction"},
    {"gpu.texture_arbiter0.jobs_out", "gpu.texture0.jobs_in", {1, 1, 4}, "ATT-8: 1 texture instruction"},
    {"gpu.texture0.jobs_out", "gpu.texture_arbiter0.results_in", {1, 1, 4}, "choice"},
    {"gpu.texture_arbiter0.results_out[0]", "gpu.shader0.texture_in", {1, 1, 4}, "choice"},
    {"gpu.texture_arbiter0.results_out[1]", "gpu.shader1.texture_in", {1, 1, 4}, "choice"},
};

TEST(Wires, ASharedTextureUnitHasAnArbiterBeforeIt) {
  machine::Config config;
  config.shaders.front().topology.units_per_texture = 2;
  const auto wires = declared(config);
  expect_rows(wires, kShared);
  // Four wires less of shader units with texture units of their own, four less of the second texture unit.
  EXPECT_EQ(wires.size(), declared({}).size() - 4 - 4 + std::size(kShared));
}

machine::Config with_two_slices() {
  machine::Config config;
  config.texture_cache.slices = 2;
  return config;
}

// Wires of two slices of a second-level texture cache (texture_cache.slices), replacing the texture units'
// buses to memory.
constexpr Row kSlices[] = {
    {"gpu.texture0.memory_out[0]", "gpu.texture_cache0.requests_in[0]", {1, 1, 5}, "choice"},
    {"gpu.texture0.memory_out[1]", "gpu.texture_cache1.requests_in[0]", {1, 1, 5}, "choice"},
    {"gpu.texture1.memory_out[0]", "gpu.texture_cache0.requests_in[1]", {1, 1, 5}, "choice"},
    {"gpu.texture1.memory_out[1]", "gpu.texture_cache1.requests_in[1]", {1, 1, 5}, "choice"},
    {"gpu.texture_cache0.replies_out[0]", "gpu.texture0.memory_in[0]", {1, 1, 4}, "choice"},
    {"gpu.texture_cache0.replies_out[1]", "gpu.texture1.memory_in[0]", {1, 1, 4}, "choice"},
    {"gpu.texture_cache1.replies_out[0]", "gpu.texture0.memory_in[1]", {1, 1, 4}, "choice"},
    {"gpu.texture_cache1.replies_out[1]", "gpu.texture1.memory_in[1]", {1, 1, 4}, "choice"},
    {"gpu.texture_cache0.memory_out", "gpu.memory_controller.requests[10]", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.memory_controller.replies[10]", "gpu.texture_cache0.memory_in", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.texture_cache1.memory_out", "gpu.memory_controller.requests[11]", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.memory_controller.replies[11]", "gpu.texture_cache1.memory_in", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.command_processor.control_out[8]", "gpu.texture_cache0.control_in", {1, 1, 2}, "choice"},
    {"gpu.texture_cache0.control_out", "gpu.command_processor.control_in[8]", {1, 1, 2}, "choice"},
    {"gpu.command_processor.control_out[9]", "gpu.texture_cache1.control_in", {1, 1, 2}, "choice"},
    {"gpu.texture_cache1.control_out", "gpu.command_processor.control_in[9]", {1, 1, 2}, "choice"},
};

TEST(Wires, SecondLevelSlicesPrecedeMemory) {
  const auto wires = declared(with_two_slices());
  expect_rows(wires, kSlices);
  EXPECT_EQ(wires.size(), declared({}).size() - 4 + std::size(kSlices));
}

// Wires of a second rasteriser (fragment_generation.units), in addition to those above.
constexpr Row kSecondRasteriser[] = {
    {"gpu.triangle_setup0.primitives_out[1]",
     "gpu.fragment_generation1.primitives_in[0]",
     {10, 1, 26},
     "as the first"},
    {"gpu.fragment_generation1.tiles_out", "gpu.hierarchical_z1.tiles_in", {1, 2, 6}, "as the first"},
    {"gpu.hierarchical_z1.quads_out[0]", "gpu.z_stencil0.quads_in[1]", {1, 32, 64}, "as the first"},
    {"gpu.hierarchical_z1.quads_out[1]", "gpu.z_stencil1.quads_in[1]", {1, 32, 64}, "as the first"},
    {"gpu.z_stencil0.updates_out[1]", "gpu.hierarchical_z1.updates_in[0]", {1, 1, 4}, "as the first"},
    {"gpu.z_stencil1.updates_out[1]", "gpu.hierarchical_z1.updates_in[1]", {1, 1, 4}, "as the first"},
    {"gpu.command_processor.control_out[2]", "gpu.hierarchical_z1.control_in", {1, 1, 2}, "as the first"},
    {"gpu.hierarchical_z1.control_out", "gpu.command_processor.control_in[2]", {1, 1, 2}, "as the first"},
};

TEST(Wires, ASecondRasteriserHasThoseOfTheFirst) {
  machine::Config config;
  config.fragment_generation.units = 2;
  const auto wires = declared(config);
  expect_rows(wires, kSecondRasteriser);
  EXPECT_EQ(wires.size(), declared({}).size() + std::size(kSecondRasteriser));
}

// Wires of a second front end (geometry.units), in addition to those above. Later memory clients move up by
// two.
constexpr Row kSecondFrontEnd[] = {
    {"gpu.command_processor.draw_out[1]", "gpu.streamer1.draws_in", {1, 1, 4}, "as the first"},
    {"gpu.streamer1.vertices_out", "gpu.primitive_assembly1.vertices_in", {1, 1, 9}, "as the first"},
    {"gpu.primitive_assembly1.assembled_out",
     "gpu.command_processor.assembled_in[1]",
     {1, 1, 2},
     "as the first"},
    {"gpu.primitive_assembly1.primitives_out", "gpu.clipper1.primitives_in", {1, 1, 5}, "as the first"},
    {"gpu.clipper1.primitives_out", "gpu.triangle_setup1.primitives_in", {6, 1, 18}, "as the first"},
    {"gpu.triangle_setup1.primitives_out[0]",
     "gpu.fragment_generation0.primitives_in[1]",
     {10, 1, 26},
     "as the first"},
    {"gpu.streamer1.groups_out", "gpu.work_distributor.vertices_in[1]", {1, 1, 12}, "as the first"},
    {"gpu.shader0.vertices_out[1]", "gpu.streamer1.shaded_in[0]", {1, 1, 2}, "as the first"},
    {"gpu.shader1.vertices_out[1]", "gpu.streamer1.shaded_in[1]", {1, 1, 2}, "as the first"},
    {"gpu.streamer1.index_memory_out", "gpu.memory_controller.requests[5]", {2, 1, 10}, "as the first"},
    {"gpu.memory_controller.replies[5]", "gpu.streamer1.index_memory_in", {2, 1, 10}, "as the first"},
    {"gpu.streamer1.memory_out", "gpu.memory_controller.requests[6]", {2, 1, 10}, "as the first"},
    {"gpu.memory_controller.replies[6]", "gpu.streamer1.memory_in", {2, 1, 10}, "as the first"},
    {"gpu.command_processor.control_out[1]", "gpu.streamer1.control_in", {1, 1, 2}, "as the first"},
    {"gpu.streamer1.control_out", "gpu.command_processor.control_in[1]", {1, 1, 2}, "as the first"},
};

TEST(Wires, ASecondFrontEndHasThoseOfTheFirst) {
  machine::Config config;
  config.geometry.units = 2;
  const auto wires = declared(config);
  expect_rows(wires, kSecondFrontEnd);
  EXPECT_EQ(wires.size(), declared({}).size() + std::size(kSecondFrontEnd));
}

// Wires of two shader units that take fragments from one queue (shader.units_per_cluster), in addition to
// those above.
constexpr Row kClustered[] = {
    {"gpu.work_distributor.fragments_out[0]", "gpu.group_fifo0.groups_in", {1, 1, 4}, "choice"},
    {"gpu.group_fifo0.groups_out[0]", "gpu.shader0.fragments_in", {1, 1, 1}, "G80-2: the next that has room"},
    {"gpu.group_fifo0.groups_out[1]", "gpu.shader1.fragments_in", {1, 1, 1}, "G80-2: the next that has room"},
};

TEST(Wires, AClusterHasOneQueueOfFragments) {
  machine::Config config;
  config.shaders.front().topology.units_per_cluster = 2;
  const auto wires = declared(config);
  expect_rows(wires, kClustered);
  EXPECT_EQ(wires.size(), declared({}).size() - 2 + std::size(kClustered));
}

struct Change {
  const char *parameter, *value;
  const char* wires;  // that move: a part of "from > to"
  int latency, bandwidth, slots;
};

// Every parameter of [wires] and the others that declare wires: what a change adds, and to which.
constexpr Change kChanges[] = {
    {"wires.primitive_assembly_queue", "9", "> gpu.primitive_assembly", 0, 0, 1},
    {"streamer.vertices_per_cycle", "3", "> gpu.primitive_assembly", 0, 2, 2},
    {"streamer.vertices_per_cycle", "3", "> gpu.clipper", 0, 2, 2},
    {"streamer.vertices_per_cycle", "3", "> gpu.geometry_shading0.primitives_in", 0, 2, 2},
    {"streamer.vertices_per_cycle", "3", "> gpu.tessellation0.primitives_in", 0, 2, 2},
    {"streamer.vertices_per_cycle", "3", "> gpu.stream_out.primitives_in", 0, 2, 2},
    {"streamer.vertices_per_cycle", "3", "gpu.streamer0.groups_out", 0, 2, 0},
    {"streamer.vertices_per_cycle", "3", "gpu.streamer1.groups_out", 0, 2, 0},
    {"wires.vertex_group_queue", "15", "gpu.streamer0.groups_out", 0, 0, 3},
    {"wires.vertex_group_queue", "15", "gpu.streamer1.groups_out", 0, 0, 3},
    {"wires.clipper_queue", "9", "> gpu.clipper", 0, 0, 5},
    {"wires.clipper_queue", "9", "> gpu.geometry_shading0.primitives_in", 0, 0, 5},
    {"wires.clipper_queue", "9", "> gpu.tessellation0.primitives_in", 0, 0, 5},
    {"wires.clipper_queue", "9", "> gpu.stream_out.primitives_in", 0, 0, 5},
    {"wires.triangle_setup_queue", "13", "> gpu.triangle_setup", 0, 0, 1},
    {"wires.fragment_generation_queue", "18", "> gpu.fragment_generation", 0, 0, 2},
    {"wires.hierarchical_z_queue", "6", ".tiles_out", 0, 0, 2},
    {"wires.z_queue", "48", "gpu.hierarchical_z0.quads_out", 0, 0, 16},
    {"wires.z_queue", "48", "gpu.hierarchical_z1.quads_out", 0, 0, 16},
    {"wires.primitive_assembly_latency", "4", "> gpu.clipper", 3, 0, 3},
    {"wires.primitive_assembly_latency", "4", "> gpu.geometry_shading0.primitives_in", 3, 0, 3},
    {"wires.primitive_assembly_latency", "4", "> gpu.tessellation0.primitives_in", 3, 0, 3},
    {"wires.primitive_assembly_latency", "4", "> gpu.stream_out.primitives_in", 3, 0, 3},
    {"wires.clipper_latency", "7", "> gpu.triangle_setup", 1, 0, 1},
    {"wires.triangle_setup_latency", "9", "> gpu.fragment_generation", -1, 0, -1},
    {"wires.fragment_generation_latency", "3", ".tiles_out", 2, 0, 4},
    {"wires.hierarchical_z_latency", "2", "gpu.hierarchical_z0.quads_out", 1, 0, 32},
    {"wires.hierarchical_z_latency", "2", "gpu.hierarchical_z1.quads_out", 1, 0, 32},
    {"wires.z_latency", "5", "> gpu.interpolator.quads_in", 3, 0, 3},
    {"wires.color_latency", "1", "late_out", -1, 0, -1},
    {"wires.memory_latency", "5", "> gpu.memory_controller.requests", 3, 0, 3},
    {"wires.memory_latency", "5", "gpu.memory_controller.replies", 3, 0, 3},
    {"wires.memory_latency", "5", "> gpu.memory_controller.clears_in", 3, 0, 3},
    {"wires.memory_latency", "5", "gpu.memory_controller.cleared_out", 3, 0, 3},
    {"wires.memory_queue", "16", "> gpu.memory_controller.requests", 0, 0, 8},
    {"wires.memory_queue", "16", "gpu.memory_controller.replies", 0, 0, 8},
    {"fragment_generation.tiles_per_cycle", "3", ".tiles_out", 0, 1, 1},
    {"hierarchical_z.tiles_per_cycle", "1", "gpu.hierarchical_z0.quads_out", 0, -16, -16},
    {"hierarchical_z.tiles_per_cycle", "1", "gpu.hierarchical_z1.quads_out", 0, -16, -16},
    {"work_distributor.quads_per_cycle", "4", "gpu.work_distributor.entries_out", 0, 2, 0},
    {"reorder_buffer.entries", "64", "gpu.work_distributor.entries_out", 0, 0, -64},
    {"shader.input_threads", "32", "gpu.work_distributor.vertices_out", 0, 0, 4},
    {"shader.input_threads", "32", "gpu.work_distributor.fragments_out[0] > gpu.shader", 0, 0, 4},
    {"shader.input_threads", "32", "gpu.work_distributor.fragments_out[1] > gpu.shader", 0, 0, 4},
    {"group_fifo.groups", "6", "group_fifo0.groups_in", 0, 0, 2},
    {"interpolator.queue", "9", "gpu.interpolator.quads_in", 0, 0, 5},
    {"texture_cache.queue", "7", ".memory_out[", 0, 0, 3},
    {"storage_cache.queue", "7", ".storage_out[", 0, 0, 3},
};

WireSpec moved(WireSpec spec, const Change& change) {
  spec.latency += static_cast<unsigned>(change.latency);
  spec.bandwidth += static_cast<unsigned>(change.bandwidth);
  spec.slots += static_cast<unsigned>(change.slots);
  return spec;
}

void expect_moves(const machine::Config& base) {
  const auto before = declared(base);
  for (const Change& tried : kChanges) {
    machine::Config config = base;
    set(config, tried.parameter, tried.value);
    const auto after = declared(config);
    ASSERT_EQ(after.size(), before.size());
    for (const auto& [name, spec] : before) {
      WireSpec expected = spec;
      for (const Change& change : kChanges)
        if (std::string_view(change.parameter) == tried.parameter && name.find(change.wires) != name.npos)
          expected = moved(spec, change);
      EXPECT_EQ(text(after.at(name)), text(expected))
          << tried.parameter << " = " << tried.value << ": " << name;
    }
  }
}

TEST(Wires, MoveWithTheirParametersAndNoOthers) {
  expect_moves({});
  expect_moves(with_two_slices());
  for (const machine::Config& config : machines_of_stages()) expect_moves(config);
}

TEST(Wires, EveryParameterOfWiresIsInTheTableOfChanges) {
  machine::Config config;
  FieldTable fields;
  config.list(fields);
  for (const auto& field : fields.fields()) {
    if (!field->path.starts_with("wires.")) continue;
    bool found = false;
    for (const Change& change : kChanges) found |= field->path == change.parameter;
    EXPECT_TRUE(found) << field->path;
  }
}

// One triangle of one quad, whose vertices, fragments and draw end pass every wire one after the other.
scenes::Scene one_quad() {
  scenes::Builder b("one quad", 8, 8);
  b.program(arch::Stage::kVertex, "MOV o0, i0\nEND\n");
  b.program(arch::Stage::kFragment, "MOV o0, c0\nEND\n");
  b.constants(arch::Stage::kFragment, 0, {1, 0, 0, 1});
  b.vertices({-1, -1, 0, 1, -0.5f, -1, 0, 1, -1, -0.5f, 0, 1}, {4});
  b.draw(3);
  b.end_frame();
  return b.take();
}

TEST(Wires, AddedLatencyIsAddedToTheTimeOfASingleTriangle) {
  const scenes::Scene scene = one_quad();
  const uint64_t before = on_machine(scene, {}).cycles;
  unsigned machine::WiresSpec::*const latencies[] = {&machine::WiresSpec::primitive_assembly_latency,
                                                     &machine::WiresSpec::clipper_latency,
                                                     &machine::WiresSpec::triangle_setup_latency,
                                                     &machine::WiresSpec::fragment_generation_latency,
                                                     &machine::WiresSpec::hierarchical_z_latency,
                                                     &machine::WiresSpec::z_latency,
                                                     &machine::WiresSpec::color_latency};
  for (auto latency : latencies)
    for (unsigned added : {1u, 2u, 7u, 20u}) {
      machine::Config config;
      config.wires.*latency += added;
      EXPECT_EQ(on_machine(scene, config).cycles, before + added)
          << "latency of " << config.wires.*latency - added << " + " << added;
    }
}

// A command fetch alone: to the memory controller and back.
TEST(Wires, MemoryLatencyIsPaidTwicePerRoundTrip) {
  scenes::Builder b("nothing");
  b.commands.packet(arch::Opcode::kNop);
  b.submit(false);
  const scenes::Scene scene = b.take();
  const uint64_t before = on_machine(scene, {}).cycles;
  for (unsigned added : {1u, 3u, 10u}) {
    machine::Config config;
    config.wires.memory_latency += added;
    EXPECT_EQ(on_machine(scene, config).cycles, before + 2 * added);
    config = {};
    config.memory.latency += added;
    EXPECT_EQ(on_machine(scene, config).cycles, before + added);
  }
}

}  // namespace
}  // namespace cutaway::wires_test
