#pragma once

#include <vector>

#include "arch/context_space.h"
#include "base/error.h"
#include "engine/wire.h"
#include "messages/context_message.h"
#include "messages/memory_message.h"

namespace cutaway::structures {

// The context that memory clients are bound to, where their requests arrive: requests name addresses of
// programs, and lie in the bound context's part of memory. Some clients name places in memory themselves.
class BoundContext {
 public:
  explicit BoundContext(size_t clients) : follows_(clients, true) {}

  engine::In<messages::BindContext> in;  // not connected on a machine of one context
  engine::Out<messages::BindContext> out;

  void connected() { on_ = true; }  // before the first cycle
  bool on() const { return on_; }
  // The client names places in memory: the display, and clients with memory of their own.
  void exempt(unsigned client) { follows_[client] = false; }

  arch::Address base() const { return base_; }  // where the bound context's part begins
  // The place in memory that a client's address names.
  arch::Address place(unsigned client, arch::Address address) const {
    return on_ && follows_[client] ? arch::place_in(arch::context_of(base_), address) : address;
  }

  // Takes an order to bind, and passes it on. requests: of the clients, of which none may be under way.
  bool take(engine::Cycle now, engine::Inputs<messages::MemoryRequest>& requests) {
    if (!on_ || !in.peek(now) || !out.ready(now)) return false;
    requests.for_filled([&](unsigned client) {
      CUTAWAY_CHECK(!follows_[client], "client {} has requests under way in the context before", client);
    });
    base_ = in.take(now).base;
    out.send(now, {base_});
    return true;
  }

 private:
  bool on_ = false;
  arch::Address base_ = 0;
  std::vector<bool> follows_;  // by client
};

}  // namespace cutaway::structures
