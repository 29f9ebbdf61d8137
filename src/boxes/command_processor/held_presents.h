#pragma once

#include "arch/context_space.h"
#include "arch/surface.h"
#include "boxes/command_processor/memory_use.h"
#include "messages/commands.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// On a machine of several contexts: a picture of each context that waits until the display has room for it.
// It needs no unit, so others use the GPU meanwhile; its submission ends when the display has it.
class HeldPresents {
 public:
  struct Held {
    arch::ContextId context = 0;
    arch::Surface surface;  // in memory
    messages::Origin origin;
    uint32_t piece = 0;  // of the list of work, see WorkBook
  };

  bool any() const { return !held_.empty(); }
  bool holds(arch::ContextId context) const {
    for (uint32_t i = 0; i < held_.size(); i++)
      if (held_[i].context == context) return true;
    return false;
  }
  void push(const Held& held) { held_.push(held); }
  Held pop() { return held_.pop(); }  // the oldest

  // True if the test is for the memory of some picture.
  template <class Test>
  bool any_range(const Test& test) const {
    for (uint32_t i = 0; i < held_.size(); i++)
      if (test(range_of(held_[i].surface))) return true;
    return false;
  }

 private:
  structures::Ring<Held> held_{arch::kMostContexts};  // one of each context at most
};

}  // namespace cutaway::boxes
