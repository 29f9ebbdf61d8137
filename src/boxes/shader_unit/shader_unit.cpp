#include "boxes/shader_unit/shader_unit.h"

#include <algorithm>
#include <bit>

namespace cutaway::boxes {

using arch::Stage;
using engine::Cycle;

namespace {

// Groups of the unit, if its parameters fit together: as many as of the smallest fit in.
uint32_t count_groups(const std::string& path, const ShaderUnitSpec& spec, EnumSet<Stage> stages) {
  constexpr uint32_t kMostGroups = 1024;
  if (!std::has_single_bit(spec.group_lanes) || spec.group_lanes > parts::kMaxGroupLanes)
    user_error("{}.group_lanes: {} is no power of 2 up to {}", path, spec.group_lanes, parts::kMaxGroupLanes);
  if (spec.vertex_lanes && (!std::has_single_bit(spec.vertex_lanes) || spec.vertex_lanes > spec.group_lanes))
    user_error("{}.vertex_lanes: {} is no power of 2 up to group_lanes ({})", path, spec.vertex_lanes,
               spec.group_lanes);
  const uint32_t least = stages.has(Stage::kVertex) ? spec.lanes_of(Stage::kVertex) : spec.group_lanes;
  const uint32_t groups = spec.threads / least;
  if (spec.threads < spec.group_lanes || groups > kMostGroups)
    user_error("{}.threads: {} make {} groups of {}; expected 1 to {} groups", path, spec.threads, groups,
               least, kMostGroups);
  if (spec.simd_lanes == 0 || spec.group_lanes % spec.simd_lanes != 0)
    user_error("{}.simd_lanes: {} is no divisor of group_lanes ({})", path, spec.simd_lanes,
               spec.group_lanes);
  return groups;
}

draw::ByStage<Cycle> pass_cycles(const ShaderUnitSpec& spec) {
  draw::ByStage<Cycle> cycles;
  for (uint32_t i = 0; i < arch::kStages; i++) {
    const auto stage = static_cast<Stage>(i);
    cycles[stage] = (spec.lanes_of(stage) + spec.simd_lanes - 1) / spec.simd_lanes;
  }
  return cycles;
}

}  // namespace

ShaderUnit::ShaderUnit(std::string path, const ShaderUnitSpec& spec, EnumSet<Stage> stages,
                       unsigned front_ends, unsigned rops, parts::Pools& pools, const StorageSlices& storage,
                       bool pulls)
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
      width_(func::register_width(spec.group_lanes)),
      pools_(pools),
      storage_(storage),
      groups_(count_groups(this->path(), spec, stages)),
      free_(static_cast<uint32_t>(groups_.size())),
      ready_(free_.capacity()),
      finished_(free_.capacity()),
      time_(groups_.size()),
      texture_order_(free_.capacity()),
      pulls_(pulls),
      pull_order_(pulls ? free_.capacity() : 0),
      storage_order_(free_.capacity()),
      storage_under_way_(storage.slices),
      l1_({storage.slices ? spec.l1_lines : 0, spec.l1_ways, storage.line_bytes, spec.l1_pending}),
      l1_answers_(l1_ ? spec.l1_latency + spec.l1_pending : 0),
      workgroups_(stages.has(Stage::kCompute) ? spec.workgroups : 0),
      window_(spec.fragment_groups),
      batches_(free_.capacity(), spec.branch_groups),
      threads_free_(spec.threads),
      registers_free_((spec.threads + spec.input_threads) * spec.registers_per_thread),
      scratch_free_(spec.scratch_bytes),
      shared_free_(spec.shared_bytes),
      scheduler_(make_group_scheduler(spec.scheduler, free_.capacity())),
      issue_(make_issue_policy(spec.issue, spec.ways)),
      most_issued_(issue_->most()),
      pass_cycles_(pass_cycles(spec)) {
  for (Group& group : groups_) {
    if (width_ > 4 || stages.has(Stage::kCompute) || stages.has(Stage::kGeometry) ||
        stages.has(Stage::kTessControl))
      group.input.resize(size_t{arch::kShaderInputs} * 4 * width_);
    group.temporary.resize(size_t{arch::kTemporaries} * 4 * width_);
    group.output.resize(size_t{arch::kShaderOutputs} * 4 * width_);
    group.view = {nullptr, group.temporary.data(), group.output.data()};
  }
  free_.insert_all();
  for (parts::Ring<uint16_t>& order : finish_order_) order.reset(free_.capacity());
}

void ShaderUnit::list_ports(engine::PortList& list) {
  if (takes_vertices())
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
  if (!l1_) return;
  list("control_in", control_in, "an order to flush or invalidate");
  list("control_out", control_out, "the order is carried out");
}

std::vector<std::string_view> ShaderUnit::costs_nothing() const {
  std::vector<std::string_view> work = {"Reading constants", "Fetching instructions",
                                        "Conflicts at the ports of the register banks: the ATTILA paper has "
                                        "them and does not say how many ports there are"};
  if (stages_.has(Stage::kGeometry)) {
    work.push_back("Conflicts of loads of vertices that lie in the same bank, in geometry programs");
    work.push_back("Room for the vertices that invocations inside the unit have emitted");
  }
  if (l1_)
    work.push_back("Reading and writing the tags and lines of the first level, beside `shader.l1_latency`");
  return work;
}

Cycle ShaderUnit::tick(Cycle now) {
  count_until(now);
  bool progress = retire(now);
  progress |= take_texture(now);
  progress |= send_texture(now);
  progress |= take_pull(now);
  progress |= send_pull(now);
  progress |= take_storage(now);
  progress |= obey_control(now);
  progress |= send_storage(now);
  progress |= issue(now);
  const uint32_t ready = ready_.size();
  progress |= accept(now);
  kind_ = kind_of(now, ready);
  return account(now, progress);
}

// ready: groups that could issue if it were not for a result or a branch, without one that has just come in.
uint64_t* ShaderUnit::kind_of(Cycle now, uint32_t ready) {
  ShaderUnitCounters& c = counters;
  if (port_free_ > now) return &c.cycles_issued;
  for (const bool lacks : lacks_registers_)
    if (lacks) return &c.cycles_registers;
  uint64_t* waits =
      texture_waiting_ >= storage_waiting_ ? &c.cycles_texture : &storage_counters.cycles_storage;
  if (pull_waiting_ > std::max(texture_waiting_, storage_waiting_)) waits = &pull_counters.cycles_pull;
  const uint32_t waiting = texture_waiting_ + pull_waiting_ + storage_waiting_;
  if (waiting > ready && ready) return waits;
  if (ready) return &c.cycles_dependency;
  for (const parts::Ring<uint16_t>& order : finish_order_)
    if (!order.empty() && time_[order.front()] <= now) return &c.cycles_output;
  if (waiting) return waits;
  if (barrier_waiting_) return &storage_counters.cycles_barrier;
  return finished_.empty() ? &c.cycles_inputs : &c.cycles_dependency;
}

Cycle ShaderUnit::account(Cycle now, bool progress) {
  if (progress) return busy(now);
  Cycle next = port_free_ > now ? port_free_ : engine::kAsleep;
  const auto look = [&](uint32_t index) {
    if (time_[index] > now) next = std::min(next, time_[index]);
  };
  ready_.for_each(look);
  finished_.for_each(look);
  if (!texture_order_.empty()) look(texture_order_.front());
  if (!pull_order_.empty()) look(pull_order_.front());
  if (!storage_order_.empty()) look(storage_order_.front());
  if (!l1_answers_.empty()) next = std::min<Cycle>(next, std::max(l1_answers_.front().ready, now + 1));
  if (entering_ != Entering::kNone && entered_ > now) next = std::min(next, entered_);
  // Instructions are being issued, or are in the execute stages.
  const engine::Port* waits = port_free_ <= now ? short_of() : nullptr;
  if (next != engine::kAsleep) return waits ? starved(now, *waits, next) : busy(now, next);
  // Of what waits at an output, the oldest.
  const Group* oldest = nullptr;
  for (const parts::Ring<uint16_t>& order : finish_order_) {
    if (order.empty()) continue;
    const Group& group = groups_[order.front()];
    if (!oldest || group.finished < oldest->finished) oldest = &group;
  }
  if (oldest) return blocked(now, port_of(now, *oldest));
  if (!texture_order_.empty()) return blocked(now, texture_out);
  if (!storage_order_.empty()) {
    const StorageAccess& access = *groups_[storage_order_.front()].access;
    const engine::Out<parts::StorageMessage>& out =
        storage_out[storage_.interleave.unit_of(access.next_line(storage_.line_bytes))];
    // Else the first level has no place for what the line brings.
    if (!out.ready(now)) return blocked(now, out);
  }
  if (!pull_order_.empty()) return blocked(now, pulls_out);
  if (texture_waiting_) return starved(now, texture_in);
  if (pull_waiting_) return starved(now, pulls_in);
  if (storage_waiting_) return starved(now, storage_in[busiest_slice()]);
  return idle(now);
}

// Vertices go to the streamer, patches and points to tessellation, what is emitted to geometry shading, quads
// to the ROPs. Of a workgroup only its end goes to its distributor.
ShaderUnit::Output ShaderUnit::output_of(Stage stage) {
  switch (stage) {
    case Stage::kVertex:
      return Output::kVertices;
    case Stage::kFragment:
      return Output::kQuads;
    case Stage::kCompute:
      return Output::kWorkgroups;
    case Stage::kGeometry:
      return Output::kEmitted;
    case Stage::kTessControl:
      return Output::kPatches;
    case Stage::kTessEvaluation:
      return Output::kPoints;
  }
  CUTAWAY_CHECK(false, "a group of stage {} in a shader unit", static_cast<uint32_t>(stage));
  return {};
}

const engine::Port& ShaderUnit::port_of(Cycle now, const Group& group) const {
  switch (output_of(group.stage)) {
    case Output::kVertices:
      return vertices_out[full_output(now, vertices_out) % vertices_out.size()];
    case Output::kPatches:
      return patches_out[full_output(now, patches_out) % patches_out.size()];
    case Output::kPoints:
      return points_out[full_output(now, points_out) % points_out.size()];
    case Output::kEmitted:
      return emitted_out[full_output(now, emitted_out) % emitted_out.size()];
    case Output::kWorkgroups:
      return ended_out;
    case Output::kQuads:
      break;
  }
  return quads_out[rop_of(group)];
}

std::string ShaderUnit::why_busy() const {
  if (free_.full()) return "";
  return fmt::format(
      "{} groups: {} ready, {} waiting for texture, {} for interpolants, {} for storage, {} at barriers, {} "
      "behind branches, {} finished",
      free_.capacity() - free_.size(), ready_.size(), texture_waiting_, pull_waiting_, storage_waiting_,
      barrier_waiting_, batches_.standing(), finished_.size());
}

}  // namespace cutaway::boxes
