// The units between the others and memory: caches of the second level, the translation of addresses, the
// memory controller, the bus and the host. composition.cpp makes those before them.
#include "boxes/bus/bus.h"
#include "boxes/host/host.h"
#include "machine/wiring.h"

namespace cutaway::machine {

using boxes::ClientGroup;
using engine::WireSpec;

// Makes a slice of the second-level texture cache, between memory and all texture units, or one of them.
void Machine::Units::make_texture_cache(unsigned slice) {
  const std::string name = fmt::format("texture_cache{}", slice);
  const bool is_private = config.texture_cache.is_private;
  const size_t first = is_private ? slice : 0, end = is_private ? slice + 1 : texture.size();
  const unsigned part = is_private ? 0 : slice;
  auto* cache = texture_cache.emplace_back(make<boxes::TextureCache>(
      name, config.texture_cache, part, static_cast<unsigned>(end - first), config.texture.grain()));
  clients.add({name, ClientGroup::kTexture, &cache->memory_out, &cache->memory_in});
  connect_control(*cache, arch::kCacheTexture);
  for (size_t i = first; i < end; i++) {
    simulator.connect(texture[i]->memory_out[part], cache->requests_in[i - first],
                      queue_behind(1, config.texture_cache.queue));
    simulator.connect(cache->replies_out[i - first], texture[i]->memory_in[part], {1, 1, 4});
  }
}

// Makes a slice of the storage cache, between the shader units that store and memory.
void Machine::Units::make_storage_cache(unsigned slice) {
  const std::string name = fmt::format("storage_cache{}", slice);
  auto* cache = storage_cache.emplace_back(make<boxes::StorageCache>(
      name, config.storage_cache, slice, static_cast<unsigned>(storing_units_.size())));
  clients.add({name, ClientGroup::kStorage, &cache->memory_out, &cache->memory_in});
  connect_control(*cache, arch::kCacheStorage);
  for (size_t i = 0; i < storing_units_.size(); i++) {
    simulator.connect(storing_units_[i]->storage_out[slice], cache->requests_in[i],
                      queue_behind(1, config.storage_cache.queue));
    simulator.connect(cache->replies_out[i], storing_units_[i]->storage_in[slice], {1, 1, 4});
  }
}

// Makes the translation of addresses, between the clients and the memory controller, with its own client that
// reads the page table.
void Machine::Units::make_address_translation() {
  const boxes::AddressTranslationSpec& spec = config.translation;
  page_table.emplace(spec.pages);
  page_table->update(memory);
  clients.align_own();
  address_translation = &simulator.add<boxes::AddressTranslation>(*memory_clock, "gpu.address_translation",
                                                                  spec, clients.groups(), clients.own_end());
  for (const auto& [group, name] : boxes::kClientGroupNames)
    if (address_translation->has(group))
      simulator.counters().add(fmt::format("gpu.address_translation.{}", name),
                               address_translation->tlb_counters(group));
  clients.translate(*address_translation, spec.latency, config.wires, simulator);
  clients.add({"page_walker", ClientGroup::kCommands, &address_translation->memory_out,
               &address_translation->memory_in});
}

// Makes the memory controller, with a bus to and from each client. Clients in a ROP partition have their own
// channels.
void Machine::Units::make_memory_controller() {
  const auto count = static_cast<unsigned>(clients.all().size());
  memory_controller = &simulator.add<boxes::MemoryController>(*memory_clock, "gpu.memory_controller",
                                                              config.memory, count, memory);
  for (unsigned i = 0; i < config.memory.channels; i++)
    simulator.counters().add(fmt::format("gpu.memory_controller.channel{}", i),
                             memory_controller->channel_counters(i));
  const WireSpec order = queue_behind(config.wires.memory_latency, 1);
  simulator.connect(copy_engine->clears_out, memory_controller->clears_in, order);
  simulator.connect(memory_controller->cleared_out, copy_engine->cleared_in, order);
  simulator.counters().add("gpu.memory_controller.tags", memory_controller->tags().counters);
  memory_controller->clear_client = clear_client_;
  if (page_table) {
    memory_controller->stand_behind_translation();
    memory_controller->give_own(count - 1, clients.own_end(), page_table->bytes());
  }
  clients.connect(*memory_controller, config.rop.channels_each, config.wires, simulator);
}

// Lets the command processor bind memory clients to a context: where their requests arrive first, and in the
// memory controller, which clears by the copy engine's addresses.
void Machine::Units::connect_contexts() {
  const WireSpec order = queue_behind(config.wires.memory_latency, 1);
  engine::Out<messages::BindContext>* binds = &command_processor->bind_out;
  const auto through = [&](structures::BoundContext& context) {
    context.connected();
    simulator.connect(*binds, context.in, order);
    binds = &context.out;
  };
  if (address_translation) through(address_translation->context);
  through(memory_controller->context);
  simulator.connect(*binds, command_processor->bound_in, order);
  simulator.counters().add("gpu.command_processor", command_processor->switch_counters());
  simulator.counters().add("gpu.command_processor", command_processor->preemption_counters());
}

// Makes the bus to the host, between the memory controller and system memory.
void Machine::Units::make_bus() {
  bus = &simulator.add<boxes::Bus>(*bus_clock, "gpu.bus", config.bus, memory);
  memory_controller->reach_system_memory(config.bus.memory == boxes::BusMemory::kAll);
  simulator.connect(memory_controller->bus_out, bus->requests_in, kQueued);
  simulator.connect(bus->replies_out, memory_controller->bus_in, kQueued);
  simulator.connect(bus->doorbells_out, command_processor->doorbells_in, kOrder);
}

// Makes the host, which is told what to do from outside.
void Machine::Units::make_host() {
  const unsigned programs = config.command_processor.contexts;
  host = make<boxes::Host>("host", config.host, config.gpu.core_mhz, config.command_processor.presents,
                           programs);
  for (unsigned i = 0; i < programs; i++)
    simulator.counters().add(several() ? fmt::format("gpu.host.program{}", i) : "gpu.host",
                             host->program(i).counters);
  if (bus) {
    bus->carries_fences = host->behind_bus = true;
    simulator.connect(command_processor->fences_out, bus->fences_in, kOrder);
    simulator.connect(bus->fences_out, host->fences_in, kOrder);
  } else {
    simulator.connect(command_processor->fences_out, host->fences_in, kOrder);
  }
  simulator.connect(dac->shown_out, host->shown_in, kOrder);
}

}  // namespace cutaway::machine
