// Every wire of the preset as declared, and those that units beyond it add.
#include "wires.h"

namespace cutaway::wires_test {
namespace {

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
     {1, 2, 5},
     "ATT-3: 1 triangle, and the end of its batch; ATT-4: 1; ATT-2: 4 entries"},
    {"gpu.clipper0.primitives_out",
     "gpu.triangle_setup0.primitives_in",
     {6, 2, 18},
     "ATT-3: 1 triangle, and the end of its batch; ATT-4: 6; ATT-2: 12 entries"},
    {"gpu.triangle_setup0.primitives_out[0]",
     "gpu.fragment_generation0.primitives_in[0]",
     {10, 2, 26},
     "ATT-3: 1 triangle, and the end of its batch; ATT-4: 10; ATT-2: 16 entries"},
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
     {10, 2, 26},
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
    {"gpu.primitive_assembly1.primitives_out", "gpu.clipper1.primitives_in", {1, 2, 5}, "as the first"},
    {"gpu.clipper1.primitives_out", "gpu.triangle_setup1.primitives_in", {6, 2, 18}, "as the first"},
    {"gpu.triangle_setup1.primitives_out[0]",
     "gpu.fragment_generation0.primitives_in[1]",
     {10, 2, 26},
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

}  // namespace
}  // namespace cutaway::wires_test
