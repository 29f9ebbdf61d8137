#include "boxes/z_stencil/quad_tests.h"

#include <algorithm>
#include <bit>

#include "func/raster/interpolate.h"
#include "messages/log_fragments.h"

namespace cutaway::boxes {

bool tests_early(const messages::QuadMessage& quad) {
  if (quad.draw_end || !depth_of(quad).active()) return false;
  switch (quad.state->depth_mode) {
    case arch::DepthMode::kEarly:
      return true;
    case arch::DepthMode::kEarlyTestLateWrite:
      return command_stream::early_reject_is_safe(quad.state->registers) && depth_of(quad).reads();
    default:
      return false;
  }
}

uint32_t quads_to_shade(const messages::QuadMessage& quad) {
  if (!quad.state->shades_samples()) return quad.mask ? 1 : 0;
  uint32_t quads = 0;
  for (uint32_t sample = 0; sample < quad.state->samples; sample++)
    quads += func::sample_lanes(quad.alive, sample) != 0;
  return quads;
}

void depth_at(const messages::QuadMessage& quad, uint32_t sample, float z[4]) {
  if (quad.state->samples > 1)
    func::depth<4>(quad.primitive->primitive, func::quad_positions(quad.x, quad.y),
                   func::sample_offset(quad.state->samples, sample), z);
  else std::copy(quad.z.begin(), quad.z.end(), z);
}

structures::ElementPart tested_part(const func::DepthState& state) {
  const structures::ElementPart whole{0, state.element_bytes};
  const bool tests_depth = state.reads_depth() || state.depth_write;
  if (tests_depth == state.stencil_test) return whole;
  if (state.stencil_test) return {static_cast<uint8_t>(state.stencil_offset / 8), 1};
  return state.depth_bits % 8 ? whole
                              : structures::ElementPart{0, static_cast<uint8_t>(state.depth_bits / 8)};
}

void note_killed(const messages::QuadMessage& quad, uint32_t sample, uint32_t mask,
                 const func::DepthResult& result, bool late) {
  if (!quad.state->tiles) return;
  messages::TileCount& tile = quad.state->tiles->at(quad.x, quad.y);
  const uint32_t failed = mask & ~result.pass, stencil = failed & result.stencil_failed;
  tile.killed_stencil += static_cast<uint32_t>(std::popcount(stencil));
  tile.killed_z += static_cast<uint32_t>(std::popcount(failed & ~stencil));
  if (!quad.state->log) return;
  using Kind = run_record::FragmentEvent::Kind;
  messages::log_quad(*quad.state->log, quad, late ? Kind::kKilledLateStencil : Kind::kKilledStencil, stencil,
                     sample);
  messages::log_quad(*quad.state->log, quad, late ? Kind::kKilledLateZ : Kind::kKilledZ, failed & ~stencil,
                     sample);
}

}  // namespace cutaway::boxes
