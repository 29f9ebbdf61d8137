#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/domain.h"
#include "messages/memory_message.h"
#include "structures/index_set.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// The replies of a memory controller, by client: each has a place from the acceptance of its transaction on.
// Replies that come through the crossbar and others leave in order, each kind by itself.
class ReplyQueues {
 public:
  using Cycle = engine::Cycle;
  struct Reply {
    Cycle ready = 0;
    Cycle arrived = 0;  // of the transaction, at the controller
    uint32_t work = 0;
    messages::MemoryReply reply;
  };

  // room: transactions of a client under way.
  ReplyQueues(unsigned clients, unsigned room, bool crossbar)
      : room_(room),
        direct_(clients),
        crossing_(clients),
        waiting_(std::max(clients, 1u)),
        under_way_(clients) {
    for (auto& queue : direct_) queue.reset(room);
    if (!crossbar) return;
    for (auto& queue : crossing_) queue.reset(room);
  }

  bool has_room(unsigned client) const { return under_way_[client] < room_; }
  void accept(unsigned client) { under_way_[client]++; }

  // Adds a reply that is ready when those before it on its path are.
  Reply& push(unsigned client, bool crosses) {
    auto& queue = crosses ? crossing_[client] : direct_[client];
    const Cycle before = queue.empty() ? 0 : queue.back().ready;
    Reply& reply = queue.push();
    reply.ready = before;
    waiting_.insert(client);
    return reply;
  }

  bool empty(unsigned client) const { return !waiting_.contains(client); }
  // The client's reply that is ready first. Not while empty().
  const Reply& front(unsigned client) { return next(client).front(); }
  void drop(unsigned client) {
    next(client).drop();
    if (direct_[client].empty() && crossing_[client].empty()) waiting_.erase(client);
    under_way_[client]--;
  }
  // Calls a function with each client that has replies, in rising order.
  template <class Function>
  void for_each(const Function& function) const {
    waiting_.for_each(function);
  }
  // A client with a reply that is ready; structures::IndexSet::kNone: there is none.
  uint32_t stuck(Cycle now) {
    return waiting_.find_round(0, [&](uint32_t client) { return front(client).ready <= now; });
  }
  unsigned waiting() const {
    unsigned sum = 0;
    for (const auto& queue : direct_) sum += queue.size();
    for (const auto& queue : crossing_) sum += queue.size();
    return sum;
  }

 private:
  structures::Ring<Reply>& next(unsigned client) {
    auto &direct = direct_[client], &crossing = crossing_[client];
    if (crossing.empty()) return direct;
    return direct.empty() || crossing.front().ready < direct.front().ready ? crossing : direct;
  }

  uint32_t room_;
  std::vector<structures::Ring<Reply>> direct_, crossing_;  // by client
  structures::IndexSet waiting_;                            // clients with replies
  std::vector<uint32_t> under_way_;                         // by client
};

}  // namespace cutaway::boxes
