#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "machine/machine.h"
#include "machine/message_things.h"
#include "run_record/timeline.h"

namespace cutaway::machine {

// The observed part of a frame, in cycles of the core's clock, which count from 1.
struct ObserverOptions {
  static constexpr uint64_t kToTheEnd = ~0ull;
  uint64_t first = 1, last = kToTheEnd;
  std::optional<run_record::Timeline::Draw> draw;  // this draw only, from its start until all of it is done,
                                                   // and of these cycles those of the window
  bool units = true;                               // records the activity of units; otherwise only messages
  uint64_t most_cycles = 1'000'000;  // a longer window is a UserError, because it would fill memory
  const char* fewer = "--timeline-cycles A..B";  // the option that makes it shorter, which the error names
  // Names of the programs that share the machine, by context; empty: it runs one. Then the window is one of
  // the run.
  std::vector<std::string> programs = {};
  // Selects things to follow; only messages that carry one are kept. Null: all things and messages.
  std::function<bool(const run_record::Timeline::Thing&)> keep;
};

// Observes a machine from outside after every instant, and records the activity of its units and the
// messages. A message stays in its wire until an instant after the send, so none is missed, and the machine
// itself contains no code for it.
class Observer {
 public:
  // Observes from now on. The frame began after the core's cycle `start`; none: now. The machine must keep a
  // list of its work (MachineOptions).
  Observer(Machine& machine, ObserverOptions options, std::optional<engine::Cycle> start = {});
  ~Observer();  // ends the observation
  Observer(const Observer&) = delete;

  // Ends the window. Call at the end of the frame, or earlier if the window extends to the end. UserError:
  // the window is not within the frame, or too long.
  run_record::Timeline take(uint64_t frame);
  uint64_t cycles() const { return cycle(); }  // of the frame so far

 private:
  void look();
  bool draw_began();
  void open();
  void close();
  void look_at_units(uint64_t time);
  void look_at_wires(uint64_t time);
  void note_message(size_t wire, uint64_t number, uint64_t sent);
  void count_traffic();
  void list_works();
  void list_turns();
  void look_at_hosts(uint64_t time);
  uint64_t cycle() const { return core_.now() - start_; }
  uint64_t relative(uint64_t time) const { return time - start_ * core_.period(); }

  struct WireState {
    const engine::Port* sender = nullptr;
    uint64_t sent = 0, taken = 0;
    std::deque<uint32_t> under_way;  // indices into Timeline::messages, or kLeftOut
  };
  static constexpr uint32_t kLeftOut = ~0u;
  static constexpr uint64_t kTrafficCycles = 64;  // cycles between samples of the memory controller

  Machine& machine_;
  ObserverOptions options_;
  engine::Simulator& simulator_;
  const engine::Domain& core_;
  uint64_t start_;  // the core's cycle before the frame's first
  run_record::Timeline timeline_;
  MessageThings things_;
  std::vector<WireState> wires_;
  std::vector<ClientTraffic> traffic_before_;
  size_t works_seen_;
  size_t turns_seen_ = 0;
  // By context: the index of its host's slice that goes on; none: it is done.
  std::vector<std::optional<size_t>> host_slices_;
  std::optional<uint32_t> work_;  // the draw's work
  uint64_t looked_ = 0, next_traffic_ = 0;
  bool is_open_ = false, was_open_ = false;
};

}  // namespace cutaway::machine
