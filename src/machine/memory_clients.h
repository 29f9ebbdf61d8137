#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/round_up.h"
#include "boxes/address_translation/address_translation.h"
#include "boxes/memory_controller/memory_controller.h"
#include "engine/simulator.h"
#include "machine/config.h"

namespace cutaway::machine {

// The memory controller's clients, numbered in the order in which they were added: their ports, and the
// memory of the machine's own that some of them have.
class MemoryClients {
 public:
  struct Client {
    std::string name;  // "texture0"
    boxes::ClientGroup group;
    engine::Out<messages::MemoryRequest>* requests;
    engine::In<messages::MemoryReply>* replies;
    std::optional<unsigned> rop = {};      // its ROP partition
    bool places = false;                   // names places in memory, not addresses of the bound context
    uint64_t own_bytes = 0;                // memory of the machine's own for this client alone; 0: none
    std::optional<unsigned> latency = {};  // of the bus to the memory controller, if not that of all
    arch::Address own = 0;                 // where that memory begins: set by add()
  };

  // Returns its number.
  unsigned add(Client client);
  const std::vector<Client>& all() const { return clients_; }
  const std::string& name(unsigned client) const { return clients_[client].name; }
  // The end of the machine's own memory so far.
  arch::Address own_end() const { return own_end_; }
  // Moves it to the next multiple of a page.
  void align_own() { own_end_ = round_up(own_end_, arch::kPageBytes); }

  std::vector<boxes::ClientGroup> groups() const;
  // Puts the translation between all clients so far and the controller.
  void translate(boxes::AddressTranslation& translation, unsigned latency, const WiresSpec& wires,
                 engine::Simulator& simulator);
  // Connects a controller made for all clients. channels_each: of a ROP partition; 0: there are none.
  void connect(boxes::MemoryController& controller, unsigned channels_each, const WiresSpec& wires,
               engine::Simulator& simulator) const;

 private:
  std::vector<Client> clients_;
  arch::Address own_end_ = boxes::MemoryController::kOwn;
};

}  // namespace cutaway::machine
