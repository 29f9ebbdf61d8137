#include "machine/units.h"

#include <algorithm>
#include <cmath>

#include "boxes/clipper/clipper.h"
#include "boxes/primitive_assembly/primitive_assembly.h"
#include "boxes/triangle_setup/triangle_setup.h"

namespace cutaway::machine {

Machine::Units::Units(const Config& config_in, const arch::Memory& memory_in, MachineOptions options_in)
    : config(config_in), options(std::move(options_in)), memory(memory_in), simulator(options.scheduler) {
  make_clocks();
  make_boxes();
  connect_front();
  connect_geometry();
  connect_fragments();
  connect_shading();
  connect_memory();
  connect_control();
  if (options.add_boxes) options.add_boxes(simulator, *core);
  simulator.elaborate();
  watch_for_faults();
  apply_faults();
  command_processor->query_values = options.query_values;
  if (options.sample_interval) simulator.sample(*core, options.sample_interval);
}

void Machine::Units::make_clocks() {
  const auto kilohertz = [](double megahertz) {
    return static_cast<uint64_t>(std::llround(megahertz * 1000));
  };
  const uint64_t frequencies[] = {kilohertz(config.gpu.core_mhz), kilohertz(config.gpu.memory_mhz)};
  const std::vector<uint64_t> periods = engine::periods_of(frequencies);
  core = &simulator.add_domain("core", periods[0]);
  memory_clock = &simulator.add_domain("memory", periods[1]);
}

void Machine::Units::make_boxes() {
  const unsigned shaders = config.gpu.shader_units, rops = config.gpu.rop_units,
                 lanes = config.shader.group_lanes;
  const auto numbered = [](const char* name, unsigned i) { return fmt::format("gpu.{}{}", name, i); };
  const auto client = [&](std::string name) { clients.push_back(std::move(name)); };

  // In the order of connect_control().
  std::vector<uint32_t> caches = {arch::kCacheVertex, arch::kCacheDepth};
  caches.insert(caches.end(), rops, arch::kCacheDepth);
  caches.insert(caches.end(), rops, arch::kCacheColor);
  caches.insert(caches.end(), shaders, arch::kCacheTexture);
  command_processor = &simulator.add<boxes::CommandProcessor>(*core, "gpu.command_processor",
                                                              config.command_processor, rops, lanes, caches);
  constant_loader =
      &simulator.add<boxes::ConstantLoader>(*core, "gpu.constant_loader", config.constant_loader);
  copy_engine = &simulator.add<boxes::CopyEngine>(*core, "gpu.copy_engine", config.copy_engine);
  streamer = &simulator.add<boxes::Streamer>(*core, "gpu.streamer", config.streamer, shaders, lanes, pools);
  primitive_assembly = &simulator.add<boxes::PrimitiveAssembly>(*core, "gpu.primitive_assembly");
  clipper = &simulator.add<boxes::Clipper>(*core, "gpu.clipper");
  triangle_setup = &simulator.add<boxes::TriangleSetup>(*core, "gpu.triangle_setup", pools);
  fragment_generation =
      &simulator.add<boxes::FragmentGeneration>(*core, "gpu.fragment_generation", config.fragment_generation);
  hierarchical_z =
      &simulator.add<boxes::HierarchicalZ>(*core, "gpu.hierarchical_z", config.hierarchical_z, rops);
  interpolator =
      &simulator.add<boxes::Interpolator>(*core, "gpu.interpolator", config.interpolator, rops, pools);
  work_distributor = &simulator.add<boxes::WorkDistributor>(*core, "gpu.work_distributor",
                                                            config.work_distributor, shaders, lanes);
  reorder_buffer =
      &simulator.add<boxes::ReorderBuffer>(*core, "gpu.reorder_buffer", config.reorder_buffer, shaders, rops);
  dac = &simulator.add<boxes::Dac>(*core, "gpu.dac", config.dac);
  for (const char* name :
       {"command_processor", "constant_loader", "copy_engine", "streamer_index", "streamer_vertex", "dac"})
    client(name);
  for (unsigned i = 0; i < rops; i++) {
    z_stencil.push_back(&simulator.add<boxes::ZStencil>(*core, numbered("z_stencil", i), config.z_stencil));
    color_write.push_back(
        &simulator.add<boxes::ColorWrite>(*core, numbered("color_write", i), config.color_write));
    client(fmt::format("z_stencil{}", i));
    client(fmt::format("color_write{}", i));
  }
  for (unsigned i = 0; i < shaders; i++) {
    shader.push_back(&simulator.add<boxes::ShaderUnit>(*core, numbered("shader", i), config.shader, pools));
    texture.push_back(&simulator.add<boxes::TextureUnit>(*core, numbered("texture", i), config.texture));
    client(fmt::format("texture{}", i));
  }
  memory_controller = &simulator.add<boxes::MemoryController>(
      *memory_clock, "gpu.memory_controller", config.memory, static_cast<unsigned>(clients.size()), memory);
  for (size_t i = 0; i < clients.size(); i++)
    simulator.counters().add("gpu.memory_controller." + clients[i], memory_controller->client_counters[i]);
  dac->on_picture = [this](arch::Picture&& picture) {
    if (options.on_picture) options.on_picture(std::move(picture));
  };
}

void Machine::Units::apply_faults() {
  if (options.faults.drop_dirty_bit) color_write[0]->cache().drop_dirty_bit(options.faults.drop_dirty_bit);
  if (options.faults.skip_texture_invalidate) command_processor->skip_invalidate = arch::kCacheTexture;
  reorder_buffer->release_in_completion_order = options.faults.release_in_completion_order;
}

void Machine::Units::note_fault(arch::Fault found) {
  if (!faulted) fault = std::move(found);
  faulted = true;
}

// Runaway programs are told of when their draw ends: until then it is known which packet it was.
void Machine::Units::watch_for_faults() {
  command_processor->fault_of_draw = [this](uint32_t draw) {
    const bool runaway =
        std::any_of(shader.begin(), shader.end(), [&](const auto* unit) { return unit->runaway(draw); });
    return runaway ? "a shader program does not end" : nullptr;
  };
}

void Machine::Units::collect_fault() {
  if (triangle_setup->fault())
    command_processor->note_fault(triangle_setup->fault_draw(), triangle_setup->fault());
  if (const arch::Fault* found = command_processor->first_fault()) note_fault(*found);
}

}  // namespace cutaway::machine
