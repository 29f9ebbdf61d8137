#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "boxes/command_processor/memory_range.h"
#include "boxes/command_processor/packet_place.h"
#include "boxes/command_processor/state_sender.h"
#include "boxes/command_processor/state_versions.h"
#include "command_stream/by_stage.h"
#include "command_stream/clocked.h"
#include "messages/messages.h"

namespace cutaway::boxes {

// LOAD_CONSTANTS, LOAD_RESOURCES, LOAD_SAMPLERS and LOAD_PROGRAM: makes the orders to the constant loader,
// and puts what it brings into the current state.
class StateLoader {
 public:
  // group_lanes: threads of a group in the shader units that run a stage, for which programs are prepared.
  explicit StateLoader(const command_stream::ByStage<unsigned>& group_lanes) : group_lanes_(group_lanes) {}

  void begin_submission() { descriptors_ = {}; }
  // Descriptors as they were loaded, which a suspended submission keeps.
  using Descriptors = command_stream::ByStage<std::array<arch::Surface, arch::kResources>>;
  const Descriptors& descriptors() const { return descriptors_; }
  void resume(const Descriptors& descriptors) { descriptors_ = descriptors; }

  // The order of a legal packet, without its origin; no bytes: there is nothing to load.
  static messages::LoadCommand order_of(arch::Opcode opcode, std::span<const uint32_t> payload,
                                        const arch::Registers& registers);
  // The words of one program of a stage are loaded at a time.
  bool loads_program(arch::Stage stage) const { return programs_[stage].under_way; }
  // The order has been sent. packet: where it stands. registers: as they are now, for the rest of a program.
  void begin(const messages::LoadCommand& order, const PacketPlace& packet, const arch::Registers& registers);
  bool loading() const { return under_way_ != 0; }
  uint32_t under_way() const { return under_way_; }

  // The kind of state that a block of a load belongs to; programs have none.
  static StateKind kind_of(const messages::LoadedBlock& block) {
    return block.kind == arch::Opcode::kLoadConstants ? StateKind::kConstants : StateKind::kDescriptors;
  }
  // A block has come. The last of a program prepares it, unless the shader units hold it: `sender` knows.
  // Returns why the program is refused, or "".
  std::string take(const messages::LoadedBlock& block, StateVersions& versions, const StateSender& sender,
                   const command_stream::Abilities& abilities);
  const PacketPlace& program_packet(arch::Stage stage) const { return programs_[stage].packet; }

  // Why the chip cannot read what the programs of these stages read, or "".
  std::string unclocked_textures(const command_stream::Abilities& abilities, const messages::DrawState& state,
                                 EnumSet<arch::Stage> stages) const;

 private:
  struct Program {
    bool under_way = false;
    PacketPlace packet;
    std::vector<isa::EncodedInstruction> words;
    uint32_t temporaries = 0, scratch_bytes = 0;
  };
  void take_descriptors(const messages::LoadedBlock& block, messages::StageState& stage);
  std::string prepare_program(arch::Stage stage, StateVersions& versions, const StateSender& sender,
                              const command_stream::Abilities& abilities);

  command_stream::ByStage<unsigned> group_lanes_;
  uint32_t under_way_ = 0;
  command_stream::ByStage<Program> programs_;
  Descriptors descriptors_;
};

}  // namespace cutaway::boxes
