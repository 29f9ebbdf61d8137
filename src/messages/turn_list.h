#pragma once

#include "engine/domain.h"
#include "run_record/turn_record.h"

namespace cutaway::messages {

// The turns of the contexts that share a GPU, and the switches between them, as the command processor tells
// them. On a machine of one context it stays empty.
class TurnList {
 public:
  void begin(engine::Cycle now, uint32_t context, uint64_t submission, uint64_t restored_bytes) {
    record_.turns.push_back(
        {.context = context, .submission = submission, .began = now, .restored_bytes = restored_bytes});
    under_way_ = true;
  }
  void end(engine::Cycle now) { close(now, run_record::TurnRecord::End::kEnded); }
  void suspend(engine::Cycle now, uint64_t drain_cycles) {
    close(now, run_record::TurnRecord::End::kSuspended);
    record_.turns.back().drain_cycles = drain_cycles;
  }
  void begin_switch(engine::Cycle now, uint32_t from, uint32_t to) {
    record_.switches.push_back({.from = from, .to = to, .began = now});
    switches_ = true;
  }
  // Its terms so far. No effect once the list has been cleared.
  void count_switch(uint64_t flush_cycles, uint64_t invalidate_cycles, uint64_t bind_cycles) {
    if (!switches_) return;
    run_record::SwitchRecord& one = record_.switches.back();
    one.flush_cycles = flush_cycles, one.invalidate_cycles = invalidate_cycles, one.bind_cycles = bind_cycles;
  }
  void end_switch(engine::Cycle now) { close_switch(now, true); }
  // The machine is stopped: the turn or the switch that is under way ends.
  void stop(engine::Cycle now) {
    if (under_way_) close(now, run_record::TurnRecord::End::kStopped);
    close_switch(now, false);
  }

  const run_record::TurnsRecord& record() const { return record_; }

 private:
  void close(engine::Cycle now, run_record::TurnRecord::End how) {
    record_.turns.back().end = now;
    record_.turns.back().how = how;
    under_way_ = false;
  }
  void close_switch(engine::Cycle now, bool whole) {
    if (!switches_) return;
    record_.switches.back().end = now;
    record_.switches.back().whole = whole;
    switches_ = false;
  }

  run_record::TurnsRecord record_;
  bool under_way_ = false;  // a turn
  bool switches_ = false;   // a switch is under way
};

}  // namespace cutaway::messages
