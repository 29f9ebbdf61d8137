// Parameters move the wires that they are said to move, and time with them.
#include <iterator>
#include <string>
#include <string_view>

#include "wires.h"

namespace cutaway::wire_parameters_test {
namespace {

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
}  // namespace cutaway::wire_parameters_test
