#pragma once

#include <cstdint>
#include <vector>

#include "boxes/shader_unit/fragment_window.h"
#include "boxes/shader_unit/shader_unit_spec.h"
#include "command_stream/by_stage.h"
#include "messages/draw_state.h"

namespace cutaway::boxes {

// Threads, registers and scratch memory of a shader unit, which groups and workgroups take when they come in
// and give back when they leave, and the places of groups of fragments.
class Admission {
 public:
  // The demand of a group for its program, all lanes together.
  struct Demand {
    uint32_t registers = 0;  // of four words
    uint32_t scratch_bytes = 0;
  };

  // groups: places of the unit, numbered from 0. stalls: counts groups and workgroups that come to the front
  // of an input and find too few registers or too little scratch memory.
  Admission(const ShaderUnitSpec& spec, uint32_t groups, uint64_t& stalls);

  Demand demand_of(const messages::DrawState& state, arch::Stage stage) const;

  // True if a group at the input finds threads, registers, scratch memory and, if it shades fragments, a
  // place. A group that needs more registers or memory than there are comes in when the unit is empty.
  bool has_room(const messages::DrawState& state, arch::Stage stage, bool empty);
  // The same of a workgroup of so many groups. has_place: it finds a place for a workgroup, and shared
  // memory.
  bool has_room_for_workgroup(const messages::DrawState& state, uint32_t groups, bool has_place, bool empty);

  // A group comes in. Of a compute program it takes threads alone: the workgroup has the rest.
  void admit(uint32_t group, const messages::DrawState& state, arch::Stage stage);
  void release(uint32_t group);
  // Takes registers and scratch memory for a workgroup of so many groups, and says how many, all together.
  Demand admit_workgroup(const messages::DrawState& state, uint32_t groups);
  void release_workgroup(const Demand& taken);

  // True if a group or workgroup at an input waits for registers or memory that others inside have.
  bool stalls() const { return lacking_ != 0; }

 private:
  struct Taken {  // by a group
    uint32_t threads = 0, registers = 0, scratch_bytes = 0;
    bool fragments = false;
    uint32_t fragment_number = 0;  // in the window
  };
  bool note_front(arch::Stage stage, bool lacks);

  ShaderUnitSpec spec_;
  uint32_t threads_free_, registers_free_, scratch_free_;
  FragmentWindow window_;
  std::vector<Taken> taken_;
  command_stream::ByStage<bool> lacks_;  // the group at the front
  uint32_t lacking_ = 0;                 // stages of which that is true
  uint64_t& stalls_;
};

}  // namespace cutaway::boxes
