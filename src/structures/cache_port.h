#pragma once

#include <vector>

#include "base/in_round.h"
#include "engine/wire.h"
#include "messages/messages.h"
#include "structures/cache.h"
#include "structures/interleave.h"

// What every box with a cache does with its ports. Each returns whether anything changed.
namespace cutaway::structures {

// One reply from memory.
inline bool take_reply(engine::Cycle now, Cache& cache, engine::In<messages::MemoryReply>& in) {
  const messages::MemoryReply* reply = in.peek(now);
  if (!reply) return false;
  cache.reply(*reply);
  in.drop(now);
  return true;
}

// One request to memory.
inline bool send_request(engine::Cycle now, Cache& cache, engine::Out<messages::MemoryRequest>& out) {
  if (!cache.has_request() || !out.ready(now)) return false;
  out.send(now, cache.request());
  cache.pop_request();
  return true;
}

// The same of a slice, whose cache knows its lines by their addresses among its own: `interleave` says which
// these are in memory.
inline bool send_request(engine::Cycle now, Cache& cache, engine::Out<messages::MemoryRequest>& out,
                         const Interleave& interleave, unsigned slice) {
  if (!cache.has_request() || !out.ready(now)) return false;
  messages::MemoryRequest request = cache.request();
  request.address = interleave.whole(request.address, slice);
  out.send(now, request);
  cache.pop_request();
  return true;
}

// Which of several ports has a message, the one at `turn` first.
struct PortInTurn {
  unsigned port = 0;
  bool any = false;        // one has
  bool contended = false;  // so has another
};
template <class Message>
PortInTurn port_in_turn(engine::Cycle now, const engine::Inputs<Message>& ports, unsigned turn) {
  const auto count = static_cast<unsigned>(ports.size());
  PortInTurn found;
  if (!ports.any_filled()) return found;
  for (unsigned i = 0; i < count && !found.contended; i++) {
    const unsigned port = in_round(turn, i, count);
    if (!ports[port].peek(now)) continue;
    found.contended = found.any;
    if (!found.any) found.port = port, found.any = true;
  }
  return found;
}

// A flush or an invalidate, or before a clear both, while nothing is under way in the box. A flush goes on
// over many cycles and is answered when all its writes have been.
inline bool obey_control(engine::Cycle now, Cache& cache, engine::In<messages::Control>& in,
                         engine::Out<messages::ControlDone>& out) {
  const messages::Control* order = in.peek(now);
  if (!order || !out.ready(now)) return false;
  if (order->kind != messages::Control::Kind::kInvalidate) {
    const bool had_request = cache.has_request();
    if (!cache.flush(order->origin)) return cache.has_request() && !had_request;
  }
  if (order->kind != messages::Control::Kind::kFlush) {
    if (!cache.idle()) return false;
    cache.invalidate();
  }
  out.send(now, {order->kind});
  in.drop(now);
  return true;
}

}  // namespace cutaway::structures
