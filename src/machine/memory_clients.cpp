#include "machine/memory_clients.h"

namespace cutaway::machine {
namespace {

engine::WireSpec memory_wire(const WiresSpec& wires, unsigned latency) {
  return {.latency = latency, .bandwidth = 1, .slots = wires.memory_queue + latency};
}

}  // namespace

unsigned MemoryClients::add(Client client) {
  client.own = own_end_;
  own_end_ += client.own_bytes;
  clients_.push_back(std::move(client));
  return static_cast<unsigned>(clients_.size() - 1);
}

std::vector<boxes::ClientGroup> MemoryClients::groups() const {
  std::vector<boxes::ClientGroup> groups;
  for (const Client& client : clients_) groups.push_back(client.group);
  return groups;
}

void MemoryClients::translate(boxes::AddressTranslation& translation, unsigned latency,
                              const WiresSpec& wires, engine::Simulator& simulator) {
  for (unsigned i = 0; i < clients_.size(); i++) {
    Client& client = clients_[i];
    simulator.connect(*client.requests, translation.requests_in[i], memory_wire(wires, wires.memory_latency));
    if (client.places || client.own_bytes) translation.context.exempt(i);
    client.requests = &translation.requests_out[i];
    client.latency = latency;
    client.places = true;
  }
}

void MemoryClients::connect(boxes::MemoryController& controller, unsigned channels_each,
                            const WiresSpec& wires, engine::Simulator& simulator) const {
  for (unsigned i = 0; i < clients_.size(); i++) {
    const Client& client = clients_[i];
    const std::string path = "gpu.memory_controller." + client.name;
    simulator.counters().add(path, controller.client_counters[i]);
    simulator.connect(*client.requests, controller.requests[i],
                      memory_wire(wires, client.latency.value_or(wires.memory_latency)));
    simulator.connect(controller.replies[i], *client.replies, memory_wire(wires, wires.memory_latency));
    if (client.own_bytes) controller.give_own(i, client.own, client.own_bytes);
    if (client.places) controller.context.exempt(i);
    if (!channels_each || !client.rop) continue;
    controller.put_in_partition(i, *client.rop * channels_each, channels_each);
    simulator.counters().add(path, controller.partition_counters[i]);
  }
}

}  // namespace cutaway::machine
