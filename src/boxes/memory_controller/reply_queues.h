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
        ready_(clients, engine::kAsleep),
        under_way_(clients) {
    for (auto& queue : direct_) queue.reset(room);
    if (!crossbar) return;
    for (auto& queue : crossing_) queue.reset(room);
  }

  bool has_room(unsigned client) const { return under_way_[client] < room_; }
  void accept(unsigned client) { under_way_[client]++; }
  bool under_way(unsigned client) const { return under_way_[client] != 0; }

  // Adds a reply, for the caller to fill in before it calls book().
  Reply& push(unsigned client, bool crosses) {
    auto& queue = crosses ? crossing_[client] : direct_[client];
    const Cycle before = queue.empty() ? 0 : queue.back().ready;
    Reply& reply = queue.push();
    reply.ready = before;
    waiting_.insert(client);
    return reply;
  }
  // The reply that push() returned is ready in cycle `ready`, but not before those before it on its path.
  void book(unsigned client, Reply& reply, Cycle ready = 0) {
    reply.ready = std::max(reply.ready, ready);
    ready_[client] = std::min(ready_[client], reply.ready);
    earliest_ = std::min(earliest_, reply.ready);
  }

  // The client's reply that is ready first. Not while it has none.
  const Reply& front(unsigned client) { return next(client).front(); }
  void drop(unsigned client) {
    next(client).drop();
    const bool none = direct_[client].empty() && crossing_[client].empty();
    if (none) waiting_.erase(client);
    ready_[client] = none ? engine::kAsleep : front(client).ready;
    under_way_[client]--;
  }
  // Calls answer(client) for each client with a reply that is ready, in rising order; it may drop that reply.
  // Returns the next cycle in which another reply is ready.
  template <class Answer>
  Cycle answer_ready(Cycle now, const Answer& answer) {
    if (earliest_ > now) return earliest_;
    Cycle later = engine::kAsleep;
    earliest_ = engine::kAsleep;
    waiting_.for_each([&](uint32_t client) {
      if (ready_[client] <= now) answer(client);
      earliest_ = std::min(earliest_, ready_[client]);
      if (ready_[client] > now) later = std::min(later, ready_[client]);
    });
    return later;
  }
  // A client with a reply that is ready; structures::IndexSet::kNone: there is none.
  uint32_t stuck(Cycle now) const {
    if (earliest_ > now) return structures::IndexSet::kNone;
    return waiting_.find_round(0, [&](uint32_t client) { return ready_[client] <= now; });
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
  std::vector<Cycle> ready_;          // by client: when its first reply is ready; kAsleep: it has none
  Cycle earliest_ = engine::kAsleep;  // of these
  std::vector<uint32_t> under_way_;   // by client
};

}  // namespace cutaway::boxes
