#include "boxes/shader_unit/shader_unit.h"

#include <algorithm>

#include "boxes/shader_unit/group_inputs.h"
#include "boxes/shader_unit/memory_route.h"
#include "boxes/shader_unit/on_chip_memory.h"
#include "boxes/shader_unit/primitive_access.h"
#include "run_record/frame_record.h"

namespace cutaway::boxes {

using arch::Stage;
using engine::Cycle;
using Wait = GroupTable::Wait;

namespace {

// Fragments in groups of one quad, and vertices and points, are read where their messages have them.
bool stores_inputs(const ShaderUnitSpec& spec, EnumSet<Stage> stages) {
  return spec.group_lanes > 4 || stages.has(Stage::kCompute) || stages.has(Stage::kGeometry) ||
         stages.has(Stage::kTessControl);
}

// The isa::Fence bits of the barrier that a group stands at.
uint8_t fence_of(const Group& group) { return group.next_instruction().access.fence; }

}  // namespace

ShaderUnit::ShaderUnit(std::string path, const ShaderUnitSpec& spec, EnumSet<Stage> stages,
                       unsigned front_ends, unsigned rops, messages::Pools& pools,
                       const StorageSlices& storage, bool pulls)
    : Box(std::move(path)),
      vertices_out(stages.has(Stage::kVertex) ? front_ends : 0),
      patches_out(stages.has(Stage::kTessControl) ? front_ends : 0),
      points_out(stages.has(Stage::kTessEvaluation) ? front_ends : 0),
      emitted_out(stages.has(Stage::kGeometry) ? front_ends : 0),
      quads_out(stages.has(Stage::kFragment) ? rops : 0),
      storage_out(storage.slices),
      storage_in(storage.slices),
      spec_(spec),
      stages_(stages),
      pools_(pools),
      pulls_(pulls),
      groups_(spec.count_groups(this->path(), stages), func::register_width(spec.group_lanes),
              stores_inputs(spec, stages), counters.resident_groups),
      admission_(spec, groups_.places(), counters.register_stalls),
      workgroups_(stages.has(Stage::kCompute) ? spec.workgroups : 0, spec.shared_bytes, groups_.places()),
      inputs_(spec, stages, {vertices_in, fragments_in, workgroups_in}, {groups_, admission_, workgroups_},
              storage_counters.workgroups),
      issue_port_(spec, groups_, {counters, primitive_counters, storage_counters}),
      texture_requests_(groups_.places(), std::max(1u, spec.loads_under_way)),
      pull_requests_(pulls ? groups_.places() : 0, std::max(1u, spec.loads_under_way)),
      made_textures_(places_of_loads() * spec.group_quads()),
      made_pulls_(pulls ? places_of_loads() * spec.group_quads() : 0),
      storage_port_(spec, storage, groups_.places(), pools.storage_jobs, storage_counters),
      results_({vertices_out, patches_out, points_out, emitted_out, quads_out, ended_out}, groups_, pools,
               counters),
      cycle_kinds_(counters, storage_counters, pull_counters) {}

void ShaderUnit::list_ports(engine::PortList& list) {
  if (inputs_.takes_vertices())
    list("vertices_in", vertices_in,
         "groups of vertices, patches, points of patches, or invocations of geometry programs");
  if (stages_.has(Stage::kVertex))
    list("vertices_out", vertices_out, "to the front end of a group: its shaded vertices");
  if (stages_.has(Stage::kTessControl))
    list("patches_out", patches_out, "to the front end of a group: its patches, whose memory is filled");
  if (stages_.has(Stage::kTessEvaluation))
    list("points_out", points_out, "to the front end of a group: its shaded points");
  if (stages_.has(Stage::kGeometry))
    list("emitted_out", emitted_out,
         "to the front end of a group: the vertices that its invocations have emitted");
  if (stages_.has(Stage::kFragment)) {
    list("fragments_in", fragments_in, "groups of quads");
    list("quads_out", quads_out, "to the reorder buffer of each ROP: shaded quads");
  }
  list("texture_out", texture_out, "a texture instruction or buffer load of a quad");
  list("texture_in", texture_in, "its result");
  if (pulls_) {
    list("pulls_out", pulls_out, "a request for an interpolant of a quad");
    list("pulls_in", pulls_in, "the interpolant");
  }
  if (stages_.has(Stage::kCompute)) {
    list("workgroups_in", workgroups_in, "workgroups");
    list("ended_out", ended_out, "the end of a workgroup");
  }
  list("storage_out", storage_out,
       "to each slice of the storage cache: the loads, stores or atomics of a group on a line");
  list("storage_in", storage_in, "the values, or that the stores are done");
  if (!has_l1()) return;
  list("control_in", control_in, "an order to flush or invalidate");
  list("control_out", control_out, "the order is carried out");
}

std::vector<std::string_view> ShaderUnit::kinds_of_work() const {
  return {run_record::kProgramStages.begin(), run_record::kProgramStages.end()};
}

std::vector<std::string_view> ShaderUnit::costs_nothing() const {
  std::vector<std::string_view> work = {"Reading constants, inputs and outputs", "Fetching instructions"};
  if (!spec_.register_reads)
    work.push_back(
        "Conflicts at the read ports of temporaries, with `shader.register_reads` 0: the ATTILA paper has "
        "them but does not give the number of ports");
  if (stages_.has(Stage::kGeometry)) {
    work.push_back("Bank conflicts of vertex loads in geometry programs");
    work.push_back("Room for the vertices that invocations inside the unit have emitted");
  }
  if (has_l1())
    work.push_back(
        "Reading and writing the tags and lines of the first level, apart from `shader.l1_latency`");
  return work;
}

// From the outputs back to the inputs, so that what a step frees is used one cycle later at the earliest.
// Steps that have nothing to do, which are most, are not called.
Cycle ShaderUnit::tick(Cycle now) {
  count_until(now);
  if (const messages::TextureMessage* answer = texture_in.peek(now)) {
    // The host has it at hand when the results before it have left.
    __builtin_prefetch(&answer->job->result);
    __builtin_prefetch(&answer->job->group);
  }
  bool progress = !groups_.finished().empty() && retire(now);
  if (texture_in.peek(now)) progress |= take_texture(now);
  if (texture_requests_.due(now)) progress |= send_texture(now);
  if (pulls_in.peek(now)) progress |= take_pull(now);
  if (pull_requests_.due(now)) progress |= send_pull(now);
  if (storage_in.any_filled() || storage_port_.has_hits()) progress |= take_storage(now);
  if (control_in.peek(now)) progress |= obey_control(now);
  if (storage_port_.due(now)) progress |= send_storage(now);
  if (!groups_.ready().empty()) progress |= issue(now);
  const uint32_t ready = groups_.ready().size();
  if (inputs_.any(now)) progress |= accept(now);
  cycle_kinds_.choose(now, ready, issue_port_, admission_, groups_, results_);
  return account(now, progress);
}

Cycle ShaderUnit::account(Cycle now, bool progress) {
  if (progress) return busy(now);
  Cycle next = issue_port_.occupied(now) ? issue_port_.free_at() : engine::kAsleep;
  const auto look = [&](Cycle cycle) {
    if (cycle > now) next = std::min(next, cycle);
  };
  look(groups_.next_event(now));
  if (texture_requests_.waiting()) look(texture_requests_.leaves());
  if (pull_requests_.waiting()) look(pull_requests_.leaves());
  if (storage_port_.waiting()) look(storage_port_.leaves());
  look(storage_port_.next_hit(now));
  if (inputs_.transfer().active()) look(inputs_.transfer().ends());
  // Instructions are being issued, or are in the execute stages.
  const engine::Port* waits = issue_port_.occupied(now) ? nullptr : short_of();
  if (next != engine::kAsleep) return waits ? starved(now, *waits, next) : busy(now, next);
  if (const engine::Port* port = results_.blocked_port(now)) return blocked(now, *port);
  if (texture_requests_.waiting()) return blocked(now, texture_out);
  if (storage_port_.waiting()) {
    const engine::Out<messages::StorageMessage>& out = storage_out[storage_port_.slice()];
    // Else the first level has no place for what the line brings.
    if (!out.ready(now)) return blocked(now, out);
  }
  if (pull_requests_.waiting()) return blocked(now, pulls_out);
  if (groups_.waiting_for(Wait::kTexture)) return starved(now, texture_in);
  if (groups_.waiting_for(Wait::kPull)) return starved(now, pulls_in);
  if (groups_.waiting_for(Wait::kStorage)) return starved(now, storage_in[storage_port_.busiest_slice()]);
  return idle(now);
}

const engine::Port* ShaderUnit::short_of() const {
  if (groups_.waiting_for_other_units() <= groups_.ready().size()) return nullptr;
  const uint32_t texture = groups_.waiting_for(Wait::kTexture), pull = groups_.waiting_for(Wait::kPull),
                 storage = groups_.waiting_for(Wait::kStorage);
  if (pull > std::max(texture, storage)) return &pulls_in;
  if (texture >= storage) return &texture_in;
  const uint32_t slice = storage_port_.busiest_slice();
  return storage_port_.under_way(slice) ? &storage_in[slice] : nullptr;
}

const engine::Port* ShaderUnit::source_of(const engine::Port& out) const {
  const bool of_fragments =
      std::any_of(quads_out.begin(), quads_out.end(), [&](const auto& port) { return &port == &out; });
  return of_fragments && !groups_.holds(Stage::kFragment) ? &fragments_in : nullptr;
}

// ---- In and out ----

bool ShaderUnit::accept(Cycle now) {
  InputPorts::Entered entered;
  if (!inputs_.accept(now, entered)) return false;
  if (!entered.group) return true;
  Group& group = *entered.group;
  if (group.stage == Stage::kVertex) counters.vertex_groups++;
  else if (group.stage == Stage::kFragment) counters.fragment_groups++;
  else if (group.stage == Stage::kCompute) storage_counters.workgroup_groups++;
  else primitive_counters.groups++;
  groups_.enter(now, group);
  start(now, group, entered.lanes, entered.helpers);
  issue_port_.admit(group);
  settle(now, now + 1, group);
  return true;
}

// The outputs are pipelines of their own.
bool ShaderUnit::retire(Cycle now) {
  bool progress = false;
  results_.for_due(now, [&](GroupOutput output) { progress |= retire(now, output); });
  return progress;
}

// Sends results of the group that is due by an output.
bool ShaderUnit::retire(Cycle now, GroupOutput output) {
  Group& group = groups_[results_.due(now, output)];
  using enum ResultPorts::Sent;
  const auto sent =
      output == GroupOutput::kWorkgroups ? leave_workgroup(now, group) : results_.send(now, output, group);
  if (sent != kAll) return sent == kPart;
  group.time.leave(now, groups_.time_of(group));
  admission_.release(group.index);
  groups_.leave(now, group);
  results_.drop(output);
  return true;
}

// With its last group the workgroup ends.
ResultPorts::Sent ShaderUnit::leave_workgroup(Cycle now, const Group& group) {
  if (workgroups_.is_last(group.index) && !ended_out.ready(now)) return ResultPorts::Sent::kNothing;
  if (const auto ended = workgroups_.leave(group.index)) {
    admission_.release_workgroup(ended->taken);
    ended_out.send(now, {ended->dispatch});
  }
  return ResultPorts::Sent::kAll;
}

// Puts a group where its next instruction, from cycle `next` on, or its end belongs.
void ShaderUnit::settle(Cycle now, Cycle next, Group& group) {
  if (!issue_port_.settle(now, next, group)) end(now, group);
}

// The group has executed all of its program, and leaves when its loads and stores are done.
void ShaderUnit::end(Cycle now, Group& group) {
  if (issue_port_.wait_for_loads(group)) return;
  if (storage_port_.stores_under_way(group.index)) groups_.block(group, GroupPhase::kDraining);
  else finish(now, group);
}

void ShaderUnit::finish(Cycle now, Group& group) {
  groups_.finish(group, std::max(group.end_ready, now) + spec_.pipeline_stages);
  results_.finish(group);
  if (group.stage == Stage::kCompute) open_barrier(now, workgroups_.end(group.index));
}

// ---- Issue ----

bool ShaderUnit::issue(Cycle now) {
  Group* group = issue_port_.pick(now);
  if (!group) return false;
  works_for(group->origin.work);
  const IssuePort::Issued issued = issue_port_.issue(now, *group);
  if (issued.need == func::Need::kStep) settle(now, issued.next, *group);
  else if (issued.need == func::Need::kTexture) begin_texture(now, *group);
  else execute_memory(now, *group);
  return true;
}

// Begins the instruction of memory that the group has issued, or carries it out if it is one of memory on the
// chip.
void ShaderUnit::execute_memory(Cycle now, Group& group) {
  switch (route_of(group)) {
    case MemoryRoute::kTexture:
      return begin_texture(now, group);
    case MemoryRoute::kStorage:
      return begin_storage(now, group);
    case MemoryRoute::kPull:
      return begin_pull(now, group);
    case MemoryRoute::kLoadVertex:
      load_vertex(group);
      primitive_counters.vertex_loads++;
      return settle(now, issue_port_.complete_access(group, spec_.vertex_latency), group);
    case MemoryRoute::kEmit:
      primitive_counters.vertices_emitted += emit(group);
      group.threads.advance();
      return settle(now, issue_port_.free_at(), group);
    case MemoryRoute::kPatchMemory:
      access_patch(group);
      primitive_counters.patch_accesses++;
      return settle(now, issue_port_.complete_access(group, spec_.shared_latency), group);
    case MemoryRoute::kWorkgroupMemory:
      return access_workgroup_memory(now, group);
    case MemoryRoute::kPatchBarrier:
      group.threads.advance();
      return settle(now, issue_port_.last_lane() + spec_.barrier_latency, group);
    case MemoryRoute::kBarrier:
      return reach_barrier(now, group);
    case MemoryRoute::kMemoryBarrier:
      return reach_memory_barrier(now, group);
  }
}

void ShaderUnit::access_workgroup_memory(Cycle now, Group& group) {
  const Cycle cycles = bank_cycles(group, spec_.shared_banks);  // before a result takes its address's place
  access_on_chip(group, [&](uint32_t) { return workgroups_.memory_of(group.index); });
  storage_counters.shared_instructions++;
  storage_counters.shared_conflicts += issue_port_.extend(group, now + cycles);
  workgroups_.note_access(group.index, issue_port_.last_lane() + spec_.shared_latency);
  settle(now, issue_port_.complete_access(group, spec_.shared_latency), group);
}

// ---- Stores and barriers ----

// All that the group has stored has been carried out.
void ShaderUnit::stores_done(Cycle now, Group& group) {
  switch (group.phase) {
    case GroupPhase::kFence:
      group.time.answer(now);
      return pass_memory_barrier(now, group);
    case GroupPhase::kBarrierStores:
      return arrive(now, group);
    case GroupPhase::kDraining:
      return finish(now, group);
    default:
      return;
  }
}

// At a barrier of buffers and images a group arrives when all that it has stored there is carried out.
void ShaderUnit::reach_barrier(Cycle now, Group& group) {
  storage_counters.barriers++;
  if (storage_port_.stores_under_way(group.index) && fence_of(group) & isa::kFenceDevice)
    return groups_.block(group, GroupPhase::kBarrierStores);
  arrive(now, group);
}

void ShaderUnit::arrive(Cycle now, Group& group) {
  groups_.block(group, GroupPhase::kBarrier);
  open_barrier(now, workgroups_.arrive(group.index, fence_of(group)));
}

void ShaderUnit::open_barrier(Cycle now, const WorkgroupTable::Opening& opening) {
  if (opening.groups.empty()) return;
  if (opening.fences & isa::kFenceDevice) storage_port_.forget();
  const Cycle there = std::max({now, issue_port_.last_lane(), opening.accesses_done});
  const Cycle next = there + spec_.barrier_latency;
  for (const uint16_t index : opening.groups) {
    Group& group = groups_[index];
    group.time.answer(now);
    group.threads.advance();
    settle(now, next, group);
  }
}

// At a memory barrier a group waits for no other.
void ShaderUnit::reach_memory_barrier(Cycle now, Group& group) {
  storage_counters.memory_barriers++;
  if (storage_port_.stores_under_way(group.index) && fence_of(group) & isa::kFenceDevice)
    return groups_.block(group, GroupPhase::kFence);
  pass_memory_barrier(now, group);
}

void ShaderUnit::pass_memory_barrier(Cycle now, Group& group) {
  const uint8_t fence = fence_of(group);
  if (fence & isa::kFenceDevice) storage_port_.forget();
  Cycle next = std::max(now + 1, issue_port_.free_at());
  if (fence & isa::kFenceShared && group.stage == Stage::kCompute)
    next = std::max(next, workgroups_.accesses_done(group.index));
  group.threads.advance();
  settle(now, next, group);
}

std::string ShaderUnit::why_busy() const {
  if (groups_.empty()) return "";
  return fmt::format(
      "{} groups: {} ready, {} waiting for texture, {} for interpolants, {} for storage, {} at barriers, "
      "{} behind branches, {} finished",
      groups_.inside(), groups_.ready().size(), groups_.waiting_for(Wait::kTexture),
      groups_.waiting_for(Wait::kPull), groups_.waiting_for(Wait::kStorage),
      groups_.waiting_for(Wait::kBarrier), issue_port_.waiting_at_branches(), groups_.finished().size());
}

}  // namespace cutaway::boxes
