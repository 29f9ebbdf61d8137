// The domain of a patch: its primitives point by point, and the points to groups for the evaluation programs.
#include <bit>

#include "boxes/tessellation/tessellation.h"
#include "func/shader/micro_op.h"
#include "parts/draw_state.h"

namespace cutaway::boxes {

using arch::Stage;
using engine::Cycle;

// The next points of a patch, or the next patch or end.
bool Tessellation::walk(Cycle now) {
  if (patch_) return step(now);
  if (order_.empty()) return false;
  Entry& entry = order_.front();
  if (!entry.is_end()) return entry.done && begin_patch(now, entry);
  if (commit_.full()) return false;
  // Another draw has another state: its points are not those of the last one.
  while (!post_cache_.empty()) commit_.release(post_cache_.evict());
  parts::VertexMessage end;
  end.state = entry.state;
  end.origin = entry.origin;
  end.draw_end = entry.draw_end;
  end.kind = parts::VertexMessage::Kind::kBatchEnd;
  commit_.push_mark(std::move(end));
  order_.pop();
  return true;
}

bool Tessellation::begin_patch(Cycle now, Entry& entry) {
  const arch::TessellationRegisters& registers = entry.state->registers.tessellation;
  parts::PoolRef<parts::Patch> patch = entry.done->patch[next_patch_ * registers.output_vertices];
  const auto word = [&](uint32_t byte) {
    return byte / 4 < patch->words.size() ? std::bit_cast<float>(patch->words[byte / 4]) : 0.0f;
  };
  func::TessFactors factors;
  for (uint32_t i = 0; i < 4; i++) factors.outer[i] = word(arch::kPatchOuter + 4 * i);
  for (uint32_t i = 0; i < 2; i++) factors.inner[i] = word(arch::kPatchInner + 4 * i);
  const func::TessellationShape shape = {static_cast<arch::TessDomain>(registers.domain),
                                         static_cast<arch::TessSpacing>(registers.spacing),
                                         registers.clockwise != 0, registers.point_mode != 0};
  state_ = entry.state, origin_ = entry.origin;
  origin_.primitive = patch->id;
  if (state_->registers.query.statistics) assembled_.counts[draw::Statistic::kTessControlPatches]++;
  number_++;
  next_point_ = 0;
  triangles_ = shape.domain == arch::TessDomain::kTriangles;
  if (func::tessellate(shape, factors, domain_) && !domain_.indices.empty()) patch_ = patch;
  else counters.patches_culled++;
  walks_ = now + spec_.patch_cycles;
  if (++next_patch_ == entry.count) {
    next_patch_ = 0;
    order_.pop();
  }
  return true;
}

bool Tessellation::step(Cycle now) {
  if (now < walks_) return false;
  bool progress = false;
  for (uint32_t i = 0; i < spec_.points_per_cycle && patch_; i++) {
    if (commit_.full() || !enter(domain_.indices[next_point_])) break;
    counters.points++;
    progress = true;
    if (++next_point_ == domain_.indices.size()) patch_ = {};
  }
  return progress;
}

// A point enters the order: in the slot in which it is found, or in a new one, to be shaded. False: there is
// none, or the group must leave before the point joins it.
bool Tessellation::enter(uint32_t point) {
  if (const auto slot = post_cache_.find(point, number_)) {
    commit_.push_vertex(*slot, state_, origin_);
    if (commit_.is_elsewhere(*slot)) memory_slots_.push(*slot);
    counters.post_cache_hits++;
    return true;
  }
  if (points_.lanes && points_close()) return false;
  if (!commit_.has_free_slot()) return false;
  const parts::SlotIndex slot = commit_.push_new_vertex(state_, origin_);
  if (post_cache_.full()) commit_.release(post_cache_.evict());
  post_cache_.insert(point, number_, slot);
  commit_.hold(slot);
  if (commit_.is_elsewhere(slot)) spill(slot);
  add_point(slot, point);
  counters.points_shaded++;
  return true;
}

// The outputs that its program writes will lie in memory.
void Tessellation::spill(parts::SlotIndex slot) {
  const draw::Program* program = state_->stage[Stage::kTessEvaluation].program.get();
  memory_slots_.begin(slot, program ? program->outputs : 0, origin_);
  memory_slots_.push(slot);
  counters.points_spilled++;
}

void Tessellation::add_point(parts::SlotIndex slot, uint32_t point) {
  if (points_.lanes == 0) {
    points_.stage = Stage::kTessEvaluation;
    points_.vertices = pools_.group_vertices.allocate();
    points_.primitives = pools_.group_primitives.allocate();
    points_.state = state_;
    points_.origin = origin_;
    points_.front_end = front_end_;
  }
  const uint32_t lane = points_.lanes++;
  parts::GroupVertices& vertices = *points_.vertices;
  vertices.slot[lane] = slot;
  vertices.index[lane] = parts::kEmittedVertex;
  vertices.instance[lane] = 0;
  points_.primitives->patch[lane] = patch_;
  const auto put = [&](uint32_t reg, const parts::Vec4& value) {
    for (uint32_t c = 0; c < 4; c++) vertices.word[func::register_word(width_, reg, c, lane)] = value[c];
  };
  const auto coordinate = [](uint32_t fixed) {
    return std::bit_cast<uint32_t>(static_cast<float>(fixed) / func::kDomainOne);
  };
  const func::DomainPoint at = domain_.points[point];
  put(arch::kInputTessCoord,
      {coordinate(at.u), coordinate(at.v), triangles_ ? coordinate(func::kDomainOne - at.u - at.v) : 0, 0});
  put(arch::kInputPrimitive, {patch_->id, 0, state_->registers.tessellation.output_vertices, 0});
  if (state_->registers.query.statistics) assembled_.counts[draw::Statistic::kTessEvaluationInvocations]++;
}

// No further point joins the group.
bool Tessellation::points_close() const { return points_.lanes == group_lanes_ || points_.state != state_; }

bool Tessellation::send_points(Cycle now) {
  if (!point_groups_out.ready(now)) return false;
  counters.evaluation_groups++;
  point_groups_out.send(now, std::move(points_));
  points_ = {};
  return true;
}

}  // namespace cutaway::boxes
