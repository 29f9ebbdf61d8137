// Every wire of the machine: latency in receiver cycles, messages per cycle, and slots: messages under way or
// waiting at the receiver. A queue of n entries behind a latency of l is a wire with n + l slots, so that it
// fills while data is under way.
#include "boxes/clipper/clipper.h"
#include "boxes/primitive_assembly/primitive_assembly.h"
#include "boxes/triangle_setup/triangle_setup.h"
#include "machine/units.h"

namespace cutaway::machine {

using engine::WireSpec;

namespace {

// Orders and answers: one at a time.
constexpr WireSpec kOrder{.latency = 1, .bandwidth = 1, .slots = 2};

WireSpec queue_behind(unsigned latency, unsigned queue, unsigned bandwidth = 1) {
  return {.latency = latency, .bandwidth = bandwidth, .slots = queue + latency * bandwidth};
}

}  // namespace

void Machine::Units::connect_front() {
  simulator.connect(command_processor->loader_out, constant_loader->commands_in, {1, 1, 4});
  simulator.connect(constant_loader->blocks_out, command_processor->loader_in, {1, 1, 4});
  simulator.connect(command_processor->draw_out, streamer->draws_in, {1, 1, 4});
  simulator.connect(command_processor->copy_out, copy_engine->commands_in, {1, 1, 4});
  simulator.connect(copy_engine->done_out, command_processor->copy_in, kOrder);
  simulator.connect(command_processor->present_out, dac->presents_in, kOrder);
  simulator.connect(dac->done_out, command_processor->present_in, kOrder);
}

void Machine::Units::connect_geometry() {
  const WiresSpec& w = config.wires;
  simulator.connect(streamer->vertices_out, primitive_assembly->vertices_in,
                    queue_behind(1, w.primitive_assembly_queue));
  simulator.connect(primitive_assembly->primitives_out, clipper->primitives_in,
                    queue_behind(w.primitive_assembly_latency, w.clipper_queue));
  simulator.connect(primitive_assembly->assembled_out, command_processor->assembled_in, kOrder);
  simulator.connect(clipper->primitives_out, triangle_setup->primitives_in,
                    queue_behind(w.clipper_latency, w.triangle_setup_queue));
  simulator.connect(triangle_setup->primitives_out, fragment_generation->primitives_in,
                    queue_behind(w.triangle_setup_latency, w.fragment_generation_queue));
  simulator.connect(fragment_generation->tiles_out, hierarchical_z->tiles_in,
                    queue_behind(w.fragment_generation_latency, w.hierarchical_z_queue,
                                 config.fragment_generation.tiles_per_cycle));
}

void Machine::Units::connect_fragments() {
  const WiresSpec& w = config.wires;
  // Both tiles of a cycle may belong to one unit.
  const unsigned quads = 16 * config.hierarchical_z.tiles_per_cycle;
  for (unsigned i = 0; i < config.gpu.rop_units; i++) {
    simulator.connect(hierarchical_z->quads_out[i], z_stencil[i]->quads_in,
                      queue_behind(w.hierarchical_z_latency, w.z_queue, quads));
    simulator.connect(z_stencil[i]->updates_out, hierarchical_z->updates_in[i], {1, 1, 4});
    simulator.connect(z_stencil[i]->quads_out, interpolator->quads_in[i], queue_behind(w.z_latency, 4));
    simulator.connect(reorder_buffer->quads_out[i], z_stencil[i]->late_in, {1, 1, 4});
    simulator.connect(z_stencil[i]->late_out, color_write[i]->quads_in, queue_behind(w.color_latency, 4));
    simulator.connect(color_write[i]->draw_done, command_processor->draw_done[i], kOrder);
  }
}

void Machine::Units::connect_shading() {
  const unsigned rops = config.gpu.rop_units, lanes = config.shader.group_lanes;
  const unsigned inputs = std::max(2u, config.shader.input_threads / lanes);
  const unsigned entries = config.work_distributor.quads_per_cycle + 1;  // a draw end may come on top
  simulator.connect(streamer->groups_out, work_distributor->vertices_in, {1, 1, 4});
  simulator.connect(interpolator->quads_out, work_distributor->quads_in, {1, rops, 4 * rops});
  // The slots are the reorder buffer.
  simulator.connect(work_distributor->entries_out, reorder_buffer->entries_in,
                    {1, entries, config.reorder_buffer.entries});
  for (unsigned i = 0; i < config.gpu.shader_units; i++) {
    simulator.connect(work_distributor->vertices_out[i], shader[i]->vertices_in, {1, 1, inputs});
    simulator.connect(work_distributor->fragments_out[i], shader[i]->fragments_in, {1, 1, inputs});
    simulator.connect(shader[i]->vertices_out, streamer->shaded_in[i], {1, 1, 2});
    simulator.connect(shader[i]->quads_out, reorder_buffer->quads_in[i], {1, 1, 4});
    simulator.connect(shader[i]->texture_out, texture[i]->jobs_in, {1, 1, 4});
    simulator.connect(texture[i]->jobs_out, shader[i]->texture_in, {1, 1, 4});
  }
}

// In the order of Units::clients.
void Machine::Units::connect_memory() {
  const WireSpec bus = queue_behind(config.wires.memory_latency, config.wires.memory_queue);
  unsigned next = 0;
  const auto client = [&](engine::Out<parts::MemoryRequest>& out, engine::In<parts::MemoryReply>& in) {
    simulator.connect(out, memory_controller->requests[next], bus);
    simulator.connect(memory_controller->replies[next], in, bus);
    next++;
  };
  client(command_processor->memory_out, command_processor->memory_in);
  client(constant_loader->memory_out, constant_loader->memory_in);
  client(copy_engine->memory_out, copy_engine->memory_in);
  client(streamer->index_memory_out, streamer->index_memory_in);
  client(streamer->memory_out, streamer->memory_in);
  client(dac->memory_out, dac->memory_in);
  for (unsigned i = 0; i < config.gpu.rop_units; i++) {
    client(z_stencil[i]->memory_out, z_stencil[i]->memory_in);
    client(color_write[i]->memory_out, color_write[i]->memory_in);
  }
  for (boxes::TextureUnit* unit : texture) client(unit->memory_out, unit->memory_in);
  CUTAWAY_CHECK(next == clients.size());
}

// In the order of the caches given to the command processor.
void Machine::Units::connect_control() {
  size_t next = 0;
  const auto unit = [&](auto& box) {
    boxes::CommandProcessor::ControlPort& port = *command_processor->control[next++];
    simulator.connect(port.out, box.control_in, kOrder);
    simulator.connect(box.control_out, port.in, kOrder);
  };
  unit(*streamer);
  unit(*hierarchical_z);
  for (boxes::ZStencil* box : z_stencil) unit(*box);
  for (boxes::ColorWrite* box : color_write) unit(*box);
  for (boxes::TextureUnit* box : texture) unit(*box);
  CUTAWAY_CHECK(next == command_processor->control.size());
}

}  // namespace cutaway::machine
