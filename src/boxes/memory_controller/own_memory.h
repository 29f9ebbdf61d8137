#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arch/memory.h"
#include "boxes/memory_controller/block_tags.h"
#include "messages/memory_message.h"

namespace cutaway::boxes {

// Memory of the machine's own that some clients of a memory controller have, each apart from the others'. No
// context can address it, and it is never cleared by tags or compressed.
class OwnMemory {
 public:
  explicit OwnMemory(unsigned clients) : parts_(clients) {}

  // Restricts a client to `bytes` zeros, from address `first` on.
  void give(unsigned client, arch::Address first, uint64_t bytes);
  // The same, with bytes that others write between cycles: they outlive this memory, and may grow.
  void give(unsigned client, arch::Address first, std::vector<std::byte>& bytes);

  // True if the client was given memory, so that all of its requests are for it.
  bool serves(unsigned client) const { return parts_[client].bytes != nullptr; }

  // Performs a request of a client that has memory, and returns its sector as transferred. Fails a check if
  // the sector is not in the client's memory.
  BlockTags::Transfers act(unsigned client, const messages::MemoryRequest& request,
                           messages::MemoryReply& reply);

 private:
  struct Part {
    arch::Address first = 0;
    std::vector<std::byte>* bytes = nullptr;  // null: the client has none
    std::vector<std::byte> kept = {};         // where they are, if nobody else has them
  };
  std::vector<Part> parts_;  // by client
};

}  // namespace cutaway::boxes
