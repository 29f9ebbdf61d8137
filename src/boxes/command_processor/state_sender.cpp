#include "boxes/command_processor/state_sender.h"

#include <algorithm>

namespace cutaway::boxes {

using engine::Cycle;

StateSender::StateSender(unsigned bytes_per_cycle, unsigned capacity,
                         const command_stream::ByStage<unsigned>& memories,
                         CommandProcessorCounters& counters)
    : bus_(bytes_per_cycle),
      memories_(*std::max_element(memories.begin(), memories.end()) + 1, InstructionMemory(capacity)),
      memory_of_(memories),
      counters_(counters) {}

void StateSender::send(Cycle now, uint64_t bytes) {
  bus_.send(now, bytes);
  counters_.state_bytes += bytes;
}

void StateSender::pass(Cycle now, uint64_t bytes) {
  bus_.send(now, bytes);
  counters_.passed_state_bytes += bytes;
}

StateSender::Sent StateSender::send_programs(Cycle now, const messages::DrawState& state,
                                             EnumSet<arch::Stage> stages, uint64_t time,
                                             const DrawsUnderWay& under_way) {
  const auto in_use = [&](const InstructionMemory::Program& program) { return under_way.run(program); };
  Sent sent;
  for (uint32_t i = 0; i < arch::kStages; i++) {
    const auto stage = static_cast<arch::Stage>(i);
    const InstructionMemory::Program& program = state.stage[stage].program;
    InstructionMemory& memory = memories_[memory_of_[stage]];
    if (!stages.has(stage) || !program || memory.use(program, time)) continue;
    if (!memory.load(program, time, in_use)) {
      sent.all = false;
      continue;
    }
    send(now, program->words.size() * isa::kInstructionBytes);
    counters_.programs_sent++;
    sent.any = true;
  }
  return sent;
}

}  // namespace cutaway::boxes
