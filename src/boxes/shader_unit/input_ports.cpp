#include "boxes/shader_unit/input_ports.h"

#include <algorithm>
#include <bit>

#include "boxes/shader_unit/group_inputs.h"

namespace cutaway::boxes {

using arch::Stage;
using engine::Cycle;

namespace {

constexpr uint64_t first_lanes(uint32_t count) { return ~uint64_t{0} >> (64 - count); }

uint32_t invocations_of(const messages::DrawState& state) {
  const uint32_t* size = state.registers.compute.local_size;
  return size[0] * size[1] * size[2];
}

}  // namespace

InputPorts::InputPorts(const ShaderUnitSpec& spec, EnumSet<Stage> stages, const Ports& ports,
                       const Parts& parts, uint64_t& workgroups_begun)
    : spec_(spec),
      stages_(stages),
      takes_vertices_(stages.has(Stage::kVertex) || stages.has(Stage::kTessControl) ||
                      stages.has(Stage::kTessEvaluation) || stages.has(Stage::kGeometry)),
      ports_(ports),
      parts_(parts),
      workgroups_begun_(workgroups_begun),
      transfer_(spec.inputs_per_cycle) {}

inline bool InputPorts::accept_graphics(Cycle now, Entered& entered) {
  if (transfer_.active())
    return transfer_.kind() == InputTransfer::Kind::kVertices ? accept_vertices(now, entered)
                                                              : accept_fragments(now, entered);
  return vertex_turn_ ? accept_vertices(now, entered) || accept_fragments(now, entered)
                      : accept_fragments(now, entered) || accept_vertices(now, entered);
}

bool InputPorts::accept(Cycle now, Entered& entered) {
  if (transfer_.active() && transfer_.ends() > now) return false;
  if (parts_.workgroups.entering()) return accept_workgroup(now, entered);
  const bool may_begin = stages_.has(Stage::kCompute) && !transfer_.active();
  const bool first = workgroup_turn_ && may_begin && accept_workgroup(now, entered);
  const bool progress = first || accept_graphics(now, entered) ||
                        (!workgroup_turn_ && may_begin && accept_workgroup(now, entered));
  if (progress) workgroup_turn_ = !parts_.workgroups.entering() && !first;
  return progress;
}

Group& InputPorts::admit(const messages::DrawState& state, Stage stage) {
  Group& group = parts_.groups.next_free();
  group.stage = stage;
  group.state = &state;
  group.of_driver = state.of_driver;
  parts_.admission.admit(group.index, state, stage);
  return group;
}

// Accepts a group of any stage before the rasteriser.
bool InputPorts::accept_vertices(Cycle now, Entered& entered) {
  if (!takes_vertices_) return false;
  const messages::VertexGroup* next = ports_.vertices.peek(now);
  if (!next || !parts_.admission.has_room(*next->state, next->stage, parts_.groups.empty())) return false;
  const command_stream::Program* program = next->state->stage[next->stage].program.get();
  const auto attributes = static_cast<uint32_t>(program ? std::popcount(program->inputs_read) : 0);
  if (!transfer_.completes(now, InputTransfer::Kind::kVertices, next->lanes * attributes)) return true;
  Group& group = admit(*next->state, next->stage);
  group.vertices = ports_.vertices.take(now);
  group.origin = group.vertices.origin;
  group.number = group.origin.draw;
  if (group.vertices.vertices) load_vertices(group);
  else load_primitives(group);
  vertex_turn_ = false;
  entered = {&group, first_lanes(group.vertices.lanes)};
  return true;
}

bool InputPorts::accept_fragments(Cycle now, Entered& entered) {
  if (!stages_.has(Stage::kFragment)) return false;
  const messages::FragmentGroup* next = ports_.fragments.peek(now);
  if (!next || !parts_.admission.has_room(*next->state, Stage::kFragment, parts_.groups.empty()))
    return false;
  const auto interpolants =
      static_cast<uint32_t>(next->state->shades_fragments() ? std::popcount(next->state->pushed()) : 0);
  if (!transfer_.completes(now, InputTransfer::Kind::kFragments, 4 * next->quads->count * interpolants))
    return true;
  Group& group = admit(*next->state, Stage::kFragment);
  group.fragments = ports_.fragments.take(now);
  group.origin = group.fragments.origin;
  group.number = group.origin.draw;
  load_quads(group);
  uint64_t lanes = 0;
  const messages::GroupQuads& quads = *group.fragments.quads;
  for (uint32_t q = 0; q < quads.count; q++) lanes |= uint64_t{quads.quad[q].quad.mask} << 4 * q;
  vertex_turn_ = true;
  entered = {&group, lanes, first_lanes(4 * quads.count) & ~lanes};
  return true;
}

// Accepts a group of the workgroup that comes in, or the first group of the next one.
bool InputPorts::accept_workgroup(Cycle now, Entered& entered) {
  WorkgroupTable& workgroups = parts_.workgroups;
  if (!workgroups.entering() && !begin_workgroup(now)) return false;
  const messages::Workgroup& message = workgroups.entering_message();
  const messages::DrawState& state = *message.state;
  const uint32_t first = workgroups.entered_groups() * spec_.group_lanes;
  const uint32_t lanes = std::min(spec_.group_lanes, invocations_of(state) - first);
  // The ids of threads differ; those of the workgroup are one register for all.
  const bool reads_id = state.stage[Stage::kCompute].inputs_read() >> arch::kInputLocalId & 1;
  if (!transfer_.completes(now, InputTransfer::Kind::kWorkgroup, reads_id ? lanes : 0)) return true;
  Group& group = admit(state, Stage::kCompute);
  group.origin = message.origin;
  group.number = message.dispatch;
  load_ids(group, message, first);
  workgroups.enter(group.index);
  entered = {&group, first_lanes(lanes)};
  return true;
}

// Begins the next workgroup if there is room for all of it: threads, registers and scratch memory of its
// groups, shared memory, and a place.
bool InputPorts::begin_workgroup(Cycle now) {
  const messages::Workgroup* next = ports_.workgroups.peek(now);
  if (!next) return false;
  const messages::DrawState& state = *next->state;
  const uint32_t groups = (invocations_of(state) + spec_.group_lanes - 1) / spec_.group_lanes;
  const bool has_place = parts_.workgroups.has_room(state.registers.compute.shared_bytes);
  if (!parts_.admission.has_room_for_workgroup(state, groups, has_place, parts_.groups.empty())) return false;
  messages::Workgroup message = ports_.workgroups.take(now);
  parts_.workgroups.begin(std::move(message), groups, parts_.admission.admit_workgroup(state, groups));
  workgroups_begun_++;
  return true;
}

}  // namespace cutaway::boxes
