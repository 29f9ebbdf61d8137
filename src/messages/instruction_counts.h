#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "command_stream/by_stage.h"

namespace cutaway::messages {

// Activity of thread groups at an instruction of a program. Each cycle of a group, from the one after its
// arrival to the one in which its last result leaves, is either one of its issue cycles or a wait of one
// kind, at the instruction that it has reached. Cycles are of the shader unit's clock.
struct InstructionCount {
  uint64_t issued = 0;        // groups
  uint64_t lanes = 0;         // lanes that executed it, including helpers
  uint64_t issue_cycles = 0;  // of the issue port
  // Before it issues:
  uint64_t waited_flow = 0;    // for the preceding branch
  uint64_t waited_result = 0;  // for an operand from an earlier instruction
  uint64_t waited_issue = 0;   // ready, while other groups issued
  // After issue, for texture instructions and buffer loads, at which a group stays or whose result it needs:
  uint64_t waited_send = 0;     // until the last of its quads had been sent
  uint64_t waited_texture = 0;  // until the last answer arrived
  // After issue, for the last instruction of the group:
  uint64_t waited_drain = 0;   // for the pipelines to drain
  uint64_t waited_output = 0;  // until the last of its results had left

  bool any() const {
    return issued | waited_flow | waited_result | waited_issue | waited_send | waited_texture | waited_drain |
           waited_output;
  }
};

// Counts for the programs of a version of the state, by piece of work.
class InstructionCounts {
 public:
  struct Entry {
    arch::Stage stage{};
    uint32_t work = 0;
    std::vector<InstructionCount> counts;  // by instruction
  };

  explicit InstructionCounts(const command_stream::ByStage<uint32_t>& instructions)
      : instructions_(instructions) {}

  // Counts by instruction of the stage's program. The pointer stays valid.
  InstructionCount* of(arch::Stage stage, uint32_t work) {
    for (size_t i = entries_.size(); i-- > 0;)
      if (entries_[i].work == work && entries_[i].stage == stage) return entries_[i].counts.data();
    return entries_.emplace_back(Entry{stage, work, std::vector<InstructionCount>(instructions_[stage])})
        .counts.data();
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  command_stream::ByStage<uint32_t> instructions_;  // length of each stage's program
  std::vector<Entry> entries_;                      // work in flight is last
};

}  // namespace cutaway::messages
