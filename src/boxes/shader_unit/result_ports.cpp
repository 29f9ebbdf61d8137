#include "boxes/shader_unit/result_ports.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/few_bits.h"
#include "base/prefetch.h"
#include "func/rop/exported_fragment.h"
#include "messages/log_fragments.h"

namespace cutaway::boxes {

using arch::Stage;
using engine::Cycle;
using engine::Out;

namespace {

// The first of several outputs that has no room or is still occupied; their number if all are free.
template <class Message>
size_t full_output(Cycle now, const std::vector<Out<Message>>& outputs) {
  size_t i = 0;
  while (i < outputs.size() && outputs[i].ready(now)) i++;
  return i;
}
template <class Message>
bool all_free(Cycle now, const std::vector<Out<Message>>& outputs) {
  return full_output(now, outputs) == outputs.size();
}
template <class Message>
const engine::Port* full_port(Cycle now, const std::vector<Out<Message>>& outputs) {
  return &outputs[full_output(now, outputs) % outputs.size()];
}

// A vertex leaves in a cycle (ATT-3), whichever front end it goes to: the group takes the wire for as many
// cycles as it has lanes, and the other wires wait for it.
void send_vertices(Cycle now, Group& group, messages::Pool<messages::StoredVertex>& vertices,
                   std::vector<Out<messages::ShadedVertices>>& outputs) {
  messages::VertexGroup& in = group.vertices;
  for (uint32_t lane = 0; lane < in.lanes; lane++) {
    messages::VertexRef vertex = vertices.allocate();
    vertex->index = in.vertices->index[lane];
    vertex->instance = in.vertices->instance[lane];
    for (uint32_t reg = 0; reg < arch::kShaderOutputs; reg++) {
      auto& output = vertex->output[reg];
      if (group.outputs >> reg & 1)
        for (uint32_t c = 0; c < 4; c++)
          output[c] = group.output[func::register_word(group.width, reg, c, lane)];
      else output = {};
    }
    in.vertices->shaded[lane] = std::move(vertex);
  }
  messages::place_of(in) = {};
  outputs[in.front_end].send(now, {std::move(in.vertices), in.lanes}, in.lanes);
}

// A patch leaves in a cycle, or 16 vectors of its memory.
void send_patches(Cycle now, Group& group, std::vector<Out<messages::EmittedPrimitives>>& outputs) {
  messages::VertexGroup& in = group.vertices;
  const arch::TessellationRegisters& registers = group.state->registers.tessellation;
  const uint32_t patches = in.lanes / registers.output_vertices;
  const uint32_t cycles = patches * std::max((registers.patch_bytes + 255) / 256, 1u);
  messages::place_of(in) = {};
  outputs[in.front_end].send(now, {std::move(in.primitives), in.slot}, cycles);
}

// A vertex leaves in a cycle, or 16 outputs of one (ATT-2, ATT-3): the group takes the wire for as long as
// all that it has emitted needs, and the other wires wait for it.
void send_emitted(Cycle now, Group& group, std::vector<Out<messages::EmittedPrimitives>>& ports) {
  messages::VertexGroup& in = group.vertices;
  uint32_t vertices = 0;
  for (uint32_t lane = 0; lane < in.lanes; lane++) vertices += in.primitives->emitted[lane].vertices();
  const auto outputs = static_cast<uint32_t>(std::popcount(group.outputs));
  const uint32_t cycles = vertices * std::max((outputs + 15) / 16, 1u);
  messages::place_of(in) = {};
  ports[in.front_end].send(now, {std::move(in.primitives), in.slot}, std::max(cycles, 1u));
}

// Applies the program's sample mask and alpha to coverage. With one sample the lanes are the samples.
void cover(messages::ShadedQuad& shaded) {
  const messages::DrawState& state = *shaded.quad.state;
  const bool masks =
      state.registers.shader[static_cast<uint32_t>(Stage::kFragment)].flags & arch::kShaderWritesSampleMask;
  const bool alpha = state.registers.raster.alpha_to_coverage;
  if (!masks && !alpha) return;
  messages::QuadMessage& quad = shaded.quad;
  const auto& output = shaded.outputs->output;
  const func::QuadSamples alive =
      func::exported_samples(state.samples, state.samples > 1 ? quad.alive : uint32_t{quad.mask},
                             masks ? output[arch::kOutputDepth][1] : nullptr, alpha ? output[0][3] : nullptr);
  quad.mask = static_cast<uint8_t>(func::any_sample(alive));
  if (state.samples > 1) quad.alive = alive;
}

}  // namespace

ResultPorts::ResultPorts(const Ports& ports, const GroupTable& groups, messages::Pools& pools,
                         ShaderUnitCounters& counters)
    : ports_(ports), groups_(groups), pools_(pools), counters_(counters), order_(groups.places()) {}

bool ResultPorts::any_due(Cycle now) const {
  bool any = false;
  for_due(now, [&](GroupOutput) { any = true; });
  return any;
}

ResultPorts::Sent ResultPorts::send(Cycle now, GroupOutput output, Group& group) {
  switch (output) {
    case GroupOutput::kVertices:
      if (!all_free(now, ports_.vertices)) return Sent::kNothing;
      send_vertices(now, group, pools_.vertices, ports_.vertices);
      break;
    case GroupOutput::kPoints:
      if (!all_free(now, ports_.points)) return Sent::kNothing;
      send_vertices(now, group, pools_.vertices, ports_.points);
      break;
    case GroupOutput::kPatches:
      if (!all_free(now, ports_.patches)) return Sent::kNothing;
      send_patches(now, group, ports_.patches);
      break;
    case GroupOutput::kEmitted:
      if (!all_free(now, ports_.emitted)) return Sent::kNothing;
      send_emitted(now, group, ports_.emitted);
      break;
    case GroupOutput::kQuads:
      if (!ports_.quads[rop_of(group)].ready(now)) return Sent::kNothing;
      if (!send_quad(now, group)) return Sent::kPart;
      break;
    case GroupOutput::kWorkgroups:
      return Sent::kNothing;
  }
  return Sent::kAll;
}

// One quad leaves in a cycle. True if it was the last one of the group.
bool ResultPorts::send_quad(Cycle now, Group& group) {
  messages::GroupQuads& quads = *group.fragments.quads;
  messages::ShadedQuad& out = ports_.quads[rop_of(group)].put(now);
  const uint32_t q = quads_sent_++;
  out.order = quads.order[q];
  out.quad = std::move(quads.quad[q].quad);
  const auto survivors = static_cast<uint8_t>(group.threads.survivors() >> 4 * q & 15);
  count_killed(out.quad, group, q);
  out.quad.mask &= survivors;
  out.quad.alive &= func::at_all_samples(survivors, group.state->samples);
  if (group.program || group.state->shades_fragments()) export_outputs(out, group, q);
  if (quads_sent_ < quads.count) {
    prefetch_on_host(quads.quad[quads_sent_]);
    return false;
  }
  quads_sent_ = 0;
  return true;
}

// Counts and logs the fragments of quad q of the group that its program has discarded.
void ResultPorts::count_killed(const messages::QuadMessage& quad, const Group& group, uint32_t q) {
  const auto survivors = static_cast<uint8_t>(group.threads.survivors() >> 4 * q & 15);
  const uint64_t killed = count_of_four(quad.mask & ~uint32_t{survivors});
  counters_.fragments_killed += killed;
  if (messages::TileCounts* tiles = group.program ? group.state->tiles : nullptr) {
    messages::TileCount& tile = tiles->at(quad.x, quad.y);
    const uint32_t shaded = count_of_four(quad.mask);
    tile.shaded += shaded, tile.helpers += 4 - shaded;
    tile.killed_shader += static_cast<uint32_t>(killed);
    tile.shader_cycles += group.time.share_of(q, group.fragments.quads->count);
  }
  if (group.of_driver) counters_.driver_fragments_killed += killed;
  if (messages::FragmentLog* log = group.state->log)
    messages::log_quad(*log, quad, run_record::FragmentEvent::Kind::kKilledShader, quad.mask & ~survivors,
                       quad.sample);
}

// The outputs of quad q of the group, and the coverage that they leave.
void ResultPorts::export_outputs(messages::ShadedQuad& out, const Group& group, uint32_t q) {
  out.outputs = pools_.fragment_outputs.allocate();
  for (uint32_t reg = 0; reg < arch::kFragmentOutputs; reg++) {
    auto& output = out.outputs->output[reg];
    if (group.outputs >> reg & 1)
      for (uint32_t c = 0; c < 4; c++)
        std::copy_n(&group.output[func::register_word(group.width, reg, c, 4 * q)], 4, output[c]);
    else std::memset(output, 0, sizeof output);
  }
  const uint8_t before = out.quad.mask;
  cover(out);
  if (messages::FragmentLog* log = group.state->log)
    messages::log_quad(*log, out.quad, run_record::FragmentEvent::Kind::kUncovered, before & ~out.quad.mask,
                       out.quad.sample);
}

const engine::Port* ResultPorts::blocked_port(Cycle now) const {
  const uint32_t oldest = order_.oldest();
  if (oldest == kNone) return nullptr;
  const Group& group = groups_[oldest];
  switch (output_of(group.stage)) {
    case GroupOutput::kVertices:
      return full_port(now, ports_.vertices);
    case GroupOutput::kPatches:
      return full_port(now, ports_.patches);
    case GroupOutput::kPoints:
      return full_port(now, ports_.points);
    case GroupOutput::kEmitted:
      return full_port(now, ports_.emitted);
    case GroupOutput::kWorkgroups:
      return &ports_.ended;
    case GroupOutput::kQuads:
      break;
  }
  return &ports_.quads[rop_of(group)];
}

}  // namespace cutaway::boxes
