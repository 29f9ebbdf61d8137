// What groups give when they have finished.
#include <algorithm>
#include <bit>
#include <cstring>

#include "boxes/shader_unit/shader_unit.h"
#include "func/rop/exported_fragment.h"
#include "parts/log_fragments.h"

namespace cutaway::boxes {

using arch::Stage;
using engine::Cycle;

// The oldest finished group of each output: they are pipelines of their own.
bool ShaderUnit::retire(Cycle now) {
  bool progress = retire(now, Output::kVertices);
  progress |= retire(now, Output::kQuads);
  progress |= retire(now, Output::kWorkgroups);
  if (stages_.has(Stage::kTessControl)) progress |= retire(now, Output::kPatches);
  if (stages_.has(Stage::kTessEvaluation)) progress |= retire(now, Output::kPoints);
  if (stages_.has(Stage::kGeometry)) progress |= retire(now, Output::kEmitted);
  return progress;
}

bool ShaderUnit::retire(Cycle now, Output output) {
  parts::Ring<uint16_t>& order = finish_order_[static_cast<uint32_t>(output)];
  if (order.empty()) return false;
  Group& group = groups_[order.front()];
  if (time_[order.front()] > now) return false;
  bool done = true;
  switch (output) {
    case Output::kVertices:
      if (full_output(now, vertices_out) < vertices_out.size()) return false;
      retire_vertices(now, group, vertices_out);
      break;
    case Output::kPoints:
      if (full_output(now, points_out) < points_out.size()) return false;
      retire_vertices(now, group, points_out);
      break;
    case Output::kPatches:
      if (full_output(now, patches_out) < patches_out.size()) return false;
      retire_patches(now, group);
      break;
    case Output::kQuads:
      if (!quads_out[rop_of(group)].ready(now)) return false;
      done = retire_quad(now, group);
      break;
    case Output::kEmitted:
      if (full_output(now, emitted_out) < emitted_out.size()) return false;
      retire_primitives(now, group);
      break;
    case Output::kWorkgroups:
      if (workgroups_[group.workgroup].left == 1 && !ended_out.ready(now)) return false;
      if (--workgroups_[group.workgroup].left == 0) end_workgroup(now, group);
      break;
  }
  if (done) {
    release(now, group);
    order.drop();
  }
  return true;
}

// One vertex per cycle (ATT-3), whichever front end it goes to: the group takes the wire for as many cycles
// as it has lanes, and the other wires wait for it.
void ShaderUnit::retire_vertices(Cycle now, Group& group,
                                 std::vector<engine::Out<parts::ShadedVertices>>& outputs) {
  parts::VertexGroup& in = group.vertices;
  for (uint32_t lane = 0; lane < in.lanes; lane++) {
    parts::VertexRef vertex = pools_.vertices.allocate();
    vertex->index = in.vertices->index[lane];
    vertex->instance = in.vertices->instance[lane];
    for (uint32_t reg = 0; reg < arch::kShaderOutputs; reg++) {
      auto& output = vertex->output[reg];
      if (group.outputs >> reg & 1)
        for (uint32_t c = 0; c < 4; c++) output[c] = group.output[func::register_word(width_, reg, c, lane)];
      else output = {};
    }
    in.vertices->shaded[lane] = std::move(vertex);
  }
  outputs[in.front_end].send(now, {std::move(in.vertices), in.lanes}, in.lanes);
}

unsigned ShaderUnit::rop_of(const Group& group) const {
  return group.fragments.quads->quad[group.quads_sent].quad.rop;
}

// One quad per cycle. True when it was the group's last.
bool ShaderUnit::retire_quad(Cycle now, Group& group) {
  parts::GroupQuads& quads = *group.fragments.quads;
  parts::ShadedQuad& out = quads_out[rop_of(group)].put(now);
  const uint32_t q = group.quads_sent++;
  out.order = quads.order[q];
  out.quad = std::move(quads.quad[q].quad);
  const uint8_t survivors = static_cast<uint8_t>(group.threads.survivors() >> 4 * q & 15);
  const auto killed = static_cast<uint64_t>(std::popcount(static_cast<uint8_t>(out.quad.mask & ~survivors)));
  counters.fragments_killed += killed;
  if (parts::TileCounts* tiles = group.program ? group.state->tiles : nullptr) {
    parts::TileCount& tile = tiles->at(out.quad.x, out.quad.y);
    const auto shaded = static_cast<uint32_t>(std::popcount(out.quad.mask));
    tile.shaded += shaded, tile.helpers += 4 - shaded;
    tile.killed_shader += static_cast<uint32_t>(killed);
    tile.shader_cycles += group.time.share_of(q, quads.count);
  }
  if (group.of_driver) counters.driver_fragments_killed += killed;
  parts::FragmentLog* log = group.state->log;
  if (log)
    parts::log_quad(*log, out.quad, FragmentEvent::Kind::kKilledShader, out.quad.mask & ~survivors,
                    out.quad.sample);
  out.quad.mask &= survivors;
  out.quad.alive &= func::at_all_samples(survivors, group.state->samples);
  if (group.program || group.state->shades_fragments()) {
    out.outputs = pools_.fragment_outputs.allocate();
    for (uint32_t reg = 0; reg < arch::kFragmentOutputs; reg++) {
      auto& output = out.outputs->output[reg];
      if (group.outputs >> reg & 1)
        for (uint32_t c = 0; c < 4; c++)
          std::copy_n(&group.output[func::register_word(width_, reg, c, 4 * q)], 4, output[c]);
      else std::memset(output, 0, sizeof output);
    }
    const uint8_t before = out.quad.mask;
    cover(out);
    if (log)
      parts::log_quad(*log, out.quad, FragmentEvent::Kind::kUncovered, before & ~out.quad.mask,
                      out.quad.sample);
  }
  return group.quads_sent == quads.count;
}

// The program's sample mask and alpha to coverage. With one sample the lanes are the samples.
void ShaderUnit::cover(parts::ShadedQuad& shaded) const {
  const parts::DrawState& state = *shaded.quad.state;
  const bool masks =
      state.registers.shader[static_cast<uint32_t>(Stage::kFragment)].flags & arch::kShaderWritesSampleMask;
  const bool alpha = state.registers.raster.alpha_to_coverage;
  if (!masks && !alpha) return;
  parts::QuadMessage& quad = shaded.quad;
  const auto& output = shaded.outputs->output;
  const func::QuadSamples alive =
      func::exported_samples(state.samples, state.samples > 1 ? quad.alive : uint32_t{quad.mask},
                             masks ? output[arch::kOutputDepth][1] : nullptr, alpha ? output[0][3] : nullptr);
  quad.mask = static_cast<uint8_t>(func::any_sample(alive));
  if (state.samples > 1) quad.alive = alive;
}

}  // namespace cutaway::boxes
