#pragma once

#include "boxes/shader_unit/admission.h"
#include "boxes/shader_unit/group_table.h"
#include "boxes/shader_unit/input_transfer.h"
#include "boxes/shader_unit/workgroup_table.h"
#include "engine/wire.h"
#include "messages/messages.h"

namespace cutaway::boxes {

// Groups on their way into a shader unit: one comes in per cycle, or in as many cycles as its inputs need.
// Vertices, fragments and workgroups take turns when several wait; behind the first group of a workgroup
// nothing else comes in before its last one.
class InputPorts {
 public:
  // The unit's, which outlive this. Those of stages that it does not run are not connected.
  struct Ports {
    engine::In<messages::VertexGroup>& vertices;
    engine::In<messages::FragmentGroup>& fragments;
    engine::In<messages::Workgroup>& workgroups;
  };
  // The unit's parts in which a group takes its place.
  struct Parts {
    GroupTable& groups;
    Admission& admission;
    WorkgroupTable& workgroups;
  };
  // workgroups_begun: counts them.
  InputPorts(const ShaderUnitSpec& spec, EnumSet<arch::Stage> stages, const Ports& ports, const Parts& parts,
             uint64_t& workgroups_begun);

  // A group that has come in: it has its message, its threads and its inputs, and begins in this cycle.
  struct Entered {
    Group* group = nullptr;  // null: none is complete
    uint64_t lanes = 0;      // bit each
    uint64_t helpers = 0;    // that run beside them for their quads' sake
  };
  // True if a group waits to come in, or is on its way.
  bool any(engine::Cycle now) const {
    return ports_.fragments.peek(now) || ports_.vertices.peek(now) || ports_.workgroups.peek(now) ||
           transfer_.active() || parts_.workgroups.entering();
  }
  // Lets a group come in, or begins to. Returns whether anything changed, and sets `entered` if a group is
  // complete.
  bool accept(engine::Cycle now, Entered& entered);

  bool takes_vertices() const { return takes_vertices_; }
  // The inputs of a group come in, the last of them in cycle transfer().ends().
  const InputTransfer& transfer() const { return transfer_; }

 private:
  bool accept_graphics(engine::Cycle now, Entered& entered);
  bool accept_vertices(engine::Cycle now, Entered& entered);
  bool accept_fragments(engine::Cycle now, Entered& entered);
  bool accept_workgroup(engine::Cycle now, Entered& entered);
  bool begin_workgroup(engine::Cycle now);
  Group& admit(const messages::DrawState& state, arch::Stage stage);

  ShaderUnitSpec spec_;
  EnumSet<arch::Stage> stages_;
  bool takes_vertices_;
  Ports ports_;
  Parts parts_;
  uint64_t& workgroups_begun_;
  InputTransfer transfer_;
  bool vertex_turn_ = true, workgroup_turn_ = true;
};

}  // namespace cutaway::boxes
