#include "structures/draw_batches.h"

#include <algorithm>

namespace cutaway::structures {

using arch::Topology;

namespace {

struct Rule {
  uint32_t step, shared;  // 0: nothing is assembled
};

// patch_vertices: per patch; 0 and too many are rejected elsewhere.
Rule rule_of(Topology topology, uint32_t patch_vertices) {
  switch (topology) {
    case Topology::kPointList:
      return {1, 0};
    case Topology::kLineList:
      return {2, 0};
    case Topology::kLineStrip:
      return {1, 1};
    case Topology::kTriangleList:
      return {3, 0};
    case Topology::kTriangleStrip:
    case Topology::kTriangleFan:
      return {1, 2};
    case Topology::kLineListAdjacency:
      return {4, 0};
    case Topology::kLineStripAdjacency:
      return {1, 3};
    case Topology::kTriangleListAdjacency:
      return {6, 0};
    case Topology::kPatchList:
      return {patch_vertices, 0};
    default:  // the last triangle of a strip with adjacency has other vertices than one amid it
      return {0, 0};
  }
}

}  // namespace

uint32_t vertices_of_list_primitive(const arch::Registers& registers) {
  const auto topology = static_cast<Topology>(registers.assembly.topology);
  const Rule rule = rule_of(topology, registers.tessellation.patch_vertices);
  return rule.shared == 0 && rule.step != 0 ? rule.step : 1;
}

DrawBatches::DrawBatches(const command_stream::Draw& draw, const arch::Registers& registers,
                         const FrontEnds& front_ends)
    : vertices_(draw.count), primitives_(front_ends.batch) {
  const auto topology = static_cast<Topology>(registers.assembly.topology);
  const Rule rule = rule_of(topology, registers.tessellation.patch_vertices);
  const bool restarts = draw.indexed && registers.assembly.primitive_restart;
  const bool stippled = topology == Topology::kLineStrip && registers.raster.line_stipple >> 16;
  if (front_ends.units == 1 || rule.step == 0 || restarts || stippled || draw.instances == 0) return;
  const uint32_t all = draw.count > rule.shared ? (draw.count - rule.shared) / rule.step : 0;
  if (all == 0) return;
  step_ = rule.step, shared_ = rule.shared;
  fan_ = topology == Topology::kTriangleFan;
  per_instance_ = (all - 1) / primitives_ + 1;
  count_ = per_instance_ * draw.instances;
}

Batch DrawBatches::batch(uint32_t number) const {
  if (whole()) return {.end = vertices_};
  const uint32_t of_instance = number % per_instance_;
  const uint32_t first = of_instance * primitives_;
  const bool later = of_instance > 0, last = of_instance + 1 == per_instance_;
  const bool centre = fan_ && later;
  return {.instance = number / per_instance_,
          .begin = first * step_ + centre,
          .end = last ? vertices_ : (first + primitives_) * step_ + shared_,
          .first_primitive = first,
          .repeated = later ? shared_ - centre : 0,
          .centre = centre};
}

}  // namespace cutaway::structures
