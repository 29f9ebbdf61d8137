#pragma once

#include <cstdint>
#include <vector>

#include "arch/memory.h"
#include "engine/domain.h"
#include "messages/memory_message.h"
#include "structures/index_set.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// The memory controller's way to system memory: transactions of each client wait in order for the bus, which
// serves clients in turn. It knows no clock: the controller sends, and hands replies in.
class SystemPath {
 public:
  using Cycle = engine::Cycle;

  // all: every page lies behind the bus, whatever its placement.
  SystemPath(const arch::Memory& memory, bool all, unsigned clients, unsigned queue, unsigned replies)
      : memory_(memory), all_(all), waiting_(clients), queues_(clients), pending_(clients * replies) {
    for (auto& ring : queues_) ring.reset(queue);
    for (uint32_t tag = 0; tag < pending_.size(); tag++) free_.push_back(tag);
  }

  // The machine's own memory, above all contexts' addresses, is never there. Frames behind all memory, of
  // pages without any, lie above it.
  bool holds(arch::Address address) const {
    return all_ ? address >> arch::kAddressBits != 1 : memory_.placement(address) == arch::Placement::kSystem;
  }
  // True if some page of the range lies behind the bus.
  bool holds_some(arch::Address first, uint64_t bytes) const {
    for (arch::Address page = first / arch::kPageBytes; page * arch::kPageBytes < first + bytes; page++)
      if (holds(page * arch::kPageBytes)) return true;
    return false;
  }

  bool full(unsigned client) const { return queues_[client].full(); }
  void push(unsigned client, Cycle arrived, const messages::MemoryRequest& request) {
    auto& waiting = queues_[client].push_stale();
    waiting.arrived = arrived;
    waiting.request = request;
    waiting_.insert(client);
    queued_++;
  }
  bool empty() const { return queued_ == 0; }
  uint32_t queued() const { return queued_; }

  // Takes the transaction whose turn it is, with a tag of this path's. Not while empty(). The reference is
  // valid until the next push().
  struct Taken {
    uint32_t client;
    const messages::MemoryRequest& request;
  };
  Taken take() {
    const uint32_t client = waiting_.next(turn_);
    auto& ring = queues_[client];
    Waiting& next = ring.front();
    const uint32_t tag = free_.back();
    free_.pop_back();
    pending_[tag] = {client, next.request.tag, next.request.origin.work, next.arrived};
    next.request.tag = tag;
    ring.drop_stale();
    if (ring.empty()) waiting_.erase(client);
    turn_ = client + 1 == queues_.size() ? 0 : client + 1;
    queued_--;
    return {client, next.request};
  }

  // Who waits for a reply.
  struct Pending {
    uint32_t client = 0, tag = 0;  // the client's own tag
    uint32_t work = 0;
    Cycle arrived = 0;  // at the controller
  };
  Pending end(uint32_t tag) {
    free_.push_back(tag);
    return pending_[tag];
  }

 private:
  struct Waiting {
    Cycle arrived = 0;
    messages::MemoryRequest request;
  };

  const arch::Memory& memory_;
  bool all_;
  structures::IndexSet waiting_;  // clients
  std::vector<structures::Ring<Waiting>> queues_;
  uint32_t turn_ = 0, queued_ = 0;
  std::vector<Pending> pending_;  // by tag
  std::vector<uint32_t> free_;    // tags
};

}  // namespace cutaway::boxes
