#pragma once

#include <vector>

#include "boxes/shader_unit/finish_order.h"
#include "boxes/shader_unit/group_table.h"
#include "boxes/shader_unit/shader_unit_counters.h"
#include "engine/wire.h"
#include "messages/messages.h"

namespace cutaway::boxes {

// The results of finished groups, on their way to the outputs of a shader unit. Each output sends one message
// at a time, of the group that finished first.
class ResultPorts {
 public:
  // The unit's, which outlive this. Of a stage that it does not run there are none.
  struct Ports {
    std::vector<engine::Out<messages::ShadedVertices>>& vertices;
    std::vector<engine::Out<messages::EmittedPrimitives>>& patches;
    std::vector<engine::Out<messages::ShadedVertices>>& points;
    std::vector<engine::Out<messages::EmittedPrimitives>>& emitted;
    std::vector<engine::Out<messages::ShadedQuad>>& quads;
    engine::Out<messages::WorkgroupEnd>& ended;
  };
  ResultPorts(const Ports& ports, const GroupTable& groups, messages::Pools& pools,
              ShaderUnitCounters& counters);

  // A group has finished; the table says when its results can leave.
  void finish(const Group& group) { order_.finish(group.index, output_of(group.stage)); }
  // The group whose results leave next by an output, if they can in cycle `now`; kNone: there is none.
  static constexpr uint32_t kNone = FinishOrder::kNone;
  uint32_t due(engine::Cycle now, GroupOutput output) const {
    const uint32_t group = order_.next(output);
    return group != kNone && groups_.times()[group] <= now ? group : kNone;
  }
  // Calls visit(output) for each output by which results can leave in cycle `now`. It may send them.
  template <class Visit>
  void for_due(engine::Cycle now, const Visit& visit) const {
    order_.for_waiting([&](GroupOutput output) {
      if (due(now, output) != kNone) visit(output);
    });
  }
  // Sends a message of the group that is due, by any output but that of workgroups, if there is room.
  enum class Sent : uint8_t { kNothing, kPart, kAll };
  Sent send(engine::Cycle now, GroupOutput output, Group& group);
  // All of the group that is due has left.
  void drop(GroupOutput output) { order_.drop(output); }

  // True if results could leave in cycle `now` if there were room.
  bool any_due(engine::Cycle now) const;
  // The port that the oldest finished group waits for; null if no group has finished.
  const engine::Port* blocked_port(engine::Cycle now) const;

 private:
  bool send_quad(engine::Cycle now, Group& group);
  void count_killed(const messages::QuadMessage& quad, const Group& group, uint32_t q);
  void export_outputs(messages::ShadedQuad& out, const Group& group, uint32_t q);
  unsigned rop_of(const Group& group) const { return group.fragments.quads->quad[quads_sent_].quad.rop; }

  Ports ports_;
  const GroupTable& groups_;
  messages::Pools& pools_;
  ShaderUnitCounters& counters_;
  FinishOrder order_;
  uint32_t quads_sent_ = 0;  // of the group whose quads leave
};

}  // namespace cutaway::boxes
