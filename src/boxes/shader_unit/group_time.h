#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/domain.h"
#include "messages/instruction_counts.h"

namespace cutaway::boxes {

// Where the time of a group goes, by instruction: told at the events of its life, so that a group that waits
// costs nothing.
class GroupTime {
 public:
  // counts: of its program, by instruction; null: only issue cycles are counted.
  void start(engine::Cycle now, messages::InstructionCount* counts) {
    counts_ = counts;
    at_ = 0, issue_cycles_ = 0;
    told_ = now + 1;
  }
  // Its next instruction could issue from cycle `ready` on, if its operands can be read.
  void settle(engine::Cycle ready) { ready_ = ready; }
  // Issues instruction `pc`, whose operands can be read since `operands`; the port is free again at `end`.
  void issue(engine::Cycle now, engine::Cycle operands, engine::Cycle end, uint32_t pc, uint64_t lanes) {
    issue_cycles_ += end - now;
    if (!counts_) return;
    messages::InstructionCount& count = counts_[at_ = pc];
    count.issued++;
    // Most instructions have the lanes of the one before.
    if (lanes != mask_) mask_ = lanes, lanes_ = static_cast<uint32_t>(std::popcount(lanes));
    count.lanes += lanes_;
    count.issue_cycles += end - now;
    count.waited_flow += ready_ - told_;
    count.waited_result += operands - ready_;
    count.waited_issue += now - operands;
    told_ = end;
  }
  // The instruction that was issued occupies the port until `end`, not only until `before`.
  void extend(engine::Cycle before, engine::Cycle end) {
    issue_cycles_ += end - before;
    if (!counts_) return;
    counts_[at_].issue_cycles += end - before;
    told_ = end;
  }
  // Instruction `pc` takes no time.
  void pass(uint32_t pc, uint64_t lanes) {
    if (!counts_) return;
    messages::InstructionCount& count = counts_[at_ = pc];
    count.issued++;
    count.lanes += static_cast<uint32_t>(std::popcount(lanes));
  }
  // Issues instruction `pc` in the same cycles, with the same lanes.
  void join(uint32_t pc) {
    if (!counts_) return;
    messages::InstructionCount& count = counts_[at_ = pc];
    count.issued++;
    count.lanes += lanes_;
  }
  // The last quad of its texture instruction leaves.
  void send(engine::Cycle now) { wait(now, &messages::InstructionCount::waited_send); }
  // The last answer comes.
  void answer(engine::Cycle now) { wait(now, &messages::InstructionCount::waited_texture); }
  // The group, which could have gone on with instruction `pc` from settle() on, waited up to and with cycle
  // `now` for instruction `load`: until its last quad had left, or until its last answer came.
  void send_load(engine::Cycle now, uint32_t pc, uint32_t load) {
    wait_for_load(now, pc, load, &messages::InstructionCount::waited_send);
  }
  void answer_load(engine::Cycle now, uint32_t pc, uint32_t load) {
    wait_for_load(now, pc, load, &messages::InstructionCount::waited_texture);
  }
  // The last of its results leaves, which could leave since `drained`.
  void leave(engine::Cycle now, engine::Cycle drained) {
    if (drained > told_) wait(drained - 1, &messages::InstructionCount::waited_drain);
    wait(now, &messages::InstructionCount::waited_output);
  }
  // Issue cycles of the group that fall to one of its quads: they sum to all of them.
  uint32_t share_of(uint32_t quad, uint32_t quads) const {
    if (quads == 1) return static_cast<uint32_t>(issue_cycles_);
    return static_cast<uint32_t>(issue_cycles_ / quads + (quad < issue_cycles_ % quads));
  }

 private:
  // Up to and with cycle `now`.
  void wait(engine::Cycle now, uint64_t messages::InstructionCount::*kind) {
    if (!counts_ || now + 1 < told_) return;  // it is still being issued
    counts_[at_].*kind += now + 1 - told_;
    told_ = now + 1;
  }

  void wait_for_load(engine::Cycle now, uint32_t pc, uint32_t load,
                     uint64_t messages::InstructionCount::*kind) {
    if (!counts_ || now + 1 <= std::max(told_, ready_)) return;
    if (ready_ > told_) counts_[pc].waited_flow += ready_ - told_, told_ = ready_;
    counts_[load].*kind += now + 1 - told_;
    told_ = now + 1;
  }

  messages::InstructionCount* counts_ = nullptr;
  uint32_t at_ = 0;          // the instruction that was issued last
  engine::Cycle told_ = 0;   // the first cycle that has not been counted
  engine::Cycle ready_ = 0;  // as settle() says
  uint64_t issue_cycles_ = 0;
  uint64_t mask_ = 0;   // of the lanes that issued last
  uint32_t lanes_ = 0;  // how many
};

}  // namespace cutaway::boxes
