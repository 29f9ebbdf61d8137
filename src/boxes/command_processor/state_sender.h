#pragma once

#include <vector>

#include "base/field.h"
#include "boxes/command_processor/command_processor_counters.h"
#include "boxes/command_processor/draws_under_way.h"
#include "boxes/command_processor/instruction_memory.h"
#include "boxes/command_processor/state_bus.h"
#include "command_stream/by_stage.h"
#include "messages/draw_state.h"

namespace cutaway::boxes {

// Sends the units what they need before a draw: changed state as packets change it, and programs that the
// shader units do not hold.
class StateSender {
 public:
  // capacity: instructions of a shader unit. memories: the instruction memory that a stage's programs go to.
  StateSender(unsigned bytes_per_cycle, unsigned capacity, const command_stream::ByStage<unsigned>& memories,
              CommandProcessorCounters& counters);

  void send(engine::Cycle now, uint64_t bytes);
  // Sends state that goes down the pipeline with the next draw.
  void pass(engine::Cycle now, uint64_t bytes);
  // From this cycle on the units have all that was sent.
  engine::Cycle arrived() const { return bus_.free(); }

  // A program with these words, registers and scratch memory that the units of the stage hold; null: none.
  InstructionMemory::Program find(arch::Stage stage, std::span<const isa::EncodedInstruction> words,
                                  uint32_t temporaries, uint32_t scratch_bytes) const {
    return memories_[memory_of_[stage]].find(stage, words, temporaries, scratch_bytes);
  }

  struct Sent {
    bool any = false;  // some were sent
    bool all = true;   // the units hold all of them; else there is no room until draws under way end
  };
  // Sends the programs of these stages of `state` that the units do not hold. Programs of one draw may take
  // the room from each other: then some are sent for every draw. time: of the draw, for the choice of the
  // program that makes room.
  Sent send_programs(engine::Cycle now, const messages::DrawState& state, EnumSet<arch::Stage> stages,
                     uint64_t time, const DrawsUnderWay& under_way);

 private:
  StateBus bus_;
  std::vector<InstructionMemory> memories_;
  command_stream::ByStage<unsigned> memory_of_;
  CommandProcessorCounters& counters_;
};

}  // namespace cutaway::boxes
