#pragma once

#include <string>

#include "boxes/command_processor/draw_dispatch.h"
#include "boxes/command_processor/indirect_packet.h"
#include "boxes/command_processor/memory_use.h"
#include "boxes/command_processor/packet_steps.h"
#include "command_stream/packet_check.h"

namespace cutaway::boxes {

// Executes the packets that draw or dispatch: each draw and dispatch is judged, waits for its state and for
// other users of its memory, takes a version of the state and leaves.
class DrawPackets {
 public:
  DrawPackets(CommandProcessor& box, CommandParts& parts, PacketSteps& steps,
              command_stream::PacketCheck& check, const structures::FrontEnds& front_ends)
      : box_(box), parts_(parts), steps_(steps), check_(check), dispatch_(front_ends, parts.queue) {}

  void begin_submission() {
    dispatch_.begin_submission();
    indirect_ = {};
    parts_.draws.expect(parts_.queue, nullptr);
  }

  // Called in each cycle until kDone.
  PacketResult send_draw(engine::Cycle now, const command_stream::Draw& draw);
  PacketResult send_dispatch(engine::Cycle now, const arch::DispatchPacket& dispatch);
  // The same for packets whose arguments lie in memory.
  PacketResult draw_indirect(engine::Cycle now);
  PacketResult draw_byte_count(engine::Cycle now);
  PacketResult dispatch_indirect(engine::Cycle now);

 private:
  // Why the draw or dispatch is refused, or "".
  std::string judge_draw(const command_stream::Draw& draw, EnumSet<arch::Stage> stages);
  std::string judge_dispatch(const arch::DispatchPacket& dispatch);
  PacketResult prepare(engine::Cycle now, EnumSet<arch::Stage> stages);
  messages::DrawState* take_version(StateVersions::Use use);
  void leave(engine::Cycle now, const command_stream::Draw& draw, const DrawDispatch::Share& share,
             messages::DrawState& state);
  void leave(engine::Cycle now, const arch::DispatchPacket& dispatch, messages::DrawState& state);
  void watch_depth();
  void watch_memory();

  CommandProcessor& box_;
  CommandParts& parts_;
  PacketSteps& steps_;
  command_stream::PacketCheck& check_;
  DrawDispatch dispatch_;
  IndirectPacket indirect_;
  MemoryUse use_;  // by the draw or dispatch that leaves next, once it is judged
};

}  // namespace cutaway::boxes
