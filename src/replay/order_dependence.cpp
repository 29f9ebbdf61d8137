#include "replay/order_dependence.h"

#include "command_stream/by_stage.h"
#include "command_stream/order.h"
#include "replay/packet_walk.h"

namespace cutaway::replay {

std::optional<Step> order_dependent_work(const capture::Reader& reader, uint64_t frame,
                                         const arch::Memory& start) {
  command_stream::ByStage<bool> hangs(false);
  uint64_t submission = 0;
  std::optional<Step> first;
  PacketWalker walker(start, [&](const Packet& packet) {
    if (packet.submission != submission)
      hangs = command_stream::ByStage<bool>(false), submission = packet.submission;
    if (packet.opcode == arch::Opcode::kLoadProgram) {
      const uint32_t stage = arch::packet_as<arch::LoadProgramPacket>(packet.payload).stage;
      hangs[static_cast<arch::Stage>(stage)] =
          command_stream::hangs_on_order(packet.registers->shader[stage], *packet.memory);
    }
    const bool computes = is_dispatch(packet.opcode);
    if (first || (!computes && !is_draw(packet.opcode))) return;
    for (uint32_t i = 0; i < arch::kStages; i++) {
      const auto stage = static_cast<arch::Stage>(i);
      if (hangs[stage] && (stage == arch::Stage::kCompute) == computes)
        first = Step{packet.submission, packet.draw, packet.draws, packet.opcode, {}, packet.dispatch};
    }
  });
  reader.play(frame, walker);
  return first;
}

}  // namespace cutaway::replay
