#pragma once

#include <cstdint>

#include "base/policy.h"

namespace cutaway::boxes {

// How the units keep the kinds of state that have this way, for draws under way that differ in it (DX-2).
// Each policy is a file of this folder. Counts are blocks of 64 bytes of all these kinds together.
class StateWay {
 public:
  virtual ~StateWay() = default;
  // True if there is room for a draw of which `changed` blocks differ from the draw before it. There is if no
  // draw is under way.
  virtual bool room(unsigned changed) const = 0;
  // Such a draw leaves. It holds what is returned until release(); draws may be released in any order.
  virtual uint32_t take(unsigned changed) = 0;
  virtual void release(uint32_t held) = 0;
  // True if nothing is kept: each draw carries all that has been set.
  virtual bool travels() const { return false; }
  // Bytes in the units for kinds of `bytes` altogether.
  virtual uint64_t storage(uint64_t bytes) const = 0;
};

// Policies are made with the number of versions and of spare blocks.
struct StateWays : PolicyFamily<StateWays, StateWay, unsigned, unsigned> {};

}  // namespace cutaway::boxes
