// Wires of the stages that not every chip has: compute, geometry, tessellation, stream-out.
#include "wires.h"

namespace cutaway {
namespace {

machine::Config that_computes() {
  machine::Config config;
  config.shaders.front().topology.stages.add(arch::Stage::kCompute);
  config.shaders.front().topology.stores.add(arch::Stage::kCompute);
  config.storage_cache.slices = 2;
  return config;
}

// Wires of shader units that run compute programs and store, through two slices (storage_cache.slices), in
// addition to those above.
constexpr Row kComputing[] = {
    {"gpu.command_processor.dispatch_out", "gpu.compute_distributor.dispatches_in", {1, 1, 4}, "choice"},
    {"gpu.compute_distributor.done_out", "gpu.command_processor.dispatch_done", {1, 1, 2}, "choice"},
    {"gpu.compute_distributor.workgroups_out[0]", "gpu.shader0.workgroups_in", {1, 1, 2}, "choice"},
    {"gpu.compute_distributor.workgroups_out[1]", "gpu.shader1.workgroups_in", {1, 1, 2}, "choice"},
    {"gpu.shader0.ended_out", "gpu.compute_distributor.ended_in[0]", {1, 1, 4}, "choice"},
    {"gpu.shader1.ended_out", "gpu.compute_distributor.ended_in[1]", {1, 1, 4}, "choice"},
    {"gpu.shader0.storage_out[0]", "gpu.storage_cache0.requests_in[0]", {1, 1, 5}, "choice"},
    {"gpu.shader0.storage_out[1]", "gpu.storage_cache1.requests_in[0]", {1, 1, 5}, "choice"},
    {"gpu.shader1.storage_out[0]", "gpu.storage_cache0.requests_in[1]", {1, 1, 5}, "choice"},
    {"gpu.shader1.storage_out[1]", "gpu.storage_cache1.requests_in[1]", {1, 1, 5}, "choice"},
    {"gpu.storage_cache0.replies_out[0]", "gpu.shader0.storage_in[0]", {1, 1, 4}, "choice"},
    {"gpu.storage_cache0.replies_out[1]", "gpu.shader1.storage_in[0]", {1, 1, 4}, "choice"},
    {"gpu.storage_cache1.replies_out[0]", "gpu.shader0.storage_in[1]", {1, 1, 4}, "choice"},
    {"gpu.storage_cache1.replies_out[1]", "gpu.shader1.storage_in[1]", {1, 1, 4}, "choice"},
    {"gpu.storage_cache0.memory_out", "gpu.memory_controller.requests[12]", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.memory_controller.replies[12]", "gpu.storage_cache0.memory_in", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.storage_cache1.memory_out", "gpu.memory_controller.requests[13]", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.memory_controller.replies[13]", "gpu.storage_cache1.memory_in", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.command_processor.control_out[8]", "gpu.storage_cache0.control_in", {1, 1, 2}, "choice"},
    {"gpu.storage_cache0.control_out", "gpu.command_processor.control_in[8]", {1, 1, 2}, "choice"},
    {"gpu.command_processor.control_out[9]", "gpu.storage_cache1.control_in", {1, 1, 2}, "choice"},
    {"gpu.storage_cache1.control_out", "gpu.command_processor.control_in[9]", {1, 1, 2}, "choice"},
};

TEST(Wires, WorkgroupsAndStoresHaveBoxesOfTheirOwn) {
  const auto wires = declared(that_computes());
  expect_rows(wires, kComputing);
  EXPECT_EQ(wires.size(), declared({}).size() + std::size(kComputing));
}

// Wires of shader units with a first level before the storage cache (shader.l1_lines), in addition to those.
constexpr Row kFirstLevels[] = {
    {"gpu.command_processor.control_out[6]", "gpu.shader0.control_in", {1, 1, 2}, "choice"},
    {"gpu.shader0.control_out", "gpu.command_processor.control_in[6]", {1, 1, 2}, "choice"},
    {"gpu.command_processor.control_out[7]", "gpu.shader1.control_in", {1, 1, 2}, "choice"},
    {"gpu.shader1.control_out", "gpu.command_processor.control_in[7]", {1, 1, 2}, "choice"},
};

TEST(Wires, FirstLevelsTakeOrders) {
  machine::Config config = that_computes();
  const size_t without = declared(config).size();
  config.shaders.front().unit.l1_lines = 16;
  const auto wires = declared(config);
  expect_rows(wires, kFirstLevels);
  EXPECT_EQ(wires.size(), without + std::size(kFirstLevels));
}

// Wires of an interpolator that programs can query (interpolator.pulls).
constexpr Row kPulls[] = {
    {"gpu.shader0.pulls_out", "gpu.interpolator.pulls_in[0]", {1, 1, 4}, "choice"},
    {"gpu.shader1.pulls_out", "gpu.interpolator.pulls_in[1]", {1, 1, 4}, "choice"},
    {"gpu.interpolator.pulls_out[0]", "gpu.shader0.pulls_in", {1, 1, 4}, "choice"},
    {"gpu.interpolator.pulls_out[1]", "gpu.shader1.pulls_in", {1, 1, 4}, "choice"},
};

TEST(Wires, ProgramsAskTheInterpolator) {
  machine::Config config;
  const size_t without = declared(config).size();
  config.interpolator.pulls = 1;
  const auto wires = declared(config);
  expect_rows(wires, kPulls);
  EXPECT_EQ(wires.size(), without + std::size(kPulls));
}

machine::Config with_geometry_programs() {
  machine::Config config;
  config.shaders.front().topology.stages.add(arch::Stage::kGeometry);
  return config;
}

// Wires of shader units that run geometry programs, replacing the wire from primitive assembly to the
// clipper.
constexpr Row kGeometryPrograms[] = {
    {"gpu.primitive_assembly0.primitives_out",
     "gpu.geometry_shading0.primitives_in",
     {1, 2, 5},
     "as before the clipper"},
    {"gpu.geometry_shading0.primitives_out", "gpu.clipper0.primitives_in", {1, 2, 5}, "ATT-3, ATT-4, ATT-2"},
    {"gpu.geometry_shading0.assembled_out", "gpu.command_processor.assembled_in[1]", {1, 1, 2}, "choice"},
    {"gpu.geometry_shading0.groups_out", "gpu.work_distributor.vertices_in[1]", {1, 1, 4}, "choice"},
    {"gpu.shader0.emitted_out[0]", "gpu.geometry_shading0.emitted_in[0]", {1, 1, 2}, "choice"},
    {"gpu.shader1.emitted_out[0]", "gpu.geometry_shading0.emitted_in[1]", {1, 1, 2}, "choice"},
};

TEST(Wires, GeometryProgramsHaveABoxBeforeTheClipper) {
  const auto wires = declared(with_geometry_programs());
  expect_rows(wires, kGeometryPrograms);
  EXPECT_EQ(wires.size(), declared({}).size() - 1 + std::size(kGeometryPrograms));
}

machine::Config with_patches() {
  machine::Config config;
  for (const arch::Stage stage : {arch::Stage::kTessControl, arch::Stage::kTessEvaluation})
    config.shaders.front().topology.stages.add(stage);
  return config;
}

// Wires of shader units that run tessellation programs, replacing the wire from primitive assembly to the
// clipper.
constexpr Row kPatches[] = {
    {"gpu.primitive_assembly0.primitives_out",
     "gpu.tessellation0.primitives_in",
     {1, 2, 5},
     "as before the clipper"},
    {"gpu.tessellation0.primitives_out", "gpu.clipper0.primitives_in", {1, 2, 5}, "ATT-3, ATT-4, ATT-2"},
    {"gpu.tessellation0.assembled_out", "gpu.command_processor.assembled_in[1]", {1, 1, 2}, "choice"},
    {"gpu.tessellation0.patch_groups_out", "gpu.work_distributor.vertices_in[1]", {1, 1, 4}, "choice"},
    {"gpu.tessellation0.point_groups_out", "gpu.work_distributor.vertices_in[2]", {1, 1, 4}, "choice"},
    {"gpu.shader0.patches_out[0]", "gpu.tessellation0.patches_in[0]", {1, 1, 2}, "choice"},
    {"gpu.shader1.patches_out[0]", "gpu.tessellation0.patches_in[1]", {1, 1, 2}, "choice"},
    {"gpu.shader0.points_out[0]", "gpu.tessellation0.points_in[0]", {1, 1, 2}, "choice"},
    {"gpu.shader1.points_out[0]", "gpu.tessellation0.points_in[1]", {1, 1, 2}, "choice"},
};

TEST(Wires, PatchesHaveABoxBeforeTheClipper) {
  const auto wires = declared(with_patches());
  expect_rows(wires, kPatches);
  EXPECT_EQ(wires.size(), declared({}).size() - 1 + std::size(kPatches));
}

// With slots in memory.
constexpr Row kPatchesInMemory[] = {
    {"gpu.tessellation0.memory_out", "gpu.memory_controller.requests[5]", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.memory_controller.replies[5]", "gpu.tessellation0.memory_in", {2, 1, 10}, "ATT-1: 64 bytes"},
};

TEST(Wires, PointsMayLieInMemory) {
  machine::Config config = with_patches();
  config.tessellation.memory_slots = 1;
  const auto wires = declared(config);
  expect_rows(wires, kPatchesInMemory);
  EXPECT_EQ(wires.size(), declared(with_patches()).size() + std::size(kPatchesInMemory));
}

machine::Config with_patches_for_programs() {
  machine::Config config = with_patches();
  config.shaders.front().topology.stages.add(arch::Stage::kGeometry);
  return config;
}

// Wires with both kinds of programs.
constexpr Row kPatchesForPrograms[] = {
    {"gpu.tessellation0.primitives_out",
     "gpu.geometry_shading0.primitives_in",
     {1, 2, 5},
     "as before the clipper"},
    {"gpu.geometry_shading0.assembled_out", "gpu.command_processor.assembled_in[2]", {1, 1, 2}, "choice"},
    {"gpu.geometry_shading0.groups_out", "gpu.work_distributor.vertices_in[3]", {1, 1, 4}, "choice"},
};

TEST(Wires, GeometryProgramsTakeWhatPatchesAreDividedInto) {
  const auto wires = declared(with_patches_for_programs());
  expect_rows(wires, kPatchesForPrograms);
}

machine::Config with_stream_out() {
  machine::Config config;
  config.stream_out.units = 1;
  return config;
}

// Wires of transform feedback (stream_out.units), replacing the wire from primitive assembly to the clipper.
constexpr Row kStreamOut[] = {
    {"gpu.primitive_assembly0.primitives_out",
     "gpu.stream_out.primitives_in[0]",
     {1, 2, 5},
     "as before the clipper"},
    {"gpu.stream_out.primitives_out[0]", "gpu.clipper0.primitives_in", {1, 2, 5}, "ATT-3, ATT-4, ATT-2"},
    {"gpu.stream_out.assembled_out[0]", "gpu.command_processor.assembled_in[1]", {1, 1, 2}, "choice"},
    {"gpu.command_processor.feedback_out", "gpu.stream_out.orders_in", {1, 1, 2}, "choice"},
    {"gpu.stream_out.filled_out", "gpu.command_processor.filled_in", {1, 1, 2}, "choice"},
    {"gpu.stream_out.memory_out", "gpu.memory_controller.requests[5]", {2, 1, 10}, "ATT-1: 64 bytes"},
    {"gpu.memory_controller.replies[5]", "gpu.stream_out.memory_in", {2, 1, 10}, "ATT-1: 64 bytes"},
};

TEST(Wires, StreamOutStandsBeforeTheClipper) {
  const auto wires = declared(with_stream_out());
  expect_rows(wires, kStreamOut);
  EXPECT_EQ(wires.size(), declared({}).size() - 1 + std::size(kStreamOut));
}

// Behind the geometry programs of two front ends, and behind what divides patches where there are none.
constexpr Row kStreamOutBehindPrograms[] = {
    {"gpu.geometry_shading0.primitives_out",
     "gpu.stream_out.primitives_in[0]",
     {1, 2, 5},
     "as before the clipper"},
    {"gpu.geometry_shading1.primitives_out",
     "gpu.stream_out.primitives_in[1]",
     {1, 2, 5},
     "as before the clipper"},
    {"gpu.stream_out.primitives_out[1]", "gpu.clipper1.primitives_in", {1, 2, 5}, "ATT-3, ATT-4, ATT-2"},
    {"gpu.stream_out.assembled_out[0]", "gpu.command_processor.assembled_in[6]", {1, 1, 2}, "choice"},
};
constexpr Row kStreamOutBehindPatches[] = {
    {"gpu.tessellation0.primitives_out",
     "gpu.stream_out.primitives_in[0]",
     {1, 2, 5},
     "as before the clipper"},
};

TEST(Wires, StreamOutHasThePrimitivesOfAllFrontEnds) {
  machine::Config config = with_patches_for_programs();
  config.stream_out.units = 1;
  config.geometry.units = 2;
  expect_rows(declared(config), kStreamOutBehindPrograms);
  config = with_patches();
  config.stream_out.units = 1;
  expect_rows(declared(config), kStreamOutBehindPatches);
}

}  // namespace

std::vector<machine::Config> machines_of_stages() {
  return {that_computes(), with_geometry_programs(), with_patches(), with_patches_for_programs(),
          with_stream_out()};
}

}  // namespace cutaway
