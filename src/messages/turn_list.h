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
  void add(const run_record::SwitchRecord& one) { record_.switches.push_back(one); }
  // The machine is stopped: the turn that is under way ends.
  void stop(engine::Cycle now) {
    if (under_way_) close(now, run_record::TurnRecord::End::kStopped);
  }

  const run_record::TurnsRecord& record() const { return record_; }

 private:
  void close(engine::Cycle now, run_record::TurnRecord::End how) {
    record_.turns.back().end = now;
    record_.turns.back().how = how;
    under_way_ = false;
  }

  run_record::TurnsRecord record_;
  bool under_way_ = false;
};

}  // namespace cutaway::messages
