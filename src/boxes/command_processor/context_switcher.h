#pragma once

#include "boxes/command_processor/command_parts.h"
#include "boxes/command_processor/context_switch.h"
#include "boxes/command_processor/context_turns.h"

namespace cutaway::boxes {

class CommandProcessor;

// Chooses the context whose submission is next, and switches the GPU to it. All memory ranges that the parts
// know are of the bound context.
class ContextSwitcher {
 public:
  // slice: core cycles.
  ContextSwitcher(CommandProcessor& box, CommandParts& parts, const CommandProcessorSpec& spec,
                  engine::Cycle slice)
      : turns(spec, slice), box_(box), parts_(parts) {}

  ContextTurns turns;
  ContextSwitchCounters& counters() { return switch_.counters; }
  arch::ContextId bound() const { return bound_; }
  bool switches() const { return switch_.under_way(); }

  // Between submissions, when nothing is under way. kChosen: that of turns.chosen() begins now.
  enum class Result : uint8_t { kWait, kProgress, kChosen };
  Result step(engine::Cycle now);
  // The last submission of each context that the host has announced.
  ContextTurns::Announced announced() const;
  // While no submission is executed: the display holds one's picture up.
  bool waits_for_display() const { return !switches() && turns.any_held(); }

 private:
  bool take_step(engine::Cycle now);
  void begin_switch(engine::Cycle now);
  void list_step(engine::Cycle now) const;
  void order_caches(messages::Control::Kind kind);

  CommandProcessor& box_;
  CommandParts& parts_;
  ContextSwitch switch_;
  arch::ContextId bound_ = 0;
  ContextSwitchCounters before_;  // when the latest switch began
};

}  // namespace cutaway::boxes
