// The machine's units, in the order of the data flow. Each is made in one place, with its memory client, its
// caches, and its wires to units made earlier. Wires are given as latency in receiver cycles, messages per
// cycle, and slots: messages in flight or waiting at the receiver. A queue of n entries behind a latency of l
// is a wire with n + l slots, so that it fills while data is in flight.
#include "boxes/group_fifo/group_fifo.h"
#include "boxes/texture_arbiter/texture_arbiter.h"
#include "boxes/triangle_setup/triangle_setup.h"
#include "machine/wiring.h"

namespace cutaway::machine {

using boxes::ClientGroup;

void Machine::Units::make_boxes() {
  make_command_processor();
  make_constant_loader();
  make_copy_engine();
  for (unsigned i = 0; i < config.geometry.units; i++) make_streamer(i);
  for (unsigned i = 0; i < config.geometry.units; i++) make_assembly(i);
  if (config.stream_out.units) make_stream_out();
  for (unsigned i = 0; i < config.geometry.units; i++) make_setup(i);
  for (unsigned i = 0; i < config.fragment_generation.units; i++) make_rasteriser(i);
  interpolator = make<boxes::Interpolator>("interpolator", config.interpolator, config.rop.units,
                                           config.runs(arch::Stage::kFragment).topology.units, pools,
                                           config.fragment_generation.tile_map());
  if (config.interpolator.pulls)
    simulator.counters().add("gpu.interpolator.pull", interpolator->pull_counters);
  if (config.interpolator.sorts())
    simulator.counters().add("gpu.interpolator.sorter", interpolator->sorter_counters);
  make_work_distributor();
  make_compute_distributor();
  make_dac();
  for (unsigned i = 0; i < config.rop.units; i++) make_reorder_buffer(i);
  for (unsigned i = 0; i < config.rop.units; i++) make_rop(i);
  for (boxes::ZStencil* box : z_stencil) connect_control(*box, arch::kCacheDepth);
  for (boxes::ColorWrite* box : color_write) connect_control(*box, arch::kCacheColor);
  for (Class& c : classes) make_shaders(c);
  for (Class& c : classes)
    for (unsigned i = 0; i < c.shader->topology.units / c.shader->topology.units_per_texture; i++)
      make_texture(c, i);
  for (unsigned i = 0; i < config.texture_cache.slices; i++) make_texture_cache(i);
  if (!storing_units_.empty())
    for (unsigned i = 0; i < config.storage_cache.slices; i++) make_storage_cache(i);
  if (config.translation.present()) make_address_translation();
  make_memory_controller();
  if (several()) connect_contexts();
  if (config.bus.present()) make_bus();
  if (config.host.present()) make_host();
}

void Machine::Units::make_command_processor() {
  // Programs of stages that no unit runs are still loaded and checked.
  command_stream::ByStage<unsigned> lanes(config.runs(arch::Stage::kFragment).unit.group_lanes);
  // The units of a class share program memory.
  command_stream::ByStage<unsigned> memories(0u);
  std::vector<const ShaderClass*> classes_of_programs;
  for (const arch::Stage stage :
       {arch::Stage::kFragment, arch::Stage::kVertex, arch::Stage::kTessControl, arch::Stage::kTessEvaluation,
        arch::Stage::kGeometry, arch::Stage::kCompute}) {
    const ShaderClass* shader = config.class_of(stage);
    if (!shader) continue;
    lanes[stage] = shader->unit.group_lanes;
    const auto known = std::find(classes_of_programs.begin(), classes_of_programs.end(), shader);
    memories[stage] = static_cast<unsigned>(known - classes_of_programs.begin());
    if (known == classes_of_programs.end()) classes_of_programs.push_back(shader);
  }
  command_processor = make<boxes::CommandProcessor>("command_processor", config.command_processor,
                                                    config.rop.units, config.front_ends(), lanes, memories,
                                                    config.z_stencil.write_order, config.gpu.core_mhz);
  command_processor->abilities = config.abilities();
  command_processor->host_link.has_bus = config.bus.present();
  command_processor->host_link.tells_host = config.host.present();
  if (config.command_processor.compute_queue)
    simulator.counters().add("gpu.command_processor", command_processor->queue_counters());
  clients.add({"command_processor", ClientGroup::kCommands, &command_processor->memory_out,
               &command_processor->memory_in});
}

void Machine::Units::make_constant_loader() {
  constant_loader = make<boxes::ConstantLoader>("constant_loader", config.constant_loader);
  clients.add(
      {"constant_loader", ClientGroup::kCommands, &constant_loader->memory_out, &constant_loader->memory_in});
  simulator.connect(command_processor->loader_out, constant_loader->commands_in, {1, 1, 4});
  simulator.connect(constant_loader->blocks_out, command_processor->loader_in, {1, 1, 4});
}

void Machine::Units::make_copy_engine() {
  copy_engine = make<boxes::CopyEngine>(
      "copy_engine", config.copy_engine,
      boxes::CopyEngine::FastClears{config.color_write.fast_clear, config.z_stencil.fast_clear});
  clear_client_ =
      clients.add({"copy_engine", ClientGroup::kCommands, &copy_engine->memory_out, &copy_engine->memory_in});
  simulator.connect(command_processor->copy_out, copy_engine->commands_in, {1, 1, 4});
  simulator.connect(copy_engine->done_out, command_processor->copy_in, kOrder);
}

void Machine::Units::make_work_distributor() {
  const unsigned rops = config.rop.units;
  const ShaderClass& fragments = config.runs(arch::Stage::kFragment);
  const ShaderClassSpec& topology = fragments.topology;
  work_distributor = make<boxes::WorkDistributor>(
      "work_distributor", config.work_distributor,
      static_cast<unsigned>(streamer.size() + 2 * tessellation.size() + geometry_shading.size()),
      config.runs(arch::Stage::kVertex).topology.units, topology.units / topology.units_per_cluster,
      fragments.unit.group_lanes, config.rop.units, pools, topology.units_per_cluster);
  for (size_t f = 0; f < streamer.size(); f++)
    simulator.connect(streamer[f]->groups_out, work_distributor->vertices_in[f],
                      {1, config.streamer.vertices_per_cycle, config.wires.vertex_group_queue});
  size_t source = streamer.size();
  const auto groups_from = [&](engine::Out<messages::VertexGroup>& groups) {
    simulator.connect(groups, work_distributor->vertices_in[source++], {1, 1, 4});
  };
  for (boxes::Tessellation* box : tessellation)
    groups_from(box->patch_groups_out), groups_from(box->point_groups_out);
  for (boxes::GeometryShading* box : geometry_shading) groups_from(box->groups_out);
  simulator.connect(interpolator->quads_out, work_distributor->quads_in, {1, rops, 4 * rops});
}

void Machine::Units::make_compute_distributor() {
  const ShaderClass* shader = config.class_of(arch::Stage::kCompute);
  if (!shader) return;
  compute_distributor = make<boxes::ComputeDistributor>("compute_distributor", config.compute_distributor,
                                                        shader->topology.units);
  simulator.connect(command_processor->dispatch_out, compute_distributor->dispatches_in, {1, 1, 4});
  simulator.connect(compute_distributor->done_out, command_processor->dispatch_done, kOrder);
}

void Machine::Units::make_reorder_buffer(unsigned rop) {
  const unsigned entries = config.work_distributor.quads_per_cycle + 1;  // a draw end may come in addition
  reorder_buffer.push_back(make<boxes::ReorderBuffer>(
      fmt::format("reorder_buffer{}", rop), config.reorder_buffer,
      config.runs(arch::Stage::kFragment).topology.units, config.z_stencil.counts_quads()));
  // The slots are the reorder buffer.
  simulator.connect(work_distributor->entries_out[rop], reorder_buffer[rop]->entries_in,
                    {1, entries, config.reorder_buffer.entries});
  if (rop != 0) return;
  // The longest wait is for shading: primitives for which triangle setup waits, and vertices for whose
  // primitives it waits, are held until then.
  for (boxes::TriangleSetup* setup : triangle_setup)
    simulator.connect(setup->storage, reorder_buffer[rop]->entries_in);
  for (boxes::Streamer* vertices : streamer)
    simulator.connect(vertices->storage, reorder_buffer[rop]->entries_in);
  for (boxes::Tessellation* points : tessellation)
    simulator.connect(points->storage, reorder_buffer[rop]->entries_in);
  for (boxes::GeometryShading* emitted : geometry_shading)
    simulator.connect(emitted->storage, reorder_buffer[rop]->entries_in);
}

void Machine::Units::make_dac() {
  dac = make<boxes::Dac>("dac", config.dac, config.gpu.core_mhz, config.host.present());
  // The command processor tells it where in memory a surface lies.
  clients.add({.name = "dac",
               .group = ClientGroup::kDisplay,
               .requests = &dac->memory_out,
               .replies = &dac->memory_in,
               .places = true});
  simulator.connect(command_processor->present_out, dac->presents_in,
                    {1, 1, std::max(kOrder.slots, config.command_processor.presents)});
  simulator.connect(dac->done_out, command_processor->present_in, kOrder);
  dac->on_picture = [this](arch::Picture&& picture, arch::PictureRows own, arch::ContextId context) {
    // Only modes that tear a picture may bring a part of it.
    const bool whole = own.first == 0 && own.end == picture.height;
    CUTAWAY_CHECK(!picture.width || whole || (own.first < own.end && boxes::tears(config.dac)),
                  "the display brings rows {} to {} of a picture of {}", own.first, own.end, picture.height);
    if (options.on_picture) options.on_picture(std::move(picture), own, context);
  };
}

// Makes a Z and stencil unit and a color write unit.
void Machine::Units::make_rop(unsigned i) {
  const WiresSpec& w = config.wires;
  // Both tiles of a cycle may belong to one unit.
  const unsigned quads = 16 * config.hierarchical_z.tiles_per_cycle;
  auto* z = z_stencil.emplace_back(make<boxes::ZStencil>(
      fmt::format("z_stencil{}", i), config.z_stencil, config.fragment_generation.tile_map(),
      config.interpolator.order == boxes::QuadOrder::kRasterised, config.color_write.prefetches != 0));
  clients.add({fmt::format("z_stencil{}", i), ClientGroup::kDepth, &z->memory_out, &z->memory_in, i});
  for (unsigned r = 0; r < hierarchical_z.size(); r++) {
    simulator.connect(hierarchical_z[r]->quads_out[i], z->quads_in[r],
                      queue_behind(w.hierarchical_z_latency, w.z_queue, quads));
    simulator.connect(z->updates_out[r], hierarchical_z[r]->updates_in[i], {1, 1, 4});
  }
  simulator.connect(z->quads_out, interpolator->quads_in[i],
                    queue_behind(w.z_latency, config.interpolator.queue));
  simulator.connect(reorder_buffer[i]->quads_out, z->late_in, {1, 1, 4});

  auto* color =
      color_write.emplace_back(make<boxes::ColorWrite>(fmt::format("color_write{}", i), config.color_write));
  clients.add(
      {fmt::format("color_write{}", i), ClientGroup::kColor, &color->memory_out, &color->memory_in, i});
  simulator.connect(z->late_out, color->quads_in, queue_behind(w.color_latency, 4));
  if (config.color_write.prefetches) simulator.connect(z->ahead_out, color->ahead_in, kOrder);
  simulator.connect(color->draw_done, command_processor->draw_done[i], kOrder);
}

namespace {

// Groups that wait before a unit, or before a cluster for its fragments.
unsigned waiting_groups(const boxes::ShaderUnitSpec& spec, unsigned lanes) {
  return std::max(2u, spec.input_threads / lanes);
}

// Groups of vertices, patches, points and primitives share a queue. Groups of vertices may be smaller: the
// queue holds a number of the largest groups.
unsigned waiting_vertex_groups(const ShaderClass& shader) {
  const bool others = shader.runs(arch::Stage::kTessControl) || shader.runs(arch::Stage::kGeometry);
  return waiting_groups(shader.unit,
                        others ? shader.unit.group_lanes : shader.unit.lanes_of(arch::Stage::kVertex));
}

}  // namespace

// Makes the units of a class, and their sources of vertices and fragments.
void Machine::Units::make_shaders(Class& c) {
  const ShaderClassSpec& topology = c.shader->topology;
  const unsigned inputs = waiting_vertex_groups(*c.shader);
  const boxes::StorageCacheSpec& cache = config.storage_cache;
  const boxes::StorageSlices slices{topology.stores.empty() ? 0 : cache.slices, cache.line_bytes,
                                    cache.interleaved()};
  const bool pulls = config.interpolator.pulls && c.shader->runs(arch::Stage::kFragment);
  for (unsigned i = 0; i < topology.units; i++) {
    const std::string path = fmt::format("gpu.{}{}", c.shader->name, i);
    auto* unit = c.units.emplace_back(
        &simulator.add<boxes::ShaderUnit>(*c.clock, path, c.shader->unit, topology.stages,
                                          config.geometry.units, config.rop.units, pools, slices, pulls));
    const bool computes = c.shader->runs(arch::Stage::kCompute);
    if (computes || slices.slices) simulator.counters().add(path + ".storage", unit->storage_counters);
    if (slices.slices) storing_units_.push_back(unit);
    if (pulls) {
      simulator.counters().add(path + ".pull", unit->pull_counters);
      simulator.connect(unit->pulls_out, interpolator->pulls_in[i], {1, 1, 4});
      simulator.connect(interpolator->pulls_out[i], unit->pulls_in, {1, 1, 4});
    }
    if (unit->has_l1()) connect_control(*unit, arch::kCacheStorage, false, true);
    if (computes) {
      // Few workgroups wait at a unit; the others go to the first unit with room.
      simulator.connect(compute_distributor->workgroups_out[i], unit->workgroups_in, {1, 1, 2});
      simulator.connect(unit->ended_out, compute_distributor->ended_in[i], {1, 1, 4});
    }
    if (c.shader->runs(arch::Stage::kVertex)) {
      simulator.connect(work_distributor->vertices_out[i], unit->vertices_in, {1, 1, inputs});
      if (!work_distributor->vertices_under_way.empty())
        simulator.connect(work_distributor->vertices_under_way[i], unit->vertices_in);
      for (size_t f = 0; f < streamer.size(); f++)
        simulator.connect(unit->vertices_out[f], streamer[f]->shaded_in[i], {1, 1, 2});
    }
    const bool divides = c.shader->runs(arch::Stage::kTessControl),
               emits = c.shader->runs(arch::Stage::kGeometry);
    if (divides || emits) simulator.counters().add(path + ".primitives", unit->primitive_counters);
    for (size_t f = 0; divides && f < tessellation.size(); f++) {
      simulator.connect(unit->patches_out[f], tessellation[f]->patches_in[i], {1, 1, 2});
      simulator.connect(unit->points_out[f], tessellation[f]->points_in[i], {1, 1, 2});
    }
    for (size_t f = 0; emits && f < geometry_shading.size(); f++)
      simulator.connect(unit->emitted_out[f], geometry_shading[f]->emitted_in[i], {1, 1, 2});
    if (c.shader->runs(arch::Stage::kFragment))
      for (unsigned rop = 0; rop < config.rop.units; rop++)
        simulator.connect(unit->quads_out[rop], reorder_buffer[rop]->quads_in[i], {1, 1, 4});
  }
  if (c.shader->runs(arch::Stage::kFragment))
    for (unsigned i = 0; i < topology.units / topology.units_per_cluster; i++) make_cluster(c, i);
}

// Makes the queue of fragments of a cluster: the input of its unit, or a box if there are several units.
void Machine::Units::make_cluster(Class& c, unsigned i) {
  const unsigned units = c.shader->topology.units_per_cluster;
  if (!work_distributor->fragments_under_way.empty())
    simulator.connect(work_distributor->fragments_under_way[i], c.units[i * units]->fragments_in);
  if (units == 1) {
    simulator.connect(work_distributor->fragments_out[i], c.units[i]->fragments_in,
                      {1, 1, waiting_groups(c.shader->unit, c.shader->unit.group_lanes)});
    return;
  }
  auto* fifo = make<boxes::GroupFifo>(fmt::format("group_fifo{}", i), config.group_fifo, units,
                                      config.work_distributor.tile);
  simulator.connect(work_distributor->fragments_out[i], fifo->groups_in, {1, 1, config.group_fifo.groups});
  // One group waits at each unit; the others go to the first unit with room.
  for (unsigned n = 0; n < units; n++)
    simulator.connect(fifo->groups_out[n], c.units[i * units + n]->fragments_in, {1, 1, 1});
}

// Makes a texture unit, and an arbiter before it if several shader units of a class share it.
void Machine::Units::make_texture(Class& c, unsigned i) {
  const size_t number = texture.size();
  auto* sampler = texture.emplace_back(
      make<boxes::TextureUnit>(fmt::format("texture{}", number), config.texture,
                               config.texture_cache.interleaved(), static_cast<uint32_t>(number)));
  if (!config.texture_cache.slices)
    clients.add({fmt::format("texture{}", number), ClientGroup::kTexture, &sampler->memory_out[0],
                 &sampler->memory_in[0]});
  connect_control(*sampler, arch::kCacheTexture, false, true);
  const unsigned sharers = c.shader->topology.units_per_texture;
  const unsigned quads = c.shader->unit.texture_quads;
  const engine::WireSpec wire = {1, quads, 4 * quads};
  if (sharers == 1) {
    simulator.connect(c.units[i]->texture_out, sampler->jobs_in, wire);
    simulator.connect(sampler->jobs_out, c.units[i]->texture_in, wire);
    return;
  }
  auto* arbiter = texture_arbiter.emplace_back(
      make<boxes::TextureArbiter>(fmt::format("texture_arbiter{}", texture_arbiter.size()), sharers));
  simulator.connect(arbiter->jobs_out, sampler->jobs_in, wire);
  simulator.connect(sampler->jobs_out, arbiter->results_in, wire);
  for (unsigned n = 0; n < sharers; n++) {
    boxes::ShaderUnit* unit = c.units[i * sharers + n];
    simulator.connect(unit->texture_out, arbiter->jobs_in[n], wire);
    simulator.connect(arbiter->results_out[n], unit->texture_in, wire);
  }
}

}  // namespace cutaway::machine
