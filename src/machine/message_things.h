#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <tuple>

#include "base/timeline.h"
#include "engine/wire.h"

namespace cutaway::machine {

// Tells what messages carry: vertices, primitives, tiles, quads, transactions with memory. A thing gets its
// place in Timeline::things when it is first seen, and is known again in whatever message it travels.
class MessageThings {
 public:
  using Thing = Timeline::Thing;
  // keep: things of no interest are left out; null: all are kept.
  MessageThings(Timeline& timeline, std::function<bool(const Thing&)> keep);

  // Appends to Timeline::carried what a message carries that is on its way: by its number on the wire that
  // begins at this port. Each message once, in the order in which they are sent.
  void read(const engine::Port& sender, uint64_t number);

  // For those who read a type of message:
  void add(Thing thing);
  void add_request(const engine::Port& sender, uint32_t tag, Thing thing);
  void add_reply(const engine::Port& sender, uint32_t tag);
  // Vertices of a group are those of this draw until the payload is another's.
  void name_group(const void* group, uint32_t submission, uint32_t draw);
  bool group(const void* group, uint32_t& submission, uint32_t& draw) const;

 private:
  using Key = std::tuple<Thing::Kind, uint32_t, uint32_t, uint64_t, int32_t, int32_t>;
  using Client = std::tuple<const engine::Box*, std::string, uint32_t>;  // who serves, whom, tag
  static Key key_of(const Thing& thing);

  Timeline& timeline_;
  std::function<bool(const Thing&)> keep_;
  std::map<Key, uint32_t> places_;
  std::map<const void*, std::pair<uint32_t, uint32_t>> groups_;
  static constexpr uint32_t kLeftOut = ~0u;
  std::map<Client, std::deque<uint32_t>> requests_;  // that have no reply yet, the oldest first
};

}  // namespace cutaway::machine
