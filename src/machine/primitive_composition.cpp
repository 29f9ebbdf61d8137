// The units of primitives, from the streamer to the rasterisers: composition.cpp makes those around them.
#include "boxes/clipper/clipper.h"
#include "boxes/primitive_assembly/primitive_assembly.h"
#include "boxes/triangle_setup/triangle_setup.h"
#include "machine/wiring.h"

namespace cutaway::machine {

using boxes::ClientGroup;
using engine::WireSpec;

namespace {

// Makes a wire for `primitives` a cycle. Its bandwidth is one more, for the end of a batch.
WireSpec with_batch_ends(unsigned latency, unsigned queue, unsigned primitives = 1) {
  WireSpec wire = queue_behind(latency, queue, primitives);
  wire.bandwidth++;
  return wire;
}

// Wire that carries assembled primitives to the next stage.
WireSpec primitives_wire(const Config& config) {
  return with_batch_ends(config.wires.primitive_assembly_latency, config.wires.clipper_queue,
                         config.streamer.vertices_per_cycle);
}

}  // namespace

void Machine::Units::make_streamer(unsigned i) {
  const ShaderClass& shader = config.runs(arch::Stage::kVertex);
  auto* vertices = streamer.emplace_back(make<boxes::Streamer>(
      fmt::format("streamer{}", i), config.streamer, config.front_ends(), i, shader.topology.units,
      shader.unit.lanes_of(arch::Stage::kVertex), shader.unit.group_lanes, pools));
  clients.add({fmt::format("streamer_index{}", i), ClientGroup::kVertices, &vertices->index_memory_out,
               &vertices->index_memory_in});
  clients.add({fmt::format("streamer_vertex{}", i), ClientGroup::kVertices, &vertices->memory_out,
               &vertices->memory_in});
  connect_control(*vertices, arch::kCacheVertex);
  simulator.connect(command_processor->draw_out[i], vertices->draws_in, {1, 1, 4});
}

// Makes primitive assembly and the optional stages that make primitives.
void Machine::Units::make_assembly(unsigned i) {
  auto* assembly = primitive_assembly.emplace_back(make<boxes::PrimitiveAssembly>(
      fmt::format("primitive_assembly{}", i), pools, config.streamer.vertices_per_cycle));
  simulator.connect(
      streamer[i]->vertices_out, assembly->vertices_in,
      queue_behind(1, config.wires.primitive_assembly_queue, config.streamer.vertices_per_cycle));
  connect_teller(assembly->assembled_out);

  engine::Out<messages::PrimitiveMessage>* primitives = &assembly->primitives_out;
  if (config.class_of(arch::Stage::kTessControl)) primitives = make_tessellation(i, *primitives);
  if (config.class_of(arch::Stage::kGeometry)) primitives = make_geometry_shading(i, *primitives);
  primitives_.push_back(primitives);
}

// Makes transform feedback, between those stages and the clippers.
void Machine::Units::make_stream_out() {
  stream_out = make<boxes::StreamOut>("stream_out", config.stream_out, config.geometry.units);
  clients.add({"stream_out", ClientGroup::kVertices, &stream_out->memory_out, &stream_out->memory_in});
  for (unsigned i = 0; i < config.geometry.units; i++) {
    simulator.connect(*primitives_[i], stream_out->primitives_in[i], primitives_wire(config));
    connect_teller(stream_out->assembled_out[i]);
    primitives_[i] = &stream_out->primitives_out[i];
  }
  simulator.connect(command_processor->feedback_out, stream_out->orders_in, kOrder);
  simulator.connect(stream_out->filled_out, command_processor->filled_in, kOrder);
}

void Machine::Units::make_setup(unsigned i) {
  const WiresSpec& w = config.wires;
  auto* clip = clipper.emplace_back(make<boxes::Clipper>(fmt::format("clipper{}", i)));
  simulator.connect(*primitives_[i], clip->primitives_in, primitives_wire(config));

  auto* setup = triangle_setup.emplace_back(
      make<boxes::TriangleSetup>(fmt::format("triangle_setup{}", i), config.triangle_setup, pools,
                                 config.fragment_generation.tile_map()));
  simulator.connect(clip->primitives_out, setup->primitives_in,
                    with_batch_ends(w.clipper_latency, w.triangle_setup_queue));
}

void Machine::Units::connect_teller(engine::Out<messages::DrawAssembled>& assembled) {
  simulator.connect(assembled, command_processor->assembled_in[tellers_++], kOrder);
}

// Makes the tessellation behind the source of patches. Returns its output of primitives.
engine::Out<messages::PrimitiveMessage>* Machine::Units::make_tessellation(
    unsigned i, engine::Out<messages::PrimitiveMessage>& primitives) {
  const ShaderClass& shader = config.runs(arch::Stage::kTessControl);
  auto* box = tessellation.emplace_back(
      make<boxes::Tessellation>(fmt::format("tessellation{}", i), config.tessellation, i,
                                shader.topology.units, shader.unit.group_lanes, pools, clients.own_end()));
  if (const uint32_t slots = config.tessellation.memory_slots)
    clients.add({.name = fmt::format("tessellation{}", i),
                 .group = ClientGroup::kVertices,
                 .requests = &box->memory_out,
                 .replies = &box->memory_in,
                 .own_bytes = boxes::MemorySlots::bytes(slots)});
  simulator.connect(primitives, box->primitives_in, primitives_wire(config));
  connect_teller(box->assembled_out);
  // A patch keeps its memory until its points are shaded.
  simulator.connect(box->memory, box->points_in[0]);
  return &box->primitives_out;
}

// Makes geometry shading behind the source of primitives. Returns its output of primitives.
engine::Out<messages::PrimitiveMessage>* Machine::Units::make_geometry_shading(
    unsigned i, engine::Out<messages::PrimitiveMessage>& primitives) {
  const ShaderClass& shader = config.runs(arch::Stage::kGeometry);
  auto* box = geometry_shading.emplace_back(
      make<boxes::GeometryShading>(fmt::format("geometry_shading{}", i), config.geometry_shading, i,
                                   shader.topology.units, shader.unit.group_lanes, pools));
  simulator.connect(primitives, box->primitives_in, primitives_wire(config));
  connect_teller(box->assembled_out);
  return &box->primitives_out;
}

// Makes fragment generation with its hierarchical Z.
void Machine::Units::make_rasteriser(unsigned i) {
  const WiresSpec& w = config.wires;
  auto* fragments = fragment_generation.emplace_back(make<boxes::FragmentGeneration>(
      fmt::format("fragment_generation{}", i), config.fragment_generation, i, config.geometry.units));
  for (size_t f = 0; f < triangle_setup.size(); f++)
    simulator.connect(triangle_setup[f]->primitives_out[i], fragments->primitives_in[f],
                      with_batch_ends(w.triangle_setup_latency, w.fragment_generation_queue));

  auto* hz = hierarchical_z.emplace_back(make<boxes::HierarchicalZ>(
      fmt::format("hierarchical_z{}", i), config.hierarchical_z, config.rop.tile_map(),
      structures::OwnedTiles(config.fragment_generation.tile_map(), i)));
  connect_control(*hz, arch::kCacheDepth, true);
  simulator.connect(fragments->tiles_out, hz->tiles_in,
                    queue_behind(w.fragment_generation_latency, w.hierarchical_z_queue,
                                 config.fragment_generation.tiles_per_cycle));
}

}  // namespace cutaway::machine
