#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <tuple>

#include "engine/wire.h"
#include "run_record/timeline.h"

namespace cutaway::machine {

// Extracts the things that messages carry: vertices, primitives, tiles, quads, memory transactions. A thing
// gets its index in Timeline::things at its first appearance, and is recognised in later messages.
class MessageThings {
 public:
  using Thing = run_record::Timeline::Thing;
  // keep: selects things; null: keeps all.
  MessageThings(run_record::Timeline& timeline, std::function<bool(const Thing&)> keep);

  // Appends to Timeline::carried the things of a message in flight, given by its number on the wire that
  // begins at this port. Call once per message, in send order.
  void read(const engine::Port& sender, uint64_t number);

  // Later messages are of another submission, which may have the same number: no draw was under
  // way between. requests_ stays, since the display may be reading.
  void forget() { places_.clear(); }

  // For the readers of message types:
  void add(Thing thing);
  void add_request(const engine::Port& sender, uint32_t tag, Thing thing);
  void add_reply(const engine::Port& sender, uint32_t tag);
  // Attributes vertices of a group to this draw until the payload is reused.
  void name_group(const void* group, uint32_t submission, uint32_t draw);
  bool group(const void* group, uint32_t& submission, uint32_t& draw) const;

 private:
  using Key = std::tuple<Thing::Kind, uint32_t, uint32_t, uint64_t, int32_t, int32_t>;
  using Client = std::tuple<const engine::Box*, std::string, uint32_t>;  // server, client port, tag
  static Key key_of(const Thing& thing);

  run_record::Timeline& timeline_;
  std::function<bool(const Thing&)> keep_;
  std::map<Key, uint32_t> places_;
  std::map<const void*, std::pair<uint32_t, uint32_t>> groups_;
  static constexpr uint32_t kLeftOut = ~0u;
  std::map<Client, std::deque<uint32_t>> requests_;  // requests without a reply, oldest first
};

}  // namespace cutaway::machine
