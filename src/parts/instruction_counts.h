#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "draw/by_stage.h"

namespace cutaway::parts {

// What thread groups did at an instruction of a program. Each cycle of a group, from the one after it came in
// to the one in which the last of its results leaves, is one of its issue cycles or a wait of one kind, at
// the instruction where it stands. Cycles are of the shader unit's clock.
struct InstructionCount {
  uint64_t issued = 0;        // groups
  uint64_t lanes = 0;         // that executed it, helper lanes among them
  uint64_t issue_cycles = 0;  // of the issue port
  // Before it issues:
  uint64_t waited_flow = 0;    // for the branch before it
  uint64_t waited_result = 0;  // for an operand that an instruction before it makes
  uint64_t waited_issue = 0;   // it could issue: for other groups that did
  // After it has issued, of texture instructions and buffer loads: a group stays there until it has the
  // answer.
  uint64_t waited_send = 0;     // until the last of its quads had been sent
  uint64_t waited_texture = 0;  // until the last answer was there
  // After it has issued, of the last instruction of the group:
  uint64_t waited_drain = 0;   // for the ends of the pipelines
  uint64_t waited_output = 0;  // until the last of its results had left

  bool any() const {
    return issued | waited_flow | waited_result | waited_issue | waited_send | waited_texture | waited_drain |
           waited_output;
  }
};

// Those of the programs of a version of the state, by piece of work.
class InstructionCounts {
 public:
  struct Entry {
    arch::Stage stage{};
    uint32_t work = 0;
    std::vector<InstructionCount> counts;  // by instruction
  };

  explicit InstructionCounts(const draw::ByStage<uint32_t>& instructions) : instructions_(instructions) {}

  // By instruction of the stage's program. It stays where it is.
  InstructionCount* of(arch::Stage stage, uint32_t work) {
    for (size_t i = entries_.size(); i-- > 0;)
      if (entries_[i].work == work && entries_[i].stage == stage) return entries_[i].counts.data();
    return entries_.emplace_back(Entry{stage, work, std::vector<InstructionCount>(instructions_[stage])})
        .counts.data();
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  draw::ByStage<uint32_t> instructions_;  // how many the program has
  std::vector<Entry> entries_;            // those of work under way are the last ones
};

}  // namespace cutaway::parts
